// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/run_plan.hpp"

#include <algorithm>
#include <set>

#include "model/base/contract.hpp"
#include "model/collective/collective_cost.hpp"
#include "model/cost/program_durations.hpp"

namespace trainwright::simulator {
namespace {

using model::RankId;

// A device that communication takes entirely would never finish its compute.
constexpr double kLargestShare = 0.95;

const model::NodeGroup& node_group(const Scene& scene, RankId rank) {
  return model::group_of(scene.cluster, model::node_of(scene.cluster, scene.graph.placement().device(rank)));
}

bool is_on_tensor_stream(const model::Task& task) {
  return task.stream == model::Stream::tensor && std::holds_alternative<model::CollectiveWork>(task.work);
}

class Planner {
 public:
  Planner(RunPlan& plan, const RankClasses& classes, const FlowPatterns& patterns, const FusionChoice& fusion,
          const RunOptions& options, std::vector<std::string>& problems)
      : plan_(plan),
        graph_(plan.scene.graph),
        classes_(classes),
        patterns_(patterns),
        fusion_(fusion),
        options_(options),
        problems_(problems) {}

  void run() {
    plan_.is_folded = options_.fold;
    plan_.shares_cores = has_oversubscribed_cores(plan_.scene);
    plan_.dispatch = plan_.scene.constants.host.task_s;
    plan_.compute_share = std::clamp(plan_.scene.constants.communication_compute_share, 0.0, kLargestShare);
    plan_.sim_of_rank = classes_.class_of_rank;
    plan_.ranks_on_node.assign(static_cast<std::size_t>(model::node_count(plan_.scene.cluster)), 0);
    for (int r = 0; r < graph_.rank_count(); ++r)
      ++plan_.ranks_on_node[model::node_of(plan_.scene.cluster, graph_.placement().device(RankId(r))).index()];
    compute_class_ = compute_classes(plan_.scene, options_.slowdowns);
    for (std::size_t c = 0; c < classes_.representative.size(); ++c)
      add_rank(classes_.representative[c], classes_.size[c]);
    for (const SimRank& rank : plan_.ranks)
      for (const std::int32_t stage : peer_stages(rank)) {
        const RankId peer = graph_.placement().at_stage(rank.rank, model::StageId(stage));
        match(rank, plan_.ranks[static_cast<std::size_t>(plan_.sim_of_rank[peer.index()])]);
      }
  }

 private:
  void add_rank(RankId rank, int represents) {
    SimRank sim;
    sim.rank = rank;
    sim.represents = represents;
    sim.program = graph_.program_of(rank).value();
    sim.task_seconds = task_seconds(rank);
    add_groups(sim);
    sim.comm_seconds = comm_seconds(rank);
    choose_items(sim);
    plan_.ranks.push_back(std::move(sim));
  }

  const std::vector<double>* task_seconds(RankId rank) {
    const int program = graph_.program_of(rank).value();
    const auto [found, is_new] = seconds_of_.try_emplace({program, compute_class_[rank.index()]}, nullptr);
    if (!is_new)
      return found->second;
    const model::Program& tasks = graph_.program(model::ProgramId(program));
    const model::Accelerator& device = node_group(plan_.scene, rank).accelerator;
    const std::vector<model::Seconds> durations =
        model::compute_durations(tasks.tasks,
                                 model::layer_collective_durations(tasks.tasks, rank, graph_.placement(),
                                                                   plan_.scene.cluster, plan_.scene.constants),
                                 device, graph_.placement().layout().tp, plan_.scene.constants);
    double factor = 1.0;
    for (const RankSlowdown& slowdown : options_.slowdowns)
      if (slowdown.rank == rank)
        factor *= slowdown.factor;
    std::vector<double>& table = plan_.second_tables.emplace_back();
    for (const model::Seconds duration : durations)
      table.push_back(duration.count() * factor + plan_.dispatch);
    found->second = &table;
    return found->second;
  }

  // Times that are known beforehand; equal ones are stored once.
  const std::vector<double>* comm_seconds(RankId rank) {
    std::vector<double> table(plan_.catalog.works.size(), 0.0);
    for (std::size_t w = 0; w < table.size(); ++w) {
      if (!options_.fold && plan_.catalog.works[w].siblings != fusion_.siblings)
        continue;
      const int group = plan_.catalog.siblings_of(static_cast<int>(w)).group_of_rank[rank.index()];
      if (group >= 0)
        table[w] = patterns_.seconds(static_cast<int>(w), group).count();
    }
    const auto [found, is_new] = comm_tables_.try_emplace(table, nullptr);
    if (is_new)
      found->second = &plan_.second_tables.emplace_back(table);
    return found->second;
  }

  void add_groups(SimRank& sim) {
    sim.group_of_siblings.assign(plan_.catalog.siblings.size(), -1);
    for (std::size_t w = 0; w < plan_.catalog.works.size(); ++w) {
      const CommWork& work = plan_.catalog.works[w];
      int& slot = sim.group_of_siblings[static_cast<std::size_t>(work.siblings)];
      if (!work.is_collective || slot >= 0)
        continue;
      const Siblings& siblings = plan_.catalog.siblings[static_cast<std::size_t>(work.siblings)];
      const int group = siblings.group_of_rank[sim.rank.index()];
      std::vector<int> members;
      for (const RankId rank : siblings.groups[static_cast<std::size_t>(group)])
        members.push_back(plan_.sim_of_rank[rank.index()]);
      std::sort(members.begin(), members.end());
      members.erase(std::unique(members.begin(), members.end()), members.end());
      const auto [found, is_new] =
          group_index_.try_emplace({work.siblings, members}, static_cast<int>(plan_.groups.size()));
      if (is_new)
        plan_.groups.push_back({work.siblings, group, std::move(members)});
      slot = found->second;
    }
  }

  // A segment's group: the ranks of the collectives it may hold.
  void choose_items(SimRank& sim) {
    const std::size_t works = plan_.catalog.works.size();
    ItemOptions items;
    items.fuse_compute = options_.fuse;
    items.fusable_works.assign(works, false);
    items.disturbing_works.assign(works, false);
    if (options_.fuse && options_.fold) {
      const std::vector<int>* home = nullptr;
      const std::vector<model::Task>& tasks = graph_.program(model::ProgramId(sim.program)).tasks;
      for (std::size_t t = 0; t < tasks.size(); ++t) {
        if (!is_on_tensor_stream(tasks[t]))
          continue;
        const int work = plan_.catalog.work_of_task[static_cast<std::size_t>(sim.program)][t];
        const int group = sim.group_of_siblings[static_cast<std::size_t>(
            plan_.catalog.works[static_cast<std::size_t>(work)].siblings)];
        const std::vector<int>& members = plan_.groups[static_cast<std::size_t>(group)].members;
        if (home == nullptr) {
          home = &members;
          sim.segment_group = group;
        }
        items.fusable_works[static_cast<std::size_t>(work)] = members == *home;
      }
    } else if (options_.fuse && fusion_.siblings >= 0) {
      const Siblings& siblings = plan_.catalog.siblings[static_cast<std::size_t>(fusion_.siblings)];
      const int group = siblings.group_of_rank[sim.rank.index()];
      if (group >= 0 && fusion_.privacy.group_is_private[static_cast<std::size_t>(group)] &&
          same_program(siblings.groups[static_cast<std::size_t>(group)])) {
        sim.segment_group = sim.group_of_siblings[static_cast<std::size_t>(fusion_.siblings)];
        items.disturbing_works = fusion_.privacy.disturbing_works;
        for (std::size_t w = 0; w < works; ++w)
          items.fusable_works[w] = plan_.catalog.works[w].siblings == fusion_.siblings;
      }
    }
    std::vector<bool> mask = items.fusable_works;
    mask.insert(mask.end(), items.disturbing_works.begin(), items.disturbing_works.end());
    const auto [found, is_new] = items_of_.try_emplace({sim.program, std::move(mask)}, nullptr);
    if (is_new)
      found->second = &plan_.item_programs.emplace_back(
          cut_into_items(graph_.program(model::ProgramId(sim.program)),
                         plan_.catalog.work_of_task[static_cast<std::size_t>(sim.program)], items, problems_));
    sim.items = found->second;
  }

  [[nodiscard]] bool same_program(const std::vector<RankId>& group) const {
    return std::all_of(group.begin(), group.end(),
                       [&](RankId rank) { return graph_.program_of(rank) == graph_.program_of(group.front()); });
  }

  [[nodiscard]] const model::TransferWork* transfer_of(const SimRank& sim, const Item& item) const {
    return std::get_if<model::TransferWork>(
        &graph_.program(model::ProgramId(sim.program)).tasks[static_cast<std::size_t>(item.first_task)].work);
  }

  const std::set<std::int32_t>& peer_stages(const SimRank& sim) {
    const auto [found, is_new] = peers_.try_emplace(sim.program);
    if (is_new)
      for (const model::Task& task : graph_.program(model::ProgramId(sim.program)).tasks)
        if (const auto* transfer = std::get_if<model::TransferWork>(&task.work); transfer && transfer->is_send)
          found->second.insert(transfer->peer.value());
    return found->second;
  }

  // The n-th send with one direction and tag meets the n-th such receive.
  void match(const SimRank& sender, const SimRank& peer) {
    const ItemProgram& from = *sender.items;
    const ItemProgram& to = *peer.items;
    const auto [found, is_new] = plan_.receive_of_send.try_emplace({&from, &to});
    if (!is_new)
      return;
    std::vector<int>& table = found->second;
    using Key = std::pair<model::Stream, std::int32_t>;
    std::map<Key, std::vector<int>> receives;
    std::map<Key, std::size_t> used;
    const model::StageId from_stage = graph_.placement().stage(sender.rank);
    const model::StageId to_stage = graph_.placement().stage(peer.rank);
    for (const model::Stream stream : {model::Stream::receive_forward, model::Stream::receive_backward})
      for (const int i : to.streams[static_cast<std::size_t>(stream)])
        if (const auto* transfer = transfer_of(peer, to.items[static_cast<std::size_t>(i)]);
            transfer && !transfer->is_send && transfer->peer == from_stage)
          receives[{stream, transfer->tag}].push_back(i);
    table.assign(from.items.size(), -1);
    for (const model::Stream stream : {model::Stream::send_forward, model::Stream::send_backward})
      for (const int i : from.streams[static_cast<std::size_t>(stream)]) {
        const auto* transfer = transfer_of(sender, from.items[static_cast<std::size_t>(i)]);
        if (!transfer || !transfer->is_send || transfer->peer != to_stage)
          continue;
        const Key key{
            stream == model::Stream::send_forward ? model::Stream::receive_forward : model::Stream::receive_backward,
            transfer->tag};
        const std::size_t n = used[key]++;
        if (n < receives[key].size())
          table[static_cast<std::size_t>(i)] = receives[key][n];
      }
  }

  RunPlan& plan_;
  const model::ExecutionGraph& graph_;
  const RankClasses& classes_;
  const FlowPatterns& patterns_;
  const FusionChoice& fusion_;
  const RunOptions& options_;
  std::vector<std::string>& problems_;
  std::vector<int> compute_class_;
  std::map<std::pair<int, int>, const std::vector<double>*> seconds_of_;
  std::map<std::vector<double>, const std::vector<double>*> comm_tables_;
  std::map<std::pair<int, std::vector<int>>, int> group_index_;
  std::map<std::pair<int, std::vector<bool>>, const ItemProgram*> items_of_;
  std::map<int, std::set<std::int32_t>> peers_;
};

}  // namespace

Receiver RunPlan::receiver(int sim, int item) const {
  const SimRank& from = ranks[static_cast<std::size_t>(sim)];
  const auto& work = std::get<model::TransferWork>(
      scene.graph.program(model::ProgramId(from.program))
          .tasks[static_cast<std::size_t>(from.items->items[static_cast<std::size_t>(item)].first_task)]
          .work);
  Receiver receiver;
  receiver.sim = sim_of_rank[scene.graph.placement().at_stage(from.rank, work.peer).index()];
  const auto found = receive_of_send.find({from.items, ranks[static_cast<std::size_t>(receiver.sim)].items});
  if (found != receive_of_send.end())
    receiver.item = found->second[static_cast<std::size_t>(item)];
  return receiver;
}

model::DeviceId RunPlan::device_of(int sim) const {
  return scene.graph.placement().device(ranks[static_cast<std::size_t>(sim)].rank);
}

double RunPlan::core_slowdown(int sim) const {
  const model::NodeId node = model::node_of(scene.cluster, device_of(sim));
  const double ranks_per_core =
      static_cast<double>(ranks_on_node[node.index()]) / model::group_of(scene.cluster, node).cores_per_node;
  return 1.0 + scene.constants.core_switch_penalty * std::max(0.0, ranks_per_core - 1.0);
}

double RunPlan::folded_io_seconds(const model::HostIoWork& work) const {
  const model::BytesPerSecond bandwidth =
      work.is_write ? scene.cluster.storage->write_bandwidth : scene.cluster.storage->read_bandwidth;
  const model::Bytes bytes = model::to_bytes(work.bytes) * static_cast<double>(scene.graph.rank_count());
  return (scene.cluster.storage->latency + bytes / bandwidth).count();
}

bool has_oversubscribed_cores(const Scene& scene) {
  std::map<model::NodeId, int> ranks_on_node;
  const model::Placement& placement = scene.graph.placement();
  for (int r = 0; r < placement.world_size(); ++r)
    ++ranks_on_node[model::node_of(scene.cluster, placement.device(RankId(r)))];
  return std::any_of(ranks_on_node.begin(), ranks_on_node.end(), [&](const auto& node) {
    const model::NodeGroup& group = model::group_of(scene.cluster, node.first);
    return group.devices_share_cores && node.second > group.cores_per_node;
  });
}

std::vector<int> compute_classes(const Scene& scene, const std::vector<RankSlowdown>& slowdowns) {
  const auto ranks = static_cast<std::size_t>(scene.graph.rank_count());
  std::vector<double> factor(ranks, 1.0);
  for (const RankSlowdown& slowdown : slowdowns)
    factor[slowdown.rank.index()] *= slowdown.factor;
  std::map<std::pair<const model::NodeGroup*, double>, int> index;
  std::vector<int> classes;
  for (std::size_t r = 0; r < ranks; ++r)
    classes.push_back(
        index.try_emplace({&node_group(scene, RankId(r)), factor[r]}, static_cast<int>(index.size())).first->second);
  return classes;
}

FusionChoice choose_fusion(const Scene& scene, const CommCatalog& catalog, const model::Topology& topology,
                           const RunOptions& options) {
  FusionChoice choice;
  if (options.fold || !options.fuse || has_oversubscribed_cores(scene))
    return choice;
  // The axis with most collectives on the tensor stream whose groups, or some of them, have their links to themselves.
  std::map<int, std::int64_t> uses;
  for (std::size_t p = 0; p < scene.graph.program_count(); ++p) {
    const std::vector<model::Task>& tasks = scene.graph.program(model::ProgramId(p)).tasks;
    for (std::size_t t = 0; t < tasks.size(); ++t)
      if (is_on_tensor_stream(tasks[t]))
        ++uses[catalog.works[static_cast<std::size_t>(catalog.work_of_task[p][t])].siblings];
  }
  std::vector<std::pair<std::int64_t, int>> order;
  for (const auto& [siblings, count] : uses)
    order.emplace_back(-count, siblings);
  std::sort(order.begin(), order.end());
  for (const auto& [count, siblings] : order) {
    LinkPrivacy privacy = prove_privacy(scene, catalog, siblings, topology);
    if (std::find(privacy.group_is_private.begin(), privacy.group_is_private.end(), true) ==
        privacy.group_is_private.end())
      continue;
    choice.siblings = siblings;
    choice.privacy = std::move(privacy);
    return choice;
  }
  return choice;
}

std::vector<bool> works_to_time(const CommCatalog& catalog, const FusionChoice& fusion, const RunOptions& options) {
  std::vector<bool> wanted;
  for (const CommWork& work : catalog.works)
    wanted.push_back(options.fold || (fusion.siblings >= 0 && work.siblings == fusion.siblings));
  return wanted;
}

std::unique_ptr<RunPlan> plan_run(const Scene& scene, CommCatalog catalog, const RankClasses& classes,
                                  const FlowPatterns& patterns, const FusionChoice& fusion, const RunOptions& options,
                                  std::vector<std::string>& problems) {
  auto plan = std::make_unique<RunPlan>(RunPlan{scene, std::move(catalog), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
  Planner(*plan, classes, patterns, fusion, options, problems).run();
  return plan;
}

}  // namespace trainwright::simulator
