// SPDX-License-Identifier: Apache-2.0
#include "executor/session/communication_plan.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

using model::CollectiveKind;
using model::GroupAxis;
using model::RankId;
using model::Stream;
using model::TaskId;

enum class Direction { forward, backward };

Direction direction_of(Stream stream) {
  TRAINWRIGHT_EXPECTS(stream == Stream::send_forward || stream == Stream::receive_forward ||
                          stream == Stream::send_backward || stream == Stream::receive_backward,
                      "message on stream " + std::string(to_word(stream)));
  return stream == Stream::send_forward || stream == Stream::receive_forward ? Direction::forward : Direction::backward;
}

// Sorts the groups: first messages by direction, then collectives by stream and axis. Ranks that walk this order meet
// in every group without waiting for each other in a circle.
struct GroupKey {
  int kind = 0;  // 0 messages, 1 collectives
  int first = 0;
  int second = 0;
  friend auto operator<=>(const GroupKey&, const GroupKey&) = default;
};

std::string group_name(const GroupKey& key, const std::vector<RankId>& members) {
  std::string name = key.kind == 0 ? (key.first == 0 ? "forward" : "backward")
                                   : std::string(to_word(static_cast<Stream>(key.first))) + "-stream." +
                                         std::string(to_word(static_cast<GroupAxis>(key.second)));
  // The first member tells apart the groups of one axis, which do not intersect.
  return name + "." + std::to_string(members.front().value());
}

std::size_t elements_for(model::ByteCount bytes, std::size_t blocks) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(bytes.count(), 1));
  const std::size_t elements = (count + sizeof(float) - 1) / sizeof(float);
  return (elements + blocks - 1) / blocks * blocks;
}

bool has_blocks(CollectiveKind kind) {
  return kind == CollectiveKind::all_gather || kind == CollectiveKind::reduce_scatter ||
         kind == CollectiveKind::all_to_all;
}

bool has_own_output(CollectiveKind kind) {
  return kind == CollectiveKind::all_to_all || kind == CollectiveKind::ring_shift;
}

int place_of(const std::vector<RankId>& members, RankId rank) {
  const auto found = std::find(members.begin(), members.end(), rank);
  TRAINWRIGHT_EXPECTS(found != members.end(), "rank " + std::to_string(rank.value()) + " is not of its group");
  return static_cast<int>(found - members.begin());
}

}  // namespace

CommunicationPlan::CommunicationPlan(const model::ExecutionGraph& graph, RankId rank) {
  const model::Placement& placement = graph.placement();
  const model::Program& program = graph.program_of_rank(rank);
  tasks_.resize(program.tasks.size());

  std::map<GroupKey, std::vector<RankId>> members_of;
  std::vector<GroupKey> key_of_task(program.tasks.size());
  std::map<std::pair<GroupAxis, Stream>, std::uint32_t> position;
  for (std::size_t i = 0; i < program.tasks.size(); ++i) {
    const model::Task& task = program.tasks[i];
    const auto stream = static_cast<std::size_t>(task.stream);
    TaskCommunication communication;
    GroupKey key;
    if (const auto* transfer = std::get_if<model::TransferWork>(&task.work)) {
      const Direction direction = direction_of(task.stream);
      const std::vector<RankId> members = placement.group(rank, GroupAxis::pipeline);
      key = {0, static_cast<int>(direction), 0};
      communication.elements = elements_for(transfer->bytes, 1);
      communication.peer = place_of(members, placement.at_stage(rank, transfer->peer));
      communication.salt = 2U * static_cast<std::uint32_t>(transfer->tag) + static_cast<std::uint32_t>(direction);
      members_of.emplace(key, members);
    } else if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work)) {
      const std::vector<RankId> members = placement.group(rank, collective->axis);
      if (members.size() == 1)
        continue;
      key = {1, static_cast<int>(task.stream), static_cast<int>(collective->axis)};
      communication.elements = elements_for(collective->bytes, has_blocks(collective->kind) ? members.size() : 1);
      communication.salt =
          53U * static_cast<std::uint32_t>(key.first * 16 + key.second) + position[{collective->axis, task.stream}]++;
      members_of.emplace(key, members);
      if (has_own_output(collective->kind))
        outputs_[stream] = std::max(outputs_[stream], communication.elements);
    } else {
      continue;
    }
    buffers_[stream] = std::max(buffers_[stream], communication.elements);
    key_of_task[i] = key;
    tasks_[i] = communication;
  }

  std::map<GroupKey, std::size_t> index_of;
  for (const auto& [key, members] : members_of) {
    index_of[key] = groups_.size();
    groups_.push_back({group_name(key, members), members, place_of(members, rank)});
  }
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    if (tasks_[i])
      tasks_[i]->group = index_of[key_of_task[i]];
}

std::int64_t CommunicationPlan::memory_bytes() const {
  std::size_t elements = 0;
  for (std::size_t stream = 0; stream < model::kStreamCount; ++stream)
    elements += buffers_[stream] + outputs_[stream];
  return static_cast<std::int64_t>(elements * sizeof(float));
}

}  // namespace trainwright::executor
