// SPDX-License-Identifier: Apache-2.0
#include "executor/session/job_groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

using model::GroupAxis;
using model::RankId;
using model::Stream;

// What a program communicates, before it is known which rank runs it: a stand-in task for each distinct use.
std::vector<const model::Task*> distinct_uses(const model::Program& program) {
  std::set<std::tuple<std::size_t, int, int>> seen;
  std::vector<const model::Task*> uses;
  for (const model::Task& task : program.tasks) {
    int other = 0;
    if (const auto* transfer = std::get_if<model::TransferWork>(&task.work))
      other = static_cast<int>(transfer->peer.value());
    else if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work))
      other = static_cast<int>(collective->axis);
    else
      continue;
    if (seen.emplace(task.work.index(), static_cast<int>(task.stream), other).second)
      uses.push_back(&task);
  }
  return uses;
}

std::vector<RankId> members_of(const model::Placement& placement, const GroupKey& key) {
  if (key.kind == GroupKey::Kind::message)
    return {key.first, key.second};
  return placement.group(key.first, static_cast<GroupAxis>(key.axis));
}

}  // namespace

MessageDirection direction_of(Stream stream) {
  TRAINWRIGHT_EXPECTS(stream == Stream::send_forward || stream == Stream::receive_forward ||
                          stream == Stream::send_backward || stream == Stream::receive_backward,
                      "message on stream " + std::string(to_word(stream)));
  return stream == Stream::send_forward || stream == Stream::receive_forward ? MessageDirection::forward
                                                                             : MessageDirection::backward;
}

GroupKey group_key(const model::Placement& placement, RankId rank, const model::Task& task) {
  if (const auto* transfer = std::get_if<model::TransferWork>(&task.work)) {
    const RankId peer = placement.at_stage(rank, transfer->peer);
    return {GroupKey::Kind::message, static_cast<int>(direction_of(task.stream)), 0, transfer->is_send ? rank : peer,
            transfer->is_send ? peer : rank};
  }
  const auto* collective = std::get_if<model::CollectiveWork>(&task.work);
  TRAINWRIGHT_EXPECTS(collective != nullptr, "work of kind " + std::to_string(task.work.index()));
  return {GroupKey::Kind::collective, static_cast<int>(task.stream), static_cast<int>(collective->axis),
          placement.group(rank, collective->axis).front(), RankId(0)};
}

std::string group_name(const GroupKey& key) {
  if (key.kind == GroupKey::Kind::message)
    return std::string(static_cast<MessageDirection>(key.channel) == MessageDirection::forward ? "forward."
                                                                                               : "backward.") +
           std::to_string(key.first.value()) + "-" + std::to_string(key.second.value());
  // The first member tells apart the groups of one axis, which do not intersect.
  return std::string(to_word(static_cast<Stream>(key.channel))) + "-stream." +
         std::string(to_word(static_cast<GroupAxis>(key.axis))) + "." + std::to_string(key.first.value());
}

JobGroups job_groups(const model::ExecutionGraph& graph) {
  const model::Placement& placement = graph.placement();
  std::vector<std::vector<const model::Task*>> uses;
  for (std::size_t p = 0; p < graph.program_count(); ++p)
    uses.push_back(distinct_uses(graph.program(model::ProgramId(p))));
  std::set<GroupKey> keys;
  for (int r = 0; r < graph.rank_count(); ++r)
    for (const model::Task* task : uses[graph.program_of(RankId(r)).index()])
      keys.insert(group_key(placement, RankId(r), *task));

  // The first round in which all members are free; every rank finds the same, since the order of keys is the same.
  JobGroups job;
  std::vector<std::set<RankId>> busy;
  for (const GroupKey& key : keys) {
    JobGroup group{key, members_of(placement, key), 0};
    if (group.members.size() == 1)
      continue;
    const auto is_free = [&](const std::set<RankId>& round) {
      return std::none_of(group.members.begin(), group.members.end(),
                          [&](RankId member) { return round.contains(member); });
    };
    const auto found = std::find_if(busy.begin(), busy.end(), is_free);
    group.round = static_cast<int>(found - busy.begin());
    if (found == busy.end())
      busy.emplace_back();
    busy[static_cast<std::size_t>(group.round)].insert(group.members.begin(), group.members.end());
    job.groups.push_back(std::move(group));
  }
  job.rounds = static_cast<int>(busy.size());
  std::stable_sort(job.groups.begin(), job.groups.end(),
                   [](const JobGroup& a, const JobGroup& b) { return a.round < b.round; });
  return job;
}

}  // namespace trainwright::executor
