// Who talks with whom in a step: every group of ranks that communicates, for the whole job, in the order in which
// groups are made. Every pair of stream and axis has groups of its own, so that streams do not wait for each other;
// messages have one for each sender, receiver and direction, since a library that matches messages by order alone lines
// up all that two members exchange in one group.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

enum class MessageDirection { forward, backward };

/// Precondition: a stream that carries messages.
[[nodiscard]] MessageDirection direction_of(model::Stream stream);

/// Which group a task uses. Sorts messages before collectives.
struct GroupKey {
  enum class Kind { message, collective };
  Kind kind = Kind::message;
  int channel = 0;          ///< message: MessageDirection; collective: Stream
  int axis = 0;             ///< collective: GroupAxis
  model::RankId first{0};   ///< message: the sender; collective: the first member
  model::RankId second{0};  ///< message: the receiver
  friend auto operator<=>(const GroupKey&, const GroupKey&) = default;
};

/// Of a communication task on `rank`; `work` is its CollectiveWork or TransferWork.
[[nodiscard]] GroupKey group_key(const model::Placement& placement, model::RankId rank, const model::Task& task);

/// "forward.0-1", "data-stream.data.0"
[[nodiscard]] std::string group_name(const GroupKey& key);

struct JobGroup {
  GroupKey key;
  std::vector<model::RankId> members;  ///< in group order; message: sender, receiver
  int round = 0;
};

struct JobGroups {
  std::vector<JobGroup> groups;  ///< sorted by round, then key
  int rounds = 0;                ///< no rank is in two groups of one round
};

/// Groups of more than one member. Precondition: the graph's check() found nothing.
[[nodiscard]] JobGroups job_groups(const model::ExecutionGraph& graph);

}  // namespace trainwright::executor
