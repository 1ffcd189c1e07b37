// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/simulate.hpp"

#include <algorithm>
#include <set>

#include "model/base/error.hpp"
#include "model/collective/collective_cost.hpp"
#include "model/units/format.hpp"
#include "simulator/engine/rehearsal.hpp"
#include "simulator/engine/step_breakdown.hpp"
#include "simulator/engine/trace_recorder.hpp"

namespace trainwright::simulator {
namespace {

using model::EstimatorKind;
using model::RankId;

model::TopologyRates effective_rates(const model::Cluster& cluster, const model::CostConstants& constants) {
  model::TopologyRates rates;
  for (const model::NodeGroup& group : cluster.groups) {
    rates.node_link.push_back(group.link ? model::effective_link_bandwidth(group, constants)
                                         : model::BytesPerSecond::zero());
    rates.adapter.push_back(group.network ? model::effective_adapter_bandwidth(group, constants)
                                          : model::BytesPerSecond::zero());
  }
  return rates;
}

void check_slowdowns(const std::vector<RankSlowdown>& slowdowns, int ranks) {
  model::Diagnostics diagnostics;
  for (const RankSlowdown& slowdown : slowdowns) {
    if (slowdown.rank.value() < 0 || slowdown.rank.value() >= ranks)
      diagnostics.add_error("request", "/slowdowns",
                            "rank " + std::to_string(slowdown.rank.value()) +
                                " does not exist; the job has ranks 0 to " + std::to_string(ranks - 1));
    if (!(slowdown.factor > 0.0))
      diagnostics.add_error("request", "/slowdowns",
                            "factor " + model::format_number(slowdown.factor) + " must be above 0");
  }
  model::throw_if_errors(diagnostics);
}

// Ranks of one program that do not take equally long.
bool has_unequal_ranks(const model::ExecutionGraph& graph, const std::vector<int>& compute_class) {
  std::vector<int> first(graph.program_count(), -1);
  for (std::size_t r = 0; r < compute_class.size(); ++r) {
    int& expected = first[graph.program_of(RankId(r)).index()];
    if (expected < 0)
      expected = compute_class[r];
    if (expected != compute_class[r])
      return true;
  }
  return false;
}

std::vector<model::DeviceId> devices_of_scenes(const std::vector<FlowScene>& scenes) {
  std::set<model::DeviceId> devices;
  for (const FlowScene& scene : scenes)
    for (const FlowScene::Flow& flow : scene.flows) {
      devices.insert(flow.from);
      devices.insert(flow.to);
    }
  return {devices.begin(), devices.end()};
}

// Lanes to keep: all, or evenly spread over the ranks.
std::vector<int> lanes(std::size_t ranks, std::size_t limit) {
  std::vector<int> sims;
  const std::size_t count = std::min(ranks, std::max<std::size_t>(1, limit));
  for (std::size_t i = 0; i < count; ++i)
    sims.push_back(static_cast<int>(i * ranks / count));
  return sims;
}

class Simulation {
 public:
  Simulation(const Scene& scene, const SimulationRequest& request, const RunProgress& progress)
      : scene_(scene),
        request_(request),
        progress_(progress),
        topology_(scene.cluster, effective_rates(scene.cluster, scene.constants)) {
    options_.fuse = request.engine.fuse;
    options_.slowdowns = request.slowdowns;
  }

  SimulationReport run() {
    check_slowdowns(request_.slowdowns, scene_.graph.rank_count());
    decide_folding();
    const CommCatalog catalog = catalog_communication(scene_.graph);
    const FusionChoice fusion = choose_fusion(scene_, catalog, topology_, options_);
    FlowPatterns patterns(scene_, catalog, topology_, works_to_time(catalog, fusion, options_));

    EngineSession session(request_.engine);
    report_.engine = EngineSession::engine_version();
    report_.settings = session.settings();
    const Platform platform(topology_, scene_.cluster, needed_devices(patterns));
    report_.counts.flows = rehearse(session, platform, patterns.scenes());

    const RankClasses classes =
        options_.fold ? find_rank_classes(scene_.graph, catalog, compute_class_,
                                          [&](int work, int group) { return patterns.seconds(work, group).count(); })
                      : all_ranks_apart(scene_.graph.rank_count());
    std::vector<std::string> problems;
    const std::unique_ptr<RunPlan> plan = plan_run(scene_, catalog, classes, patterns, fusion, options_, problems);
    if (!problems.empty())
      throw EngineRefusal("the execution graph cannot run: " + problems.front());
    const RunRecord record = run_step(session, platform, *plan, progress_);
    check_completion(*plan, record);
    fill_report(*plan, record);
    return std::move(report_);
  }

 private:
  void decide_folding() {
    compute_class_ = compute_classes(scene_, options_.slowdowns);
    options_.fold = request_.estimator == EstimatorKind::folded;
    if (!options_.fold)
      return;
    std::string reason;
    if (has_oversubscribed_cores(scene_))
      reason = "ranks share cores, so that what one does slows others";
    else if (has_unequal_ranks(scene_.graph, compute_class_))
      reason = "ranks of one stage do not compute equally fast";
    if (reason.empty())
      return;
    options_.fold = false;
    report_.assumptions.push_back("simulated in full instead of folded: " + reason);
  }

  [[nodiscard]] std::vector<model::DeviceId> needed_devices(FlowPatterns& patterns) const {
    if (options_.fold)
      return devices_of_scenes(patterns.scenes());
    std::set<model::DeviceId> devices;
    for (int r = 0; r < scene_.graph.rank_count(); ++r)
      devices.insert(scene_.graph.placement().device(RankId(r)));
    return {devices.begin(), devices.end()};
  }

  void fill_report(const RunPlan& plan, const RunRecord& record) {
    report_.estimator = options_.fold ? EstimatorKind::folded : EstimatorKind::full;
    const double step = step_seconds(record);
    report_.step = model::Seconds(step);
    report_.breakdown = break_down_step(plan, record, step);
    report_.stage_busy = stage_busy(plan, record);
    report_.counts.ranks = scene_.graph.rank_count();
    report_.counts.simulated_ranks = static_cast<std::int64_t>(plan.ranks.size());
    report_.counts.tasks = scene_.graph.task_count();
    for (const SimRank& rank : plan.ranks)
      report_.counts.items += static_cast<std::int64_t>(rank.items->items.size());
    report_.counts.actors = record.actors;
    report_.counts.flows += record.flows;
    if (options_.fold)
      report_.assumptions.push_back("folded: " + std::to_string(plan.ranks.size()) + " classes stand for " +
                                    std::to_string(scene_.graph.rank_count()) +
                                    " ranks; groups of one axis communicate at the same time, different kinds of "
                                    "communication do not slow each other");
    if (!scene_.cluster.storage && reads_or_writes())
      report_.assumptions.push_back("the cluster has no storage: reading and writing takes no time");
    if (request_.keep_timeline) {
      const std::vector<int> kept =
          lanes(plan.ranks.size(), static_cast<std::size_t>(std::max(1, request_.timeline_ranks)));
      report_.timeline = record_timeline(plan, record, kept);
      if (kept.size() < plan.ranks.size())
        report_.assumptions.push_back("timeline: " + std::to_string(kept.size()) + " of " +
                                      std::to_string(plan.ranks.size()) + " simulated ranks are shown");
    }
  }

  [[nodiscard]] bool reads_or_writes() const {
    for (std::size_t p = 0; p < scene_.graph.program_count(); ++p)
      for (const model::Task& task : scene_.graph.program(model::ProgramId(p)).tasks)
        if (std::holds_alternative<model::HostIoWork>(task.work))
          return true;
    return false;
  }

  const Scene& scene_;
  const SimulationRequest& request_;
  const RunProgress& progress_;
  model::Topology topology_;
  RunOptions options_;
  std::vector<int> compute_class_;
  SimulationReport report_;
};

}  // namespace

SimulationReport simulate_graph(const model::ExecutionGraph& graph, const model::Cluster& cluster,
                                const model::CostConstants& constants, const SimulationRequest& request,
                                const RunProgress& progress) {
  const Scene scene{graph, cluster, constants};
  return Simulation(scene, request, progress).run();
}

SimulationReport simulate(const SimulationRequest& request, const RunProgress& progress) {
  const model::Plan& plan = request.plan;
  const model::ExecutionGraph graph = model::build_execution_graph(plan);
  SimulationReport report = simulate_graph(graph, plan.cluster, plan.constants, request, progress);
  // Work of the host that no task holds: it comes on top, as in the closed form (docs/models/host.md).
  const auto count = static_cast<double>(model::micro_batches(plan.layout, plan.job.global_batch));
  const double host = plan.constants.host.step_s + count * plan.constants.host.micro_batch_s;
  report.step += model::Seconds(host);
  report.breakdown[static_cast<std::size_t>(model::StepPart::host)] += host;
  return report;
}

}  // namespace trainwright::simulator
