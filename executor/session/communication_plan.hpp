// What one rank communicates in a step: which groups it joins, and for each communication task the group, the size and,
// for a message, the peer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "executor/backend/backend.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

struct TaskCommunication {
  std::size_t group = 0;     ///< index into groups()
  std::size_t elements = 0;  ///< of the buffer, at least one; whole blocks where the operation has blocks
  int peer = 0;              ///< place of a message's other end in the group
  std::uint32_t salt = 0;    ///< for the verification pattern; the same for all members
};

class CommunicationPlan {
 public:
  /// Precondition: the graph's check() found nothing.
  CommunicationPlan(const model::ExecutionGraph& graph, model::RankId rank);

  /// Groups of more than one member, in the order in which they must be joined: the same relative order on every rank.
  [[nodiscard]] const std::vector<GroupOptions>& groups() const { return groups_; }
  /// In which the whole job's groups are joined.
  [[nodiscard]] int rounds() const { return rounds_; }
  /// Empty for tasks that do not communicate, and for collectives of one member, which have nothing to do.
  [[nodiscard]] const std::optional<TaskCommunication>& of(model::TaskId task) const { return tasks_[task.index()]; }
  /// Elements of the buffer that a stream needs, and of a second one for the output of all-to-all.
  [[nodiscard]] std::size_t buffer_elements(model::Stream stream) const {
    return buffers_[static_cast<std::size_t>(stream)];
  }
  [[nodiscard]] std::size_t output_elements(model::Stream stream) const {
    return outputs_[static_cast<std::size_t>(stream)];
  }
  /// All buffers together.
  [[nodiscard]] std::int64_t memory_bytes() const;

 private:
  std::vector<GroupOptions> groups_;
  int rounds_ = 0;
  std::vector<std::optional<TaskCommunication>> tasks_;
  std::array<std::size_t, model::kStreamCount> buffers_{};
  std::array<std::size_t, model::kStreamCount> outputs_{};
};

}  // namespace trainwright::executor
