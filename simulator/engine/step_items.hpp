// A program cut into items: what one stream of a rank does between two synchronizations with anything else. An item is
// a single task, a run of compute tasks, or a segment (segment.hpp) of compute and collectives of one group.
//
// Cutting. Only the streams `compute` and `tensor` are fused. A cut is *clean* if everything before it on both streams
// precedes everything after it, by dependencies and stream order: then a segment may end there without making anything
// wait that would not have waited. A cut is *forced* before a task that depends on another stream and after one that
// another stream depends on. Between neighboring clean cuts lies an atom; atoms without a forced cut inside, whose
// tasks may all be fused, are joined to segments up to the next forced cut. Whatever is left runs task by task.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/graph/execution_graph.hpp"
#include "simulator/engine/segment.hpp"

namespace trainwright::simulator {

enum class ItemKind : std::uint8_t { compute, segment, collective, send, receive, host_io };

struct Item {
  ItemKind kind = ItemKind::compute;
  model::Stream stream = model::Stream::compute;
  int first_task = 0;  ///< the task, or the first of a run
  int work = -1;       ///< collective, send: index into the catalog
  int meeting = -1;    ///< collective: position among those of the same axis and stream
  int segment = -1;    ///< compute, segment: index into ItemProgram::segments
  int previous = -1;   ///< item before it on the same stream
};

struct ItemProgram {
  std::vector<Item> items;
  std::vector<Segment> segments;
  std::vector<std::vector<int>> predecessors;                 ///< by item, on other streams
  std::vector<std::vector<int>> successors;                   ///< by item, on other streams
  std::array<std::vector<int>, model::kStreamCount> streams;  ///< items in order
  /// Items of the collectives of an axis on a stream, in order: [axis * kStreamCount + stream].
  std::vector<std::vector<int>> meetings;
};

struct ItemOptions {
  bool fuse_compute = true;            ///< runs of compute tasks become one item
  std::vector<bool> fusable_works;     ///< by catalog index: collectives of the segment group with a known time
  std::vector<bool> disturbing_works;  ///< collectives that use links of the fused ones: never beside a segment
};

/// Problems (a dependency cycle inside the program) go to `problems`; the result is then not to be used.
[[nodiscard]] ItemProgram cut_into_items(const model::Program& program, const std::vector<int>& work_of_task,
                                         const ItemOptions& options, std::vector<std::string>& problems);

}  // namespace trainwright::simulator
