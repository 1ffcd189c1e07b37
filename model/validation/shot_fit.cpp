// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/calibration/robust_fit.hpp"
#include "model/calibration/run_observations.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/estimate/step_time.hpp"
#include "model/validation/step_validation.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kMedianToScale = 1.4826;  // of a normal distribution

struct Prior {
  std::string_view name;
  double log_width;
};

// Widths learned on published steps: docs/models/calibration.md. The host's is tight: large models cannot tell it.
constexpr std::array<Prior, 29> kPriors{{
    {"gemm_step_rate", 0.12},
    {"gemm.fp32.peak_fraction", 0.2},
    {"gemm.fp8.peak_fraction", 0.15},
    {"gemm.mxfp8.peak_fraction", 0.15},
    {"gemm.nvfp4.peak_fraction", 0.15},
    {"attention.step_rate", 0.3},
    {"attention.unfused_factor", 0.3},
    {"attention.unaligned_factor", 0.3},
    {"memory_bound.bandwidth_fraction", 0.2},
    {"memory_bound.kernel_s", 0.5},
    {"optimizer.bandwidth_fraction", 0.3},
    {"host.layer_forward_s", 0.3},
    {"host.micro_batch_s", 0.3},
    {"host.step_s", 0.5},
    {"host.tensor_log2_growth", 0.5},
    {"host.expert_layer_s", 0.5},
    {"host.expert_product_s", 1.0},
    {"node_link.efficiency", 0.25},
    {"node_link.base_s", 0.6},
    {"node_link.step_s", 0.6},
    {"network.efficiency", 0.4},
    {"network.step_s", 0.5},
    {"network.transfer_latency_s", 0.5},
    {"network.transfer_efficiency", 0.4},
    {"node_link.transfer_efficiency", 0.4},
    {"communication_compute_share", 0.7},
    {"node_link_step_rate", 0.25},
    {"network_step_rate", 0.4},
    {"network_step_latency", 0.5},
}};

// What no device or link can go beyond.
double largest(std::string_view name) {
  if (name == "communication_compute_share")
    return 0.6;
  if (name == "network_step_rate" || name == "gemm_step_rate")
    return 1.1;
  if (name == "node_link_step_rate")
    return 1.2;  // collectives that the schedule splits and hides
  if (name == "memory_bound.bandwidth_fraction" || name == "optimizer.bandwidth_fraction")
    return 0.95;
  return std::numeric_limits<double>::infinity();
}

// Smooth, so that a fit does not lose its way at the bound, and unchanged for a factor of 1.
double bounded(double base, double factor, double limit) {
  if (!std::isfinite(limit) || base <= 0.0)
    return base * factor;
  constexpr double kSharpness = 8.0;
  const auto squeezed = [&](double x) { return x / std::pow(1.0 + std::pow(x / limit, kSharpness), 1.0 / kSharpness); };
  return squeezed(base * factor) * base / squeezed(base);
}

bool is_of_link(std::string_view name) {
  return name.starts_with("node_link.") || name.starts_with("network.");
}

}  // namespace

CostConstants scaled(const CostConstants& constants, const ShotFit& fit) {
  CostConstants result = constants;
  for (const ConstantRef& ref : constant_refs(result))
    for (const ConstantFactor& factor : fit.factors)
      if (ref.name == factor.name) {
        *ref.value = bounded(*ref.value, factor.factor, largest(ref.name));
      }
  if (fit.log_error > 0.0)
    result.step_log_error = fit.log_error;
  return result;
}

namespace {

// constant_refs() makes a list of names: the places of the fitted constants in it are looked up once.
std::vector<std::size_t> places_of(const std::vector<ConstantFactor>& factors) {
  CostConstants any;
  const std::vector<ConstantRef> refs = constant_refs(any);
  std::vector<std::size_t> places;
  for (const ConstantFactor& factor : factors)
    for (std::size_t i = 0; i < refs.size(); ++i)
      if (refs[i].name == factor.name)
        places.push_back(i);
  return places;
}

struct Trial {
  Plan plan;
  LoweredPlan lowered;
  std::vector<double*> values;  // in plan.constants, by factor
  std::vector<double> base_values;
};

}  // namespace

ShotFit fit_shots(const std::vector<PlannedRow>& rows, const ShotOptions& options) {
  ShotFit fit;
  for (const Prior& prior : kPriors)
    if (options.has_links || !is_of_link(prior.name))
      fit.factors.push_back({std::string(prior.name), 1.0, prior.log_width});
  const std::vector<std::size_t> places = places_of(fit.factors);
  std::vector<Trial> trials;
  trials.reserve(rows.size());
  for (const PlannedRow& row : rows)
    if (row.row->iteration_time_s)
      trials.push_back({row.plan, LoweredPlan(row.plan), {}, {}});
  std::vector<double> limits;
  for (const ConstantFactor& factor : fit.factors)
    limits.push_back(largest(factor.name));
  std::vector<FitPoint> points;
  std::size_t next = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const PlannedRow& row = rows[r];
    if (!row.row->iteration_time_s)
      continue;
    Trial& trial = trials[next++];
    const double weight = options.weights.empty() ? 1.0 : options.weights[r];
    const std::vector<ConstantRef> refs = constant_refs(trial.plan.constants);
    for (const std::size_t place : places) {
      trial.values.push_back(refs[place].value);
      trial.base_values.push_back(*refs[place].value);
    }
    points.push_back({row.row->id.row_id, *row.row->iteration_time_s, weight, [&trial, &fit, &limits] {
                        for (std::size_t i = 0; i < fit.factors.size(); ++i) {
                          *trial.values[i] = bounded(trial.base_values[i], fit.factors[i].factor, limits[i]);
                        }
                        return step_time(trial.plan, stage_models(trial.plan, trial.lowered)).step.count();
                      }});
  }
  std::vector<FitParameter> parameters;
  for (ConstantFactor& factor : fit.factors)
    parameters.push_back({&factor.factor, factor.prior_log_width});
  robust_fit(parameters, points);
  if (!points.empty())
    fit.log_error = kMedianToScale * median_log_error(points);
  return fit;
}

}  // namespace trainwright::model::validation
