// SPDX-License-Identifier: Apache-2.0
#include "model/cost/program_durations.hpp"

#include <array>
#include <cmath>

namespace trainwright::model {

double launch_share(std::span<const Task> tasks) {
  // Of some fourteen launches of a backward layer four are products with weight gradients (docs/models/host.md).
  constexpr double kWeightGradients = 4.0 / 14.0;
  bool has_weight = false;
  bool has_other = false;
  for (const Task& task : tasks)
    if (task.stream == Stream::compute && task.phase.pass != Pass::recompute) {
      if (task.phase.pass != Pass::backward)
        return 1.0;
      (task.phase.part == BackwardPart::weight ? has_weight : has_other) = true;
    }
  if (has_weight == has_other)
    return 1.0;
  return has_weight ? kWeightGradients : 1.0 - kWeightGradients;
}

namespace {

// Launches run ahead of the device in a queue: nearly the longer of both (docs/models/host.md).
constexpr double kMeeting = 4.0;

}  // namespace

double host_stretch(Seconds device, Pass pass, const Launches& launches, int tp, const CostConstants& constants) {
  const HostConstants& h = constants.host;
  double host = launches.share * h.layer_forward_s * (1.0 + h.tensor_log2_growth * std::log2(tp));
  if (pass == Pass::backward)
    host *= h.backward_ratio;
  else if (pass == Pass::recompute)
    host *= h.recompute_ratio;
  else if (pass != Pass::forward)
    return 1.0;
  host += launches.expert_products * h.expert_product_s;
  const double ratio = host / device.count();
  return device.count() > 0.0 ? std::pow(1.0 + std::pow(ratio, kMeeting), 1.0 / kMeeting) : 1.0;
}

namespace {

bool same_layer(const Task& a, const Task& b) {
  return a.phase.micro_batch == b.phase.micro_batch && a.phase.layer_begin == b.phase.layer_begin;
}

double expert_products(const Task& task) {
  const auto* product = std::get_if<GemmWork>(&task.work);
  return product != nullptr && product->batch > 1 ? static_cast<double>(product->batch) : 0.0;
}

// A few kernels recomputed inside a backward pass are launched with it; a whole layer forward again is a pass of its
// own.
Pass launched_with(const Task& task, bool recomputes_products) {
  return task.phase.pass == Pass::recompute && !recomputes_products ? Pass::backward : task.phase.pass;
}

}  // namespace

std::vector<Seconds> compute_durations(std::span<const Task> tasks, std::span<const Seconds> collectives,
                                       const Accelerator& device, int tp, const CostConstants& constants) {
  std::vector<Seconds> durations;
  durations.reserve(tasks.size());
  for (const Task& task : tasks)
    durations.push_back(compute_duration(task, device, constants));
  for (std::size_t begin = 0; begin < tasks.size();) {
    std::size_t end = begin;
    bool recomputes_products = false;
    while (end < tasks.size() && same_layer(tasks[begin], tasks[end])) {
      const Task& task = tasks[end++];
      recomputes_products =
          recomputes_products || (task.phase.pass == Pass::recompute && std::holds_alternative<GemmWork>(task.work));
    }
    if (tasks[begin].phase.layer_begin >= 0) {
      const double share = launch_share(tasks.subspan(begin, end - begin));
      std::array<double, kPassWords.size()> computes{};
      std::array<double, kPassWords.size()> communicates{};
      std::array<double, kPassWords.size()> products{};
      for (std::size_t i = begin; i < end; ++i) {
        const auto pass = static_cast<std::size_t>(launched_with(tasks[i], recomputes_products));
        computes[pass] += durations[i].count();
        communicates[pass] += collectives[i].count();
        products[pass] += expert_products(tasks[i]);
      }
      std::array<double, kPassWords.size()> stretch{};
      for (std::size_t pass = 0; pass < stretch.size(); ++pass) {
        const double device_s = computes[pass] + communicates[pass];
        const double all =
            device_s * host_stretch(Seconds(device_s), static_cast<Pass>(pass), {share, products[pass]}, tp, constants);
        stretch[pass] = computes[pass] > 0.0 ? (all - communicates[pass]) / computes[pass] : 1.0;
      }
      for (std::size_t i = begin; i < end; ++i)
        durations[i] *= stretch[static_cast<std::size_t>(launched_with(tasks[i], recomputes_products))];
    }
    begin = end;
  }
  return durations;
}

}  // namespace trainwright::model
