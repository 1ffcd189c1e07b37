// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/comm_catalog.hpp"

#include <map>
#include <tuple>

namespace trainwright::simulator {
namespace {

using model::RankId;

class Cataloger {
 public:
  explicit Cataloger(const model::ExecutionGraph& graph) : graph_(graph) {}

  CommCatalog run() {
    for (std::size_t p = 0; p < graph_.program_count(); ++p) {
      const model::Program& program = graph_.program(model::ProgramId(p));
      std::vector<int>& works = catalog_.work_of_task.emplace_back();
      works.reserve(program.tasks.size());
      for (const model::Task& task : program.tasks)
        works.push_back(work_of(program, task));
    }
    return std::move(catalog_);
  }

 private:
  int work_of(const model::Program& program, const model::Task& task) {
    CommWork work;
    if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work)) {
      work.collective = *collective;
      work.bytes = collective->bytes;
    } else if (const auto* transfer = std::get_if<model::TransferWork>(&task.work); transfer && transfer->is_send) {
      work.is_collective = false;
      work.from = program.stage;
      work.to = transfer->peer;
      work.bytes = transfer->bytes;
    } else {
      return -1;
    }
    const Key key{work.is_collective, work.collective.kind, work.collective.axis,
                  work.bytes.count(), work.from.value(),    work.to.value()};
    const auto [found, is_new] = index_.try_emplace(key, static_cast<int>(catalog_.works.size()));
    if (is_new) {
      work.siblings = siblings_of(work);
      catalog_.works.push_back(work);
    }
    return found->second;
  }

  int siblings_of(const CommWork& work) {
    const std::tuple<int, int, int> key = work.is_collective
                                              ? std::tuple{static_cast<int>(work.collective.axis), -1, -1}
                                              : std::tuple{-1, work.from.value(), work.to.value()};
    const auto [found, is_new] = siblings_index_.try_emplace(key, static_cast<int>(catalog_.siblings.size()));
    if (!is_new)
      return found->second;
    const model::Placement& placement = graph_.placement();
    Siblings siblings;
    if (work.is_collective) {
      siblings.groups = placement.groups(work.collective.axis);
    } else {
      for (int r = 0; r < placement.world_size(); ++r)
        if (placement.stage(RankId(r)) == work.from)
          siblings.groups.push_back({RankId(r), placement.at_stage(RankId(r), work.to)});
    }
    siblings.group_of_rank.assign(static_cast<std::size_t>(placement.world_size()), -1);
    for (std::size_t g = 0; g < siblings.groups.size(); ++g) {
      const std::size_t members = work.is_collective ? siblings.groups[g].size() : 1;
      for (std::size_t i = 0; i < members; ++i)
        siblings.group_of_rank[siblings.groups[g][i].index()] = static_cast<int>(g);
    }
    catalog_.siblings.push_back(std::move(siblings));
    return found->second;
  }

  using Key = std::tuple<bool, model::CollectiveKind, model::GroupAxis, std::int64_t, int, int>;
  const model::ExecutionGraph& graph_;
  CommCatalog catalog_;
  std::map<Key, int> index_;
  std::map<std::tuple<int, int, int>, int> siblings_index_;
};

}  // namespace

CommCatalog catalog_communication(const model::ExecutionGraph& graph) {
  return Cataloger(graph).run();
}

model::FlowPlan flow_plan(const Scene& scene, const CommWork& work, const std::vector<RankId>& group) {
  const model::Placement& placement = scene.graph.placement();
  if (work.is_collective)
    return model::collective_flows(work.collective, group, placement, scene.cluster, scene.constants);
  return model::transfer_flows(model::to_bytes(work.bytes), group[0], group[1], placement, scene.cluster,
                               scene.constants);
}

}  // namespace trainwright::simulator
