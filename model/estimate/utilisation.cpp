// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/utilisation.hpp"

#include <cmath>

#include "model/units/format.hpp"
#include "model/workload/model_flops.hpp"

namespace trainwright::model {
namespace {

// Printed percentages are rounded to whole points.
constexpr double kRounding = 0.03;

// Without padding.
std::int64_t tokens_of_sequence(const Plan& plan) {
  return std::llround(static_cast<double>(plan.job.seq_len) * plan.job.sequence_fill);
}

Flops recomputed(const Plan& plan) {
  Model layers = plan.model;
  layers.has_head = false;
  if (plan.layout.recompute == Recompute::full)
    return forward_flops(layers, tokens_of_sequence(plan));
  const bool is_selective =
      plan.layout.recompute == Recompute::selective && plan.job.attention == AttentionKernel::unfused;
  if (!is_selective)
    return Flops::zero();
  // What grows with the square of the sequence, by difference: two half sequences lack half of it.
  const Flops halves = forward_flops(layers, tokens_of_sequence(plan) / 2) * 2.0;
  return (forward_flops(layers, tokens_of_sequence(plan)) - halves) * 2.0;
}

}  // namespace

std::optional<double> utilisation(FlopsPerSecond achieved, const Accelerator& device, Precision precision) {
  const auto peak = device.peak(precision);
  if (!peak)
    return std::nullopt;
  return achieved / *peak;
}

std::optional<std::string> utilisation_problem(FlopsPerSecond achieved, double stated, const Accelerator& device,
                                               Precision precision) {
  const std::optional<double> share = utilisation(achieved, device, precision);
  if (!share)
    return device.id + " has no peak in " + std::string(to_word(precision));
  const std::string peak =
      "the dense " + std::string(to_word(precision)) + " peak of " + device.id + ", " + format(*device.peak(precision));
  const auto percent = [](double value) { return format_fixed(100.0 * value, 1) + " %"; };
  if (*share > 1.0 || stated > 1.0)
    return percent(std::max(*share, stated)) + " of " + peak + " is not possible: another card, precision or count";
  if (std::abs(stated / *share - 0.5) < kRounding)
    return percent(stated) + " is against a peak with sparsity; of " + peak + " it is " + percent(*share);
  if (std::abs(stated / *share - 1.0) > kRounding)
    return percent(stated) + " is not of " + peak + ", that would be " + percent(*share);
  return std::nullopt;
}

Flops hardware_flops(const Plan& plan) {
  const auto batch = static_cast<double>(plan.job.global_batch);
  return (training_flops(plan.model, tokens_of_sequence(plan), plan.job.loss_share) + recomputed(plan)) * batch;
}

}  // namespace trainwright::model
