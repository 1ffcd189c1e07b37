// SPDX-License-Identifier: Apache-2.0
#include "tests/simulation/small_graphs.hpp"

#include <algorithm>

namespace trainwright::test {

using namespace model;

Cluster plain_cluster(int nodes, int devices, int adapters) {
  Accelerator device;
  device.id = "plain";
  device.name = "Plain device";
  device.family = "test";
  device.memory = ByteCount(1'000'000'000);
  device.memory_bandwidth = BytesPerSecond(1e12);
  device.dense_peak[static_cast<std::size_t>(Precision::bf16)] = FlopsPerSecond(1e14);
  NodeGroup group;
  group.accelerator = device;
  group.nodes = nodes;
  group.devices_per_node = devices;
  group.link = NodeLink{LinkKind::nvlink_switch, BytesPerSecond(kPortRate)};
  group.network = NodeNetwork{LinkKind::infiniband, adapters, BytesPerSecond(kAdapterRate), Seconds(0.0)};
  Cluster cluster;
  cluster.id = "plain";
  cluster.name = "Plain cluster";
  cluster.groups = {group};
  cluster.fabric.kind = FabricKind::full_bisection;
  return cluster;
}

Cluster core_cluster(int cores) {
  Cluster cluster = plain_cluster(1, cores, 1);
  NodeGroup& group = cluster.groups.front();
  group.accelerator.kind = AcceleratorKind::cpu;
  group.devices_share_cores = true;
  group.cores_per_node = cores;
  group.link->kind = LinkKind::shared_memory;
  group.network.reset();
  cluster.fabric.kind = FabricKind::none;
  return cluster;
}

CostConstants bare_constants() {
  CostConstants c;
  c.host = HostConstants{0, 0, 1, 1, 0, 0, 0, 0};
  for (CollectiveConstants* link : {&c.node_link, &c.network}) {
    link->base_s = link->step_s = link->knee_s = link->transfer_latency_s = 0.0;
    link->efficiency = link->transfer_efficiency = 1.0;
    link->copy_ratio = link->all_to_all_copy_ratio = 1e9;
  }
  return c;
}

Layout layout_of(int tp, int dp, int pp) {
  Layout layout;
  layout.tp = tp;
  layout.dp = dp;
  layout.pp = pp;
  return layout;
}

TaskId ProgramBuilder::add(Task task, const std::vector<TaskId>& after) {
  program_.tasks.push_back(std::move(task));
  const TaskId id(program_.tasks.size() - 1);
  for (const TaskId before : after)
    program_.dependencies.push_back({before, id});
  return id;
}

TaskId ProgramBuilder::compute(double seconds, std::vector<TaskId> after, Pass pass) {
  Task task;
  task.work = FixedWork{Seconds(seconds)};
  task.phase.pass = pass;
  return add(task, after);
}

TaskId ProgramBuilder::collective(GroupAxis axis, double bytes, std::vector<TaskId> after, Stream stream,
                                  CollectiveKind kind) {
  Task task;
  task.work = CollectiveWork{kind, axis, ByteCount(static_cast<std::int64_t>(bytes)), Precision::bf16};
  task.stream = stream;
  return add(task, after);
}

TaskId ProgramBuilder::send(int to_stage, double bytes, int tag, std::vector<TaskId> after) {
  Task task;
  task.work = TransferWork{true, StageId(to_stage), ByteCount(static_cast<std::int64_t>(bytes)), tag, Precision::bf16};
  task.stream = to_stage > program_.stage.value() ? Stream::send_forward : Stream::send_backward;
  return add(task, after);
}

TaskId ProgramBuilder::receive(int from_stage, double bytes, int tag, std::vector<TaskId> after) {
  Task task;
  task.work =
      TransferWork{false, StageId(from_stage), ByteCount(static_cast<std::int64_t>(bytes)), tag, Precision::bf16};
  task.stream = from_stage < program_.stage.value() ? Stream::receive_forward : Stream::receive_backward;
  return add(task, after);
}

TaskId ProgramBuilder::host_io(bool is_write, double bytes, std::vector<TaskId> after) {
  Task task;
  task.work = HostIoWork{is_write, ByteCount(static_cast<std::int64_t>(bytes))};
  task.stream = Stream::host_io;
  task.phase.pass = is_write ? Pass::checkpoint : Pass::data_load;
  return add(task, after);
}

Program ProgramBuilder::build() {
  std::stable_sort(program_.dependencies.begin(), program_.dependencies.end(),
                   [](const Dependency& a, const Dependency& b) { return a.after < b.after; });
  return program_;
}

ExecutionGraph graph_of(const Layout& layout, const Cluster& cluster, std::vector<Program> programs) {
  Placement placement(layout, cluster);
  std::vector<ProgramId> program_of_rank;
  for (int r = 0; r < placement.world_size(); ++r)
    program_of_rank.push_back(ProgramId(placement.stage(RankId(r)).value()));
  return {std::move(placement), std::move(programs), std::move(program_of_rank)};
}

simulator::SimulationRequest full_request() {
  simulator::SimulationRequest request;
  request.estimator = EstimatorKind::full;
  request.keep_timeline = true;
  return request;
}

namespace {

const Interval* find(const simulator::SimulationReport& report, int rank, TaskId task) {
  for (const RankTimeline& lane : report.timeline->ranks)
    if (lane.rank == RankId(rank))
      for (const Interval& interval : lane.intervals)
        if (interval.task == task)
          return &interval;
  return nullptr;
}

}  // namespace

double end_of(const simulator::SimulationReport& report, int rank, TaskId task) {
  const Interval* interval = find(report, rank, task);
  return interval == nullptr ? -1.0 : interval->end.count();
}

double start_of(const simulator::SimulationReport& report, int rank, TaskId task) {
  const Interval* interval = find(report, rank, task);
  return interval == nullptr ? -1.0 : interval->start.count();
}

double part(const simulator::SimulationReport& report, StepPart which) {
  return report.breakdown[static_cast<std::size_t>(which)];
}

double sum(const Breakdown& breakdown) {
  double total = 0.0;
  for (const double seconds : breakdown)
    total += seconds;
  return total;
}

}  // namespace trainwright::test
