// SPDX-License-Identifier: Apache-2.0
#include "model/validation/scaling_validation.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "model/collective/collective_cost.hpp"
#include "model/hardware/precision.hpp"
#include "model/io/load.hpp"
#include "model/validation/names.hpp"
#include "model/validation/row_plan.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kBillion = 1e9;
constexpr double kPercent = 100.0;
constexpr double kBackwardShare = 2.0 / 3.0;  // of a step: gradients are reduced beside it
constexpr double kBucketBytes = 25.0 * 1024.0 * 1024.0;
// Ranks of one step wait for the slowest; with independent steps of this relative spread the mean of the slowest of n
// lies about spread x sqrt(2 ln n) above the mean.
constexpr double kStepSpread = 0.01;

// Machines that the words for the interconnect name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMachines{
    {{"DGX A100", "dgx-a100"}, {"DGX-1", "dgx-1"}, {"DGX-2", "dgx-2"}, {"GB200", "gb200-nvl72"}}};

struct Machine {
  Cluster cluster;
  CostConstants constants;
};

std::optional<Machine> machine_of(const ScalingRow& row, const std::optional<Calibration>& calibration,
                                  std::string& problem) {
  StepRow as_step;
  as_step.accelerator = row.accelerator;
  as_step.gpus = std::max(row.gpus, row.base_gpus);
  as_step.gpus_per_node = row.gpus_per_node;
  as_step.inter_node_gbps = row.inter_node_gbps;
  for (const auto& [words, id] : kMachines)
    if (as_step.cluster.empty() && row.interconnect.find(words) != std::string::npos)
      as_step.cluster = id;
  RowCluster found = cluster_of(as_step);
  if (!found.cluster) {
    problem = found.problem;
    return std::nullopt;
  }
  Machine machine{std::move(*found.cluster), {}};
  NodeGroup& group = machine.cluster.groups.front();
  if (group.network && row.inter_node_gbps && *row.inter_node_gbps <= 25.0)
    group.network->kind = LinkKind::ethernet_tcp;
  machine.constants = shipped_constants(machine.cluster);
  if (calibration)
    machine.constants = apply(*calibration, machine.constants);
  return machine;
}

double gradient_bytes(const ScalingRow& row) {
  // Mixed precision reduces gradients in 16 bits; full precision in 32.
  const std::optional<Precision> precision = precision_of(row.precision);
  const bool full = precision == Precision::fp32 || precision == Precision::tf32;
  return *row.params_b * kBillion * (full ? 4.0 : 2.0);
}

// Exposed part of reducing all gradients once a step whose compute takes `compute` seconds.
double exposed_s(const ScalingRow& row, const Machine& machine, std::int64_t devices, double compute) {
  if (devices <= 1)
    return 0.0;
  const NodeGroup& group = machine.cluster.groups.front();
  GroupShape shape;
  shape.ranks = static_cast<int>(devices);
  shape.ranks_per_node = static_cast<int>(std::min<std::int64_t>(devices, group.devices_per_node));
  shape.nodes = (shape.ranks + shape.ranks_per_node - 1) / shape.ranks_per_node;
  const double bytes = gradient_bytes(row);
  const double buckets = std::max(1.0, std::ceil(bytes / kBucketBytes));
  const CollectiveWork work{CollectiveKind::all_reduce, GroupAxis::data,
                            ByteCount(static_cast<std::int64_t>(bytes / buckets)), Precision::fp16};
  const double bucket = collective_duration(work, shape, machine.cluster, machine.constants).count();
  const double all = bucket * buckets;
  const double beside = std::max(0.0, all - bucket);  // the last bucket is ready when the backward pass ends
  const double hidden = std::min(beside, kBackwardShare * compute);
  const double slowed = hidden * machine.constants.communication_compute_share;
  return all - hidden + slowed;
}

// Micro-batches between two reductions, where the notes say so.
double accumulation(const ScalingRow& row) {
  constexpr std::string_view kWord = "accumulation";
  const std::string& notes = row.id.notes;
  std::size_t at = notes.find(kWord);
  if (at == std::string::npos)
    return 1.0;
  at = notes.find_first_of("0123456789", at);
  if (at == std::string::npos)
    return 1.0;
  int steps = 1;
  std::from_chars(notes.data() + at, notes.data() + notes.size(), steps);
  return std::max(1, steps);
}

double slowest_factor(std::int64_t devices) {
  return devices <= 1 ? 1.0 : 1.0 + kStepSpread * std::sqrt(2.0 * std::log(static_cast<double>(devices)));
}

}  // namespace

std::vector<RowResult> validate_scaling(const std::vector<ScalingRow>& rows,
                                        const std::optional<Calibration>& calibration) {
  std::vector<RowResult> results;
  for (const ScalingRow& row : rows) {
    RowResult result;
    result.row_id = row.id.row_id;
    result.source = row.id.source;
    result.group = row.accelerator;
    result.efficiency_measured_pct = row.efficiency_pct;
    std::string problem;
    const std::optional<Machine> machine = machine_of(row, calibration, problem);
    if (!row.params_b)
      problem = "the size of the network is not stated";
    else if (row.model.find("LoRA") != std::string::npos)
      problem = "adapters are trained, and their size is not stated";
    else if (!row.micro_batch)
      problem = "the batch of a device is not stated";
    if (!problem.empty()) {
      result.skipped = problem;
      results.push_back(result);
      continue;
    }
    const double base_step =
        *row.micro_batch * accumulation(row) * static_cast<double>(row.base_gpus) / row.base_throughput;
    // What the base run spent on compute follows from its own exposed communication; a few rounds settle it.
    double compute = base_step;
    for (int round = 0; round < 20; ++round)
      compute = std::max(0.1 * base_step,
                         base_step / slowest_factor(row.base_gpus) - exposed_s(row, *machine, row.base_gpus, compute));
    const double step = (compute + exposed_s(row, *machine, row.gpus, compute)) * slowest_factor(row.gpus);
    result.efficiency_predicted_pct = kPercent * std::min(1.0, base_step / step);
    results.push_back(result);
  }
  return results;
}

}  // namespace trainwright::model::validation
