// Steps that cannot be simulated are refused or reported, never hung or taken for done.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "model/base/error.hpp"
#include "tests/simulation/small_graphs.hpp"

namespace trainwright {
namespace {

using model::TaskId;
using test::bare_constants;
using test::full_request;
using test::layout_of;
using test::plain_cluster;
using test::ProgramBuilder;
using testing::HasSubstr;

template <class Error>
std::string message_of(const model::Layout& layout, const model::Cluster& cluster, std::vector<model::Program> programs,
                       const simulator::SimulationRequest& request = full_request()) {
  const model::ExecutionGraph graph = test::graph_of(layout, cluster, std::move(programs));
  try {
    (void)simulator::simulate_graph(graph, cluster, bare_constants(), request);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Deadlock, IsReportedWithTheStuckTasks) {
  ProgramBuilder first(0);
  ProgramBuilder second(1);
  first.compute(1.0);
  const TaskId receive = second.receive(0, 100, 5);
  second.compute(1.0, {receive});
  const std::string message = message_of<simulator::SimulationIncomplete>(layout_of(1, 1, 2), plain_cluster(1, 2, 2),
                                                                          {first.build(), second.build()});
  EXPECT_EQ(message, "2 of 3 steps of work never ended; stuck: rank 1: receive from stage 0 100 B, forward");
}

TEST(Deadlock, OfTwoRanksThatWaitForEachOther) {
  ProgramBuilder first(0);
  ProgramBuilder second(1);
  first.send(1, 100, 0, {first.receive(1, 100, 1)});
  second.send(0, 100, 1, {second.receive(0, 100, 0)});
  EXPECT_THAT(message_of<simulator::SimulationIncomplete>(layout_of(1, 1, 2), plain_cluster(1, 2, 2),
                                                          {first.build(), second.build()}),
              HasSubstr("4 of 4 steps of work never ended; stuck: rank 0: receive from stage 1"));
}

TEST(Deadlock, OfACollectiveThatOneMemberNeverReaches) {
  ProgramBuilder first(0);
  ProgramBuilder second(1);
  first.collective(model::GroupAxis::embedding, 100);
  second.compute(1.0);
  EXPECT_THAT(message_of<simulator::SimulationIncomplete>(layout_of(1, 1, 2), plain_cluster(1, 2, 2),
                                                          {first.build(), second.build()}),
              HasSubstr("stuck: rank 0: all_reduce embedding 100 B"));
}

TEST(Cycle, InsideAProgramIsRefused) {
  ProgramBuilder builder;
  const TaskId a = builder.compute(1.0);
  const TaskId b = builder.collective(model::GroupAxis::data, 100, {a});
  model::Program program = builder.build();
  program.dependencies = {{b, a}, {a, b}};
  EXPECT_THAT(message_of<simulator::EngineRefusal>(layout_of(1, 2, 1), plain_cluster(1, 2, 2), {program}),
              HasSubstr("waits for itself in a cycle of dependencies"));
}

TEST(Session, RefusesASecondSimulationInOneProcess) {
  ProgramBuilder program;
  program.compute(1.0);
  const model::Cluster cluster = plain_cluster(1, 1, 1);
  const model::ExecutionGraph graph = test::graph_of(layout_of(1, 1, 1), cluster, {program.build()});
  (void)simulator::simulate_graph(graph, cluster, bare_constants(), full_request());
  EXPECT_THROW((void)simulator::simulate_graph(graph, cluster, bare_constants(), full_request()),
               simulator::EngineRefusal);
}

TEST(Session, LeavesTheInterruptToTheProgram) {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGINT, nullptr, &before);
  const simulator::EngineSession session{simulator::EngineSettings{}};
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST(Session, RefusesASettingOutOfRange) {
  simulator::EngineSettings settings;
  settings.stack_kib = 1;
  EXPECT_THROW(const simulator::EngineSession session(settings), simulator::EngineRefusal);
}

TEST(Request, SlowingARankThatDoesNotExistIsBadInput) {
  ProgramBuilder program;
  program.compute(1.0);
  simulator::SimulationRequest request = full_request();
  request.slowdowns = {{model::RankId(7), 2.0}};
  EXPECT_EQ(message_of<model::InputError>(layout_of(1, 1, 1), plain_cluster(1, 1, 1), {program.build()}, request),
            "request: /slowdowns: rank 7 does not exist; the job has ranks 0 to 0\n");
}

TEST(Settings, AreAllReported) {
  ProgramBuilder program;
  program.compute(1.0);
  const model::Cluster cluster = plain_cluster(1, 1, 1);
  const model::ExecutionGraph graph = test::graph_of(layout_of(1, 1, 1), cluster, {program.build()});
  const simulator::SimulationReport report =
      simulator::simulate_graph(graph, cluster, bare_constants(), full_request());
  EXPECT_THAT(report.engine, HasSubstr("SimGrid 3."));
  for (const char* key :
       {"network/model", "network/latency-factor", "network/bandwidth-factor", "network/weight-S", "network/TCP-gamma",
        "network/crosstraffic", "network/loopback-bw", "network/loopback-lat", "surf/precision", "maxmin/precision"})
    EXPECT_THAT(report.settings, testing::Contains(testing::Pair(key, testing::_))) << key;
}

}  // namespace
}  // namespace trainwright
