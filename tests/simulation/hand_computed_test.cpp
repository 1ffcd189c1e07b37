// Small steps whose times are worked out by hand in the comments.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/simulation/small_graphs.hpp"

namespace trainwright {
namespace {

using model::GroupAxis;
using model::StepPart;
using model::Stream;
using model::TaskId;
using simulator::SimulationReport;
using test::bare_constants;
using test::end_of;
using test::layout_of;
using test::plain_cluster;
using test::ProgramBuilder;
using test::start_of;

constexpr double kExact = 1e-9;

SimulationReport run(const model::Layout& layout, const model::Cluster& cluster, std::vector<model::Program> programs,
                     const model::CostConstants& constants = bare_constants(),
                     const simulator::SimulationRequest& request = test::full_request()) {
  const model::ExecutionGraph graph = test::graph_of(layout, cluster, std::move(programs));
  SimulationReport report = simulator::simulate_graph(graph, cluster, constants, request);
  EXPECT_NEAR(test::sum(report.breakdown), report.step.count(), 1e-12);
  return report;
}

TEST(Message, TakesLatencyAndBytesOverTheLink) {
  ProgramBuilder first(0);
  ProgramBuilder second(1);
  const TaskId work = first.compute(1.0);
  const TaskId send = first.send(1, 1e9, 0, {work});
  const TaskId receive = second.receive(0, 1e9, 0);
  const TaskId rest = second.compute(2.0, {receive});
  model::CostConstants constants = bare_constants();
  constants.node_link.transfer_latency_s = 1e-5;
  const SimulationReport report =
      run(layout_of(1, 1, 2), plain_cluster(1, 2, 2), {first.build(), second.build()}, constants);
  // 1e9 B over a port of 100e9 B/s: 10 ms.
  EXPECT_NEAR(start_of(report, 0, send), 1.0, kExact);
  EXPECT_NEAR(end_of(report, 0, send), 1.01001, kExact);
  EXPECT_NEAR(end_of(report, 1, receive), 1.01001, kExact);
  EXPECT_NEAR(end_of(report, 1, rest), 3.01001, kExact);
  EXPECT_NEAR(report.step.count(), 3.01001, kExact);
  EXPECT_NEAR(test::part(report, StepPart::exposed_pipeline), 0.01001, kExact);
  EXPECT_NEAR(test::part(report, StepPart::bubble), 1.0, kExact);
  EXPECT_NEAR(test::part(report, StepPart::compute), 2.0, kExact);
}

TEST(Message, BetweenNodesGoesThroughOneAdapter) {
  ProgramBuilder first(0);
  ProgramBuilder second(1);
  first.send(1, 1e9, 0);
  second.receive(0, 1e9, 0);
  const SimulationReport report = run(layout_of(1, 1, 2), plain_cluster(2, 1, 1), {first.build(), second.build()});
  EXPECT_NEAR(report.step.count(), 0.1, kExact);
}

TEST(Ring, OfFourMovesOneAndAHalfTimesTheBuffer) {
  ProgramBuilder program;
  program.collective(GroupAxis::tensor, 8e9, {}, Stream::tensor);
  const SimulationReport report = run(layout_of(4, 1, 1), plain_cluster(1, 4, 4), {program.build()});
  // 2 (n-1)/n S / B = 1.5 x 8e9 / 100e9
  EXPECT_NEAR(report.step.count(), 0.12, kExact);
  EXPECT_NEAR(test::part(report, StepPart::exposed_tensor), 0.12, kExact);
}

// Two replicas on two nodes; each node's two ranks reduce with their partners on the other node.
model::Program one_reduction() {
  ProgramBuilder program;
  program.collective(GroupAxis::data, 1e9);
  return program.build();
}

TEST(Contention, TwoAllReducesWithAnAdapterEachDoNotDisturbEachOther) {
  // n = 2: 2 (n-1)/n S = S each way.
  EXPECT_NEAR(run(layout_of(2, 2, 1), plain_cluster(2, 2, 2), {one_reduction()}).step.count(), 0.1, kExact);
}

TEST(Contention, TwoAllReducesThroughOneAdapterTakeTwiceAsLong) {
  EXPECT_NEAR(run(layout_of(2, 2, 1), plain_cluster(2, 2, 1), {one_reduction()}).step.count(), 0.2, kExact);
}

TEST(Contention, AnOversubscribedLeafIsShared) {
  model::Cluster cluster = plain_cluster(4, 1, 1);
  cluster.fabric.kind = model::FabricKind::leaf_spine;
  cluster.fabric.nodes_per_leaf = 2;
  cluster.fabric.oversubscription = 4.0;
  // Replicas 0 and 1 are tensor-parallel pairs on one leaf each; both reductions cross the spine at once. The uplink
  // carries 2 x 10e9 / 4 = 5e9 B/s for 2e9 B.
  ProgramBuilder program;
  program.collective(GroupAxis::data, 1e9);
  EXPECT_NEAR(run(layout_of(2, 2, 1), cluster, {program.build()}).step.count(), 0.4, kExact);
}

TEST(Collective, WaitsForTheLastMember) {
  ProgramBuilder program;
  const TaskId work = program.compute(1.0);
  const TaskId sync = program.collective(GroupAxis::data, 1e9, {work});
  simulator::SimulationRequest request = test::full_request();
  request.slowdowns = {{model::RankId(1), 1.5}};
  const SimulationReport report =
      run(layout_of(1, 2, 1), plain_cluster(1, 2, 2), {program.build()}, bare_constants(), request);
  EXPECT_NEAR(start_of(report, 0, sync), 1.5, kExact);
  EXPECT_NEAR(end_of(report, 0, sync), 1.51, kExact);
  EXPECT_NEAR(report.step.count(), 1.51, kExact);
}

TEST(Collective, IsHiddenBehindComputeThatDoesNotNeedIt) {
  ProgramBuilder program;
  const TaskId work = program.compute(1.0);
  program.collective(GroupAxis::data, 20e9, {work});
  program.compute(1.0, {work});
  const SimulationReport report = run(layout_of(1, 2, 1), plain_cluster(1, 2, 2), {program.build()});
  EXPECT_NEAR(report.step.count(), 2.0, kExact);
  EXPECT_NEAR(test::part(report, StepPart::compute), 2.0, kExact);
}

// Stage 0: F0 F1 B0 F2 B1 F3 B2 B3; stage 1: F0 B0 F1 B1 F2 B2 F3 B3. Forward 1 s, backward 2 s, a message c = 10 ms.
std::vector<model::Program> one_f_one_b() {
  constexpr double kBytes = 1e9;
  ProgramBuilder first(0);
  for (const int slot : {0, 1, -1, 2, -2, 3, -3, -4}) {
    if (slot >= 0) {
      first.send(1, kBytes, 2 * slot, {first.compute(1.0)});
    } else {
      const TaskId gradient = first.receive(1, kBytes, 2 * (-slot - 1) + 1);
      first.compute(2.0, {gradient}, model::Pass::backward);
    }
  }
  ProgramBuilder second(1);
  for (int m = 0; m < 4; ++m) {
    const TaskId input = second.receive(0, kBytes, 2 * m);
    second.compute(1.0, {input});
    second.send(0, kBytes, 2 * m + 1, {second.compute(2.0, {}, model::Pass::backward)});
  }
  return {first.build(), second.build()};
}

TEST(Pipeline, OfTwoStagesAndFourMicroBatchesTakesWhatThePencilSays) {
  const SimulationReport report = run(layout_of(1, 1, 2), plain_cluster(1, 2, 2), one_f_one_b());
  // Stage 1 begins at 1+c. Its F2 waits for F2 of stage 0, which waits for B0's gradient: the messages of the first
  // three backward passes and of the last one are seen, so the step is (4 + 2 - 1)(1 + 2) + 4 c.
  EXPECT_NEAR(report.step.count(), 15.04, kExact);
  // Stage 0 ends last, computes 12 s and waits for the gradients of B0, B2 and B3, each time for a message at the end;
  // the first message hides behind its own F1.
  EXPECT_NEAR(test::part(report, StepPart::compute), 12.0, kExact);
  EXPECT_NEAR(test::part(report, StepPart::exposed_pipeline), 0.03, kExact);
  EXPECT_NEAR(test::part(report, StepPart::bubble), 3.01, kExact);
  EXPECT_NEAR(report.stage_busy[0].count(), 12.0, kExact);
  EXPECT_NEAR(report.stage_busy[1].count(), 12.0, kExact);
}

TEST(Pipeline, FoldedGivesTheSame) {
  simulator::SimulationRequest request = test::full_request();
  request.estimator = model::EstimatorKind::folded;
  const SimulationReport report =
      run(layout_of(1, 2, 2), plain_cluster(1, 4, 4), one_f_one_b(), bare_constants(), request);
  EXPECT_EQ(report.estimator, model::EstimatorKind::folded);
  EXPECT_EQ(report.counts.simulated_ranks, 2);
  EXPECT_NEAR(report.step.count(), 15.04, kExact);
}

TEST(Receive, OneSlowMessageDoesNotHoldUpOthers) {
  // Stage 0 awaits a gradient from stage 1 that takes 1 s, and goes on sending.
  ProgramBuilder first(0);
  ProgramBuilder second(1);
  first.receive(1, 100e9, 7);
  const TaskId work = first.compute(0.1);
  const TaskId send = first.send(1, 1e9, 0, {work});
  second.send(0, 100e9, 7);
  const TaskId receive = second.receive(0, 1e9, 0);
  const TaskId rest = second.compute(0.2, {receive});
  const SimulationReport report = run(layout_of(1, 1, 2), plain_cluster(1, 2, 2), {first.build(), second.build()});
  EXPECT_NEAR(end_of(report, 0, send), 0.11, kExact);
  EXPECT_NEAR(end_of(report, 1, rest), 0.31, kExact);
  EXPECT_NEAR(report.step.count(), 1.0, kExact);
}

TEST(Interference, RunningCommunicationTakesItsShareOfCompute) {
  model::CostConstants constants = bare_constants();
  constants.communication_compute_share = 0.2;
  ProgramBuilder program;
  const TaskId early = program.collective(GroupAxis::data, 50e9);
  const TaskId work = program.compute(1.0);
  const SimulationReport report = run(layout_of(1, 2, 1), plain_cluster(1, 2, 2), {program.build()}, constants);
  // For 0.5 s at 0.8, which does 0.4; the other 0.6 alone.
  EXPECT_NEAR(end_of(report, 0, early), 0.5, kExact);
  EXPECT_NEAR(end_of(report, 0, work), 1.1, kExact);
}

TEST(Interference, EndsLaterWhenCommunicationBeginsLater) {
  model::CostConstants constants = bare_constants();
  constants.communication_compute_share = 0.5;
  ProgramBuilder program;
  const TaskId first = program.compute(1.0);
  program.collective(GroupAxis::data, 100e9, {first});
  const TaskId second = program.compute(2.0, {first});
  const SimulationReport report = run(layout_of(1, 2, 1), plain_cluster(1, 2, 2), {program.build()}, constants);
  // The collective runs from 1 to 2: half a second of work is done by then, the remaining 1.5 follow alone.
  EXPECT_NEAR(end_of(report, 0, second), 3.5, kExact);
}

TEST(SharedCores, AreDividedAmongTheRanks) {
  ProgramBuilder program;
  program.compute(1.0);
  const SimulationReport report = run(layout_of(1, 4, 1), test::core_cluster(2), {program.build()});
  EXPECT_NEAR(report.step.count(), 2.0, kExact);
}

TEST(SharedCores, TakingTurnsCosts) {
  model::CostConstants constants = bare_constants();
  constants.core_switch_penalty = 0.1;
  ProgramBuilder program;
  program.compute(1.0);
  const SimulationReport report = run(layout_of(1, 4, 1), test::core_cluster(2), {program.build()}, constants);
  EXPECT_NEAR(report.step.count(), 2.2, kExact);
}

TEST(SharedCores, ARankThatWaitsLeavesItsCoreToOthers) {
  // Three ranks on two cores; rank 0 of the pipeline works alone, then the others.
  ProgramBuilder first(0);
  ProgramBuilder second(1);
  ProgramBuilder third(2);
  first.send(1, 100, 0, {first.compute(1.0)});
  second.send(2, 100, 0, {second.compute(1.0, {second.receive(0, 100, 0)})});
  third.compute(1.0, {third.receive(1, 100, 0)});
  const SimulationReport report =
      run(layout_of(1, 1, 3), test::core_cluster(2), {first.build(), second.build(), third.build()});
  EXPECT_NEAR(report.step.count(), 3.0, 1e-6);
}

TEST(SharedCores, FoldedFallsBackToFullAndSaysSo) {
  ProgramBuilder program;
  program.compute(1.0);
  simulator::SimulationRequest request = test::full_request();
  request.estimator = model::EstimatorKind::folded;
  const SimulationReport report =
      run(layout_of(1, 4, 1), test::core_cluster(2), {program.build()}, bare_constants(), request);
  EXPECT_EQ(report.estimator, model::EstimatorKind::full);
  ASSERT_FALSE(report.assumptions.empty());
  EXPECT_EQ(report.assumptions.front(),
            "simulated in full instead of folded: ranks share cores, so that what one does slows others");
}

TEST(Dispatch, EveryTaskPaysOnItsOwnStream) {
  model::CostConstants constants = bare_constants();
  constants.host.task_s = 0.001;
  ProgramBuilder program;
  const TaskId a = program.compute(1.0);
  const TaskId b = program.compute(1.0);
  program.collective(GroupAxis::data, 1e9, {a, b});
  const SimulationReport report = run(layout_of(1, 2, 1), plain_cluster(1, 2, 2), {program.build()}, constants);
  EXPECT_NEAR(report.step.count(), 2.0 + 0.01 + 0.003, kExact);
  EXPECT_NEAR(test::part(report, StepPart::host), 0.002, kExact);
}

TEST(Storage, IsSharedByAllRanks) {
  model::Cluster cluster = plain_cluster(1, 4, 4);
  cluster.storage = model::Storage{model::BytesPerSecond(2e9), model::BytesPerSecond(1e9), model::Seconds(0.001)};
  ProgramBuilder program;
  const TaskId read = program.host_io(false, 1e9);
  program.compute(1.0, {read});
  const SimulationReport report = run(layout_of(1, 4, 1), cluster, {program.build()});
  EXPECT_NEAR(report.step.count(), 3.001, kExact);
  EXPECT_NEAR(test::part(report, StepPart::data_stall), 2.001, kExact);
}

TEST(Storage, FoldedGivesTheSame) {
  model::Cluster cluster = plain_cluster(1, 4, 4);
  cluster.storage = model::Storage{model::BytesPerSecond(2e9), model::BytesPerSecond(1e9), model::Seconds(0.001)};
  ProgramBuilder program;
  program.compute(1.0, {program.host_io(false, 1e9)});
  simulator::SimulationRequest request = test::full_request();
  request.estimator = model::EstimatorKind::folded;
  EXPECT_NEAR(run(layout_of(1, 4, 1), cluster, {program.build()}, bare_constants(), request).step.count(), 3.001,
              kExact);
}

}  // namespace
}  // namespace trainwright
