// SPDX-License-Identifier: Apache-2.0
#include "model/validation/scaling_validation.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "model/hardware/precision.hpp"
#include "model/validation/gradient_order.hpp"
#include "model/validation/names.hpp"
#include "model/validation/scaling_machine.hpp"
#include "model/validation/scaling_software.hpp"
#include "model/validation/scaling_step.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kBillion = 1e9;
constexpr double kPercent = 100.0;
// Caches, clocks and a step's own spread give a few percent; more is another machine or other software.
constexpr double kMostEfficiency_pct = 110.0;
constexpr double kUsualBatch = 128.0;  // images of a device, where the source does not say

// Tokens of one sample, where throughput counts tokens and the batch counts samples.
constexpr std::array<std::pair<std::string_view, double>, 3> kTokens{{
    {"gnmt", 50.0},  // 116 + 110 million words in 4.5 million pairs, Luong et al. 2015 (arXiv 1508.04025), section 4
    {"transformer-xl-base", 192.0},   // the profile's sample
    {"transformer-xl-large", 384.0},  // the profile's sample
}};

// Rows with the same base run, and the slowest fp32 peak of the accelerators they name.
using BaseKey = std::tuple<std::string, std::int64_t, double>;
using BasePeaks = std::map<BaseKey, double>;

BaseKey base_key(const ScalingRow& row) {
  return {row.group, row.base_gpus, row.base_throughput};
}

double peak(const ScalingRow& row) {
  const std::optional<Accelerator> device = accelerator_named(row.accelerator);
  const std::optional<FlopsPerSecond> rate = device ? device->peak(Precision::fp32) : std::nullopt;
  return rate ? rate->count() : 0.0;
}

BasePeaks base_peaks(const std::vector<ScalingRow>& rows) {
  BasePeaks peaks;
  for (const ScalingRow& row : rows) {
    if (row.group.empty())
      continue;
    const double own = peak(row);
    const auto [at, is_new] = peaks.emplace(base_key(row), own);
    if (!is_new)
      at->second = std::min(at->second, own);
  }
  return peaks;
}

// Why the base run is no base of this row; empty when it is.
std::string foreign_base(const ScalingRow& row, const BasePeaks& peaks) {
  if (row.efficiency_pct > kMostEfficiency_pct)
    return "efficiency above 110 %: the base run was another machine or other software";
  const auto shared = peaks.find(base_key(row));
  if (shared != peaks.end() && peak(row) > shared->second)
    return "its base run is shared with a slower accelerator";
  return {};
}

double samples_per_unit(const ScalingRow& row, const GradientOrder& order) {
  if (row.throughput_unit.find("token") == std::string::npos)
    return 1.0;
  for (const auto& [network, tokens] : kTokens)
    if (order.network == network)
      return 1.0 / tokens;
  return 0.0;
}

struct Predicted {
  std::optional<double> efficiency_pct;
  std::string problem;
  std::vector<std::string> assumptions;
};

Predicted predict(const ScalingRow& row, const std::optional<Calibration>& calibration) {
  Predicted result;
  if (row.model.find("LoRA") != std::string::npos) {
    result.problem = "adapters are trained, and their size is not stated";
    return result;
  }
  std::optional<GradientOrder> order = gradient_order_named(row.model);
  if (!order && row.params_b)
    order = even_gradient_order(*row.params_b * kBillion);
  if (!order) {
    result.problem = "the size of the network is not stated, and no profile has its name";
    return result;
  }
  const std::optional<ScalingMachine> machine = machine_of(row, calibration, result.problem);
  if (!machine)
    return result;
  const ScalingSoftware software = software_of(row, *order);
  result.assumptions = machine->assumptions;
  result.assumptions.insert(result.assumptions.end(), software.assumptions.begin(), software.assumptions.end());
  const double samples = row.base_throughput * samples_per_unit(row, *order);
  if (samples <= 0.0) {
    result.problem = "throughput counts tokens, and their number in a sample is not known";
    return result;
  }
  if (!row.micro_batch)
    result.assumptions.emplace_back("the batch of a device is not stated: 128 samples");
  const double base_step =
      row.micro_batch.value_or(kUsualBatch) * software.micro_batches * static_cast<double>(row.base_gpus) / samples;
  const double compute = compute_of_step_s(*order, software, *machine, row.base_gpus, base_step);
  const double step = scaled_step_s(*order, software, *machine, row.gpus, compute);
  result.efficiency_pct = kPercent * std::min(1.0, base_step / step);
  return result;
}

}  // namespace

std::vector<RowResult> validate_scaling(const std::vector<ScalingRow>& rows,
                                        const std::optional<Calibration>& calibration) {
  const BasePeaks peaks = base_peaks(rows);
  std::vector<RowResult> results;
  for (const ScalingRow& row : rows) {
    RowResult result;
    result.row_id = row.id.row_id;
    result.source = row.id.source;
    result.group = row.accelerator;
    result.efficiency_measured_pct = row.efficiency_pct;
    result.skipped = foreign_base(row, peaks);
    if (result.skipped.empty()) {
      Predicted predicted = predict(row, calibration);
      result.efficiency_predicted_pct = predicted.efficiency_pct;
      result.skipped = std::move(predicted.problem);
      result.assumptions = std::move(predicted.assumptions);
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace trainwright::model::validation
