// SPDX-License-Identifier: Apache-2.0
#include "model/validation/scaling_step.hpp"

#include <algorithm>
#include <cmath>

#include "model/collective/collective_cost.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kForwardShare = 1.0 / 3.0;  // of compute: the backward pass does every product twice
// Ranks of one step wait for the slowest; with independent steps of this relative spread the mean of the slowest of n
// lies about spread x sqrt(2 ln n) above the mean. An estimate.
constexpr double kStepSpread = 0.01;
// Of pinned host memory over PCI Express 3.0 x16, 15.75 GB/s by its data sheet. Fitted: docs/models/validation.md.
constexpr double kHostCopyRate = 10e9;
constexpr double kLeastCompute = 0.1;  // of a step

double slowest_factor(std::int64_t devices) {
  return devices <= 1 ? 1.0 : 1.0 + kStepSpread * std::sqrt(2.0 * std::log(static_cast<double>(devices)));
}

// All variables come to a device at the start of its step, in no order, so nothing can hide them.
double host_exchange_s(double bytes, const ScalingSoftware& software, const ScalingMachine& machine,
                       std::int64_t devices, double compute) {
  double exposed = bytes * static_cast<double>(machine.port_sharers(devices)) / kHostCopyRate;
  const NodeGroup& group = machine.group();
  const std::int64_t per_node = group.devices_per_node;
  const std::int64_t nodes = (devices + per_node - 1) / per_node;
  if (software.crosses_nodes_beside_backward && nodes > 1 && group.network) {
    const double rate =
        effective_adapter_bandwidth(group, machine.constants).count() * static_cast<double>(group.network->adapters);
    const double sent = bytes * static_cast<double>(per_node) * (1.0 - 1.0 / static_cast<double>(nodes));
    exposed += std::max(0.0, sent / rate - (1.0 - kForwardShare) * compute);
  }
  return exposed;
}

double all_reduce_s(const GradientOrder& order, const ScalingSoftware& software, const ScalingMachine& machine,
                    std::int64_t devices, double compute) {
  if (devices <= 1)
    return 0.0;
  const double rounds = software.reduces_each_micro_batch ? software.micro_batches : 1.0;
  const double bytes = order.parameters() * software.gradient_bytes;
  const double exposed =
      exposed_reduction_s(order, software, compute / rounds, machine.constants.communication_compute_share,
                          [&](double bucket) { return machine.all_reduce(bucket, devices).count(); });
  const double memory_rate =
      machine.group().accelerator.memory_bandwidth.count() * machine.constants.memory_bound.bandwidth_fraction;
  const double host = software.host_per_operator_s * static_cast<double>(order.gradients.size());
  return rounds * (exposed + software.copies * bytes / memory_rate + host);
}

}  // namespace

double exposed_reduction_s(const GradientOrder& order, const ScalingSoftware& software, double compute,
                           double compute_share, const BucketSeconds& seconds) {
  double end = 0.0;
  double busy = 0.0;
  double bytes = 0.0;
  const auto send = [&](double ready) {
    const double duration = seconds(bytes);
    end = std::max(end, ready) + duration;
    busy += duration;
    bytes = 0.0;
  };
  for (const OperatorGradient& gradient : order.gradients) {
    bytes += gradient.parameters * software.gradient_bytes;
    if (software.overlaps_backward && bytes >= software.bucket_bytes)
      send(compute * (kForwardShare + (1.0 - kForwardShare) * gradient.ready));
  }
  if (bytes > 0.0)
    send(compute);
  const double exposed = std::max(0.0, end - compute);
  return exposed + compute_share * std::max(0.0, busy - exposed);
}

double scaled_step_s(const GradientOrder& order, const ScalingSoftware& software, const ScalingMachine& machine,
                     std::int64_t devices, double compute) {
  switch (software.exchange) {
    case GradientExchange::none:
      return compute * machine.crowding(devices);
    case GradientExchange::host: {
      const double bytes = order.parameters() * software.gradient_bytes;
      return slowest_factor(devices) *
             (compute * machine.crowding(devices) + host_exchange_s(bytes, software, machine, devices, compute));
    }
    case GradientExchange::all_reduce:
      break;
  }
  return slowest_factor(devices) *
         (compute * machine.crowding(devices) + all_reduce_s(order, software, machine, devices, compute));
}

double compute_of_step_s(const GradientOrder& order, const ScalingSoftware& software, const ScalingMachine& machine,
                         std::int64_t devices, double step) {
  // The step grows with compute and by no less than nothing, so halving the interval finds it.
  double low = kLeastCompute * step;
  double high = step;
  if (scaled_step_s(order, software, machine, devices, low) >= step)
    return low;
  for (int round = 0; round < 50; ++round) {
    const double middle = 0.5 * (low + high);
    (scaled_step_s(order, software, machine, devices, middle) < step ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace trainwright::model::validation
