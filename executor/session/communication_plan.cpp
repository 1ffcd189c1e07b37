// SPDX-License-Identifier: Apache-2.0
#include "executor/session/communication_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "executor/session/job_groups.hpp"

namespace trainwright::executor {
namespace {

using model::CollectiveKind;
using model::GroupAxis;
using model::RankId;
using model::Stream;

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

}  // namespace

CommunicationPlan::CommunicationPlan(const model::ExecutionGraph& graph, RankId rank) {
  const model::Placement& placement = graph.placement();
  const model::Program& program = graph.program_of_rank(rank);
  tasks_.resize(program.tasks.size());

  std::map<GroupKey, std::size_t> index_of;
  const JobGroups job = job_groups(graph);
  rounds_ = job.rounds;
  for (const JobGroup& group : job.groups) {
    const auto own = std::find(group.members.begin(), group.members.end(), rank);
    if (own == group.members.end())
      continue;
    index_of[group.key] = groups_.size();
    groups_.push_back({group_name(group.key), group.members, static_cast<int>(own - group.members.begin()),
                       std::nullopt, group.round});
  }

  std::map<std::pair<GroupAxis, Stream>, std::uint32_t> position;
  for (std::size_t i = 0; i < program.tasks.size(); ++i) {
    const model::Task& task = program.tasks[i];
    const auto stream = static_cast<std::size_t>(task.stream);
    TaskCommunication communication;
    if (const auto* transfer = std::get_if<model::TransferWork>(&task.work)) {
      const auto direction = static_cast<std::uint32_t>(direction_of(task.stream));
      communication.group = index_of.at(group_key(placement, rank, task));
      communication.elements = elements_for(transfer->bytes, 1);
      communication.peer = transfer->is_send ? 1 : 0;
      communication.salt = 2U * static_cast<std::uint32_t>(transfer->tag) + direction;
    } else if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work)) {
      const auto found = index_of.find(group_key(placement, rank, task));
      if (found == index_of.end())
        continue;  // alone
      communication.group = found->second;
      const std::size_t members = groups_[communication.group].members.size();
      communication.elements = elements_for(collective->bytes, has_blocks(collective->kind) ? members : 1);
      communication.salt =
          53U * static_cast<std::uint32_t>(static_cast<int>(task.stream) * 16 + static_cast<int>(collective->axis)) +
          position[{collective->axis, task.stream}]++;
      if (has_own_output(collective->kind))
        outputs_[stream] = std::max(outputs_[stream], communication.elements);
    } else {
      continue;
    }
    groups_[communication.group].stream = task.stream;
    buffers_[stream] = std::max(buffers_[stream], communication.elements);
    tasks_[i] = communication;
  }
}

std::int64_t CommunicationPlan::memory_bytes() const {
  std::size_t elements = 0;
  for (std::size_t stream = 0; stream < model::kStreamCount; ++stream)
    elements += buffers_[stream] + outputs_[stream];
  return static_cast<std::int64_t>(elements * sizeof(float));
}

}  // namespace trainwright::executor
