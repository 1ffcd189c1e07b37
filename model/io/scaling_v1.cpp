// SPDX-License-Identifier: Apache-2.0
#include "model/io/scaling_v1.hpp"

#include <nlohmann/json.hpp>

#include "model/io/json_writer.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

ordered_json point_value(const CurvePoint& point) {
  if (!point.problem.empty())
    return {{"gpus", point.devices}, {"problem", point.problem}};
  auto lost = ordered_json::object();
  for (std::size_t i = 0; i < kStepPartCount; ++i)
    lost[std::string(kStepPartWords[i])] = point.lost[i];
  return {{"gpus", point.devices},
          {"global_batch", point.global_batch},
          {"step_time_s", point.step.count()},
          {"step_time_interval_s", {point.step_low.count(), point.step_high.count()}},
          {"tokens_per_s", point.tokens_per_s},
          {"efficiency", point.efficiency},
          {"lost", std::move(lost)},
          {"memory", word_of(kMemoryVerdictWords, point.memory)}};
}

ordered_json curve_value(const ScalingCurve& curve) {
  ordered_json value{{"scaling", word_of(kScalingWords, curve.kind)}};
  const auto mark = [&](const char* key, const std::optional<std::size_t>& index) {
    if (index)
      value[key] = curve.points[*index].devices;
  };
  mark("base_gpus", curve.base);
  mark("knee_gpus", curve.knee);
  mark("largest_useful_gpus", curve.largest);
  value["points"] = ordered_json::array();
  for (const CurvePoint& point : curve.points)
    value["points"].push_back(point_value(point));
  return value;
}

}  // namespace

std::string to_scaling_json(const std::vector<ScalingCurve>& curves, const Plan& plan) {
  ordered_json value{{"format", "trainwright/scaling/v1"}, {"model", plan.model.id}, {"cluster", plan.cluster.id}};
  value["curves"] = ordered_json::array();
  for (const ScalingCurve& curve : curves)
    value["curves"].push_back(curve_value(curve));
  return canonical_text(value);
}

}  // namespace trainwright::model
