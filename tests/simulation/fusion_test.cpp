// Segments must not change anything: fused and unfused runs of the same step agree task by task. And folding must find
// the same step as the full simulation where ranks of a stage are alike.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulator/engine/simulate.hpp"
#include "tests/simulation/isolated.hpp"
#include "tests/simulation/small_graphs.hpp"
#include "tests/support/builders.hpp"

namespace trainwright {
namespace {

using simulator::SimulationReport;
using simulator::SimulationRequest;

struct Case {
  model::Plan plan;
  std::vector<simulator::RankSlowdown> slowdowns;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  const model::Layout& l = c.plan.layout;
  out << "tp " << l.tp << " dp " << l.dp << " pp " << l.pp << " cp " << l.cp
      << (l.cp_kind == model::ContextKind::ring ? " ring" : " ulysses") << " ep " << l.ep
      << (l.sequence_parallel ? " sequence" : "") << (l.recompute == model::Recompute::full ? " recompute" : "")
      << " batch " << c.plan.job.global_batch << " nodes " << c.plan.cluster.groups.front().nodes << " of "
      << c.plan.cluster.groups.front().devices_per_node << " adapters "
      << c.plan.cluster.groups.front().network->adapters << " share " << c.plan.constants.communication_compute_share
      << " dispatch " << c.plan.constants.host.task_s << (l.overlap_gradients ? " overlapping" : "") << " bucket "
      << l.bucket.count() << (l.schedule == model::PipelineSchedule::gpipe ? " gpipe" : " 1f1b");
  for (const simulator::RankSlowdown& s : c.slowdowns)
    out << " slow " << s.rank.value() << " x" << s.factor;
  return out;
}

int power_of_two(int most) {
  return 1 << *rc::gen::inRange(0, most + 1);
}

Case any_case(bool with_slowdowns) {
  Case c;
  model::Layout layout;
  layout.tp = power_of_two(2);
  layout.dp = power_of_two(2);
  layout.pp = power_of_two(2);
  layout.cp = *rc::gen::element(1, 1, 2);
  layout.cp_kind = *rc::gen::element(model::ContextKind::ring, model::ContextKind::ulysses);
  if (layout.tp == 4)  // one head each: nothing to exchange
    layout.cp_kind = model::ContextKind::ring;
  layout.sequence_parallel = layout.tp > 1 && *rc::gen::arbitrary<bool>();
  layout.recompute = *rc::gen::element(model::Recompute::none, model::Recompute::full);
  const bool has_experts = *rc::gen::element(false, false, true);
  if (has_experts)
    layout.ep = std::min(layout.tp * layout.dp, *rc::gen::element(1, 2, 4));
  layout.overlap_gradients = *rc::gen::arbitrary<bool>();
  layout.bucket = model::ByteCount(*rc::gen::element(20'000, 100'000, 10'000'000));
  layout.schedule = *rc::gen::element(model::PipelineSchedule::one_f_one_b, model::PipelineSchedule::gpipe);
  c.plan = test::small_plan(layout, *rc::gen::inRange(1, 7));
  if (has_experts)
    c.plan.model = test::small_moe();
  const int ranks = model::world_size(layout);
  const int devices = *rc::gen::element(2, 4, 8);
  c.plan.cluster = test::switched_cluster((ranks + devices - 1) / devices, devices);
  c.plan.cluster.groups.front().network->adapters = *rc::gen::element(1, devices);
  // Slow links, so that communication matters beside the small model's compute.
  c.plan.cluster.groups.front().network->rate = model::BytesPerSecond(1e9);
  c.plan.constants.communication_compute_share = *rc::gen::element(0.0, 0.15, 0.5);
  c.plan.constants.host.task_s = *rc::gen::element(0.0, 2e-6);
  if (with_slowdowns)
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
      c.slowdowns.push_back({model::RankId(*rc::gen::inRange(0, ranks)), *rc::gen::element(1.1, 1.7, 0.6)});
  return c;
}

test::Isolated simulate(const Case& c, model::EstimatorKind estimator, bool fuse) {
  SimulationRequest request;
  request.plan = c.plan;
  request.slowdowns = c.slowdowns;
  request.estimator = estimator;
  request.engine.fuse = fuse;
  request.keep_timeline = true;
  request.timeline_ranks = 1000;
  return test::isolated([&] { return simulator::simulate(request); });
}

void same_times(const SimulationReport& a, const SimulationReport& b) {
  // Relative, and above it what the engine's clock (1e-12 s) leaves in steps of a fraction of a millisecond.
  const double same = 1e-9 * a.step.count() + 1e-11;
  RC_ASSERT(std::fabs(a.step.count() - b.step.count()) <= same);
  RC_ASSERT(a.timeline->ranks.size() == b.timeline->ranks.size());
  for (std::size_t r = 0; r < a.timeline->ranks.size(); ++r) {
    const auto by_task = [](std::vector<model::Interval> intervals) {
      std::sort(intervals.begin(), intervals.end(), [](const auto& x, const auto& y) { return x.task < y.task; });
      return intervals;
    };
    const std::vector<model::Interval> x = by_task(a.timeline->ranks[r].intervals);
    const std::vector<model::Interval> y = by_task(b.timeline->ranks[r].intervals);
    RC_ASSERT(x.size() == y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      RC_ASSERT(x[i].task == y[i].task);
      RC_ASSERT(std::fabs((x[i].end - y[i].end).count()) <= same);
      RC_ASSERT(std::fabs((x[i].start - y[i].start).count()) <= same);
    }
  }
}

RC_GTEST_PROP(Fusion, ChangesNoTaskOfAFullSimulation, ()) {
  const Case c = any_case(true);
  RC_LOG() << c << "\n";
  const test::Isolated fused = simulate(c, model::EstimatorKind::full, true);
  const test::Isolated unfused = simulate(c, model::EstimatorKind::full, false);
  RC_ASSERT(fused.error == "");
  RC_ASSERT(unfused.error == "");
  RC_ASSERT(fused.report.counts.items <= unfused.report.counts.items);
  RC_ASSERT(std::fabs(test::sum(fused.report.breakdown) - fused.report.step.count()) < 1e-12);
  same_times(fused.report, unfused.report);
}

RC_GTEST_PROP(Fusion, ChangesNoTaskOfAFoldedSimulation, ()) {
  const Case c = any_case(false);
  RC_LOG() << c << "\n";
  const test::Isolated fused = simulate(c, model::EstimatorKind::folded, true);
  const test::Isolated unfused = simulate(c, model::EstimatorKind::folded, false);
  RC_ASSERT(fused.error == "");
  RC_ASSERT(unfused.error == "");
  same_times(fused.report, unfused.report);
}

// Any mixture of compute and collectives of two axes, in any dependence that goes forward, in one node whose ports both
// axes use: forced and unclean cuts, disturbed segments, communication beside compute.
model::Program any_program() {
  test::ProgramBuilder builder;
  const int count = *rc::gen::inRange(1, 25);
  for (int i = 0; i < count; ++i) {
    std::vector<model::TaskId> after;
    for (int d = *rc::gen::inRange(0, 3); d > 0 && i > 0; --d)
      after.push_back(model::TaskId(*rc::gen::inRange(std::max(0, i - 5), i)));
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        builder.collective(model::GroupAxis::data, *rc::gen::element(1e9, 2e10, 1e11), after);
        break;
      case 1:
      case 2:
        builder.collective(model::GroupAxis::tensor, *rc::gen::element(1e9, 2e10, 1e11), after, model::Stream::tensor);
        break;
      default:
        builder.compute(*rc::gen::element(0.0, 0.1, 0.7, 1.3), after);
    }
  }
  return builder.build();
}

RC_GTEST_PROP(Fusion, ChangesNoTaskOfAnyProgram, ()) {
  const model::Program program = any_program();
  const model::Layout layout = test::layout_of(*rc::gen::element(1, 2, 4), *rc::gen::element(1, 2), 1);
  const model::Cluster cluster = test::plain_cluster(1, model::world_size(layout), 1);
  const model::ExecutionGraph graph = test::graph_of(layout, cluster, {program});
  model::CostConstants constants = test::bare_constants();
  constants.node_link.base_s = *rc::gen::element(0.0, 0.01);
  constants.host.task_s = *rc::gen::element(0.0, 0.003);
  constants.communication_compute_share = *rc::gen::element(0.0, 0.3);
  SimulationRequest request = test::full_request();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    request.slowdowns.push_back(
        {model::RankId(*rc::gen::inRange(0, model::world_size(layout))), *rc::gen::element(1.1, 1.7, 0.6)});
  for (std::size_t i = 0; i < program.tasks.size(); ++i) {
    RC_LOG() << i << " " << model::to_text(program.tasks[i]);
    for (const model::Dependency& d : program.dependencies)
      if (d.after.index() == i)
        RC_LOG() << " <- " << d.before.value();
    RC_LOG() << "\n";
  }
  RC_LOG() << "tp " << layout.tp << " dp " << layout.dp << " share " << constants.communication_compute_share << "\n";
  const auto run = [&](bool fuse) {
    request.engine.fuse = fuse;
    return test::isolated([&] { return simulator::simulate_graph(graph, cluster, constants, request); });
  };
  const test::Isolated fused = run(true);
  const test::Isolated unfused = run(false);
  RC_ASSERT(fused.error == "");
  RC_ASSERT(unfused.error == "");
  same_times(fused.report, unfused.report);
  RC_ASSERT(std::fabs(test::sum(fused.report.breakdown) - fused.report.step.count()) < 1e-9);
}

TEST(Fusion, IsNotForNothing) {
  model::Layout layout;
  layout.tp = 4;
  layout.pp = 2;
  Case c;
  c.plan = test::small_plan(layout, 4);
  c.plan.cluster = test::switched_cluster(2, 4);
  const test::Isolated fused = simulate(c, model::EstimatorKind::full, true);
  const test::Isolated unfused = simulate(c, model::EstimatorKind::full, false);
  ASSERT_EQ(fused.error + unfused.error, "");
  EXPECT_LT(10 * fused.report.counts.items, unfused.report.counts.items);
}

// Whole stages on whole nodes, no tied embedding, and no stage in the middle that sends both ways through one adapter:
// no two kinds of communication meet on a link.
RC_GTEST_PROP(Folding, AgreesWithTheFullSimulationWithinAPercent, ()) {
  Case c = any_case(false);
  if (c.plan.layout.ep == 1)
    c.plan.model = test::small_llama();
  c.plan.layout.pp = std::min(c.plan.layout.pp, 2);
  const int stage = c.plan.layout.tp * c.plan.layout.dp * c.plan.layout.cp;
  c.plan.cluster = test::switched_cluster(c.plan.layout.pp, stage);
  // The network stays quick: where messages of both directions crowd one adapter, a class's fixed message time is too
  // coarse, and only the full simulation counts (docs/models/simulation.md, limits).
  RC_LOG() << c << "\n";
  const test::Isolated folded = simulate(c, model::EstimatorKind::folded, true);
  const test::Isolated full = simulate(c, model::EstimatorKind::full, true);
  RC_ASSERT(folded.error == "");
  RC_ASSERT(full.error == "");
  RC_ASSERT(folded.report.counts.simulated_ranks == c.plan.layout.pp);
  RC_ASSERT(std::fabs(folded.report.step / full.report.step - 1.0) < 0.01);
}

}  // namespace
}  // namespace trainwright
