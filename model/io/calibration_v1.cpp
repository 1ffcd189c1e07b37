// SPDX-License-Identifier: Apache-2.0
#include "model/io/calibration_v1.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "model/io/constants_value.hpp"
#include "model/io/document.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/profile_library.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

constexpr double kMaxSeconds = 1e9;
constexpr double kMaxLogError = 10.0;

FittedConstant read_constant(JsonObject& object, const std::vector<std::string>& names, std::set<std::string>& seen) {
  FittedConstant constant;
  const ProblemWatch watch(object);
  constant.name = object.string("name");
  if (watch.is_clean()) {
    if (std::find(names.begin(), names.end(), constant.name) == names.end()) {
      std::string hint;
      for (const std::string& match : close_matches(constant.name, names))
        hint += (hint.empty() ? "did you mean " : " or ") + match;
      object.add_error("name", "\"" + constant.name + "\" is not a constant",
                       hint.empty() ? "docs/formats/plan_v1.md lists them" : hint + "?");
    } else if (!seen.insert(constant.name).second) {
      object.add_error("name", "\"" + constant.name + "\" occurs twice", "keep one of them");
    }
  }
  constant.value = object.number("value");
  if (watch.is_clean())
    if (const std::string problem = constant_problem(constant.name, constant.value); !problem.empty())
      object.add_error("value", problem);
  // Shipped constants are not fitted from others; there is nothing before them.
  constant.before = object.optional_number("before").value_or(constant.value);
  constant.origin = required_text(object, "origin");
  object.finish();
  return constant;
}

Residual read_residual(JsonObject& object) {
  Residual residual;
  residual.what = object.string("what");
  residual.measured_s = object.number("measured_s", {0.0, kMaxSeconds});
  residual.predicted_s = object.number("predicted_s", {0.0, kMaxSeconds});
  object.finish();
  return residual;
}

Calibration read_calibration(JsonObject& object) {
  Calibration calibration;
  if (std::optional<JsonObject> environment = object.optional_object("environment"))
    calibration.environment = read_environment(*environment);
  const std::vector<std::string> names = constant_names();
  std::set<std::string> seen;
  for (JsonObject& constant : object.objects("constants"))
    calibration.constants.push_back(read_constant(constant, names, seen));
  for (JsonObject& residual : optional_objects(object, "residuals"))
    calibration.residuals.push_back(read_residual(residual));
  calibration.step_log_error = object.optional_number("step_log_error", {0.0, kMaxLogError}).value_or(0.0);
  object.finish();
  return calibration;
}

}  // namespace

std::string to_calibration_json(const Calibration& calibration) {
  ordered_json value{{"format", "trainwright/calibration/v1"}};
  value["environment"] = environment_value(calibration.environment);
  auto constants = ordered_json::array();
  for (const FittedConstant& constant : calibration.constants)
    constants.push_back(
        {{"name", constant.name}, {"before", constant.before}, {"value", constant.value}, {"origin", constant.origin}});
  value["constants"] = std::move(constants);
  auto residuals = ordered_json::array();
  for (const Residual& residual : calibration.residuals)
    residuals.push_back(
        {{"what", residual.what}, {"measured_s", residual.measured_s}, {"predicted_s", residual.predicted_s}});
  value["residuals"] = std::move(residuals);
  value["step_log_error"] = calibration.step_log_error;
  return canonical_text(value);
}

std::optional<Calibration> calibration_from_json(std::string_view text, std::string source, Diagnostics& diagnostics) {
  return read_document(text, std::move(source), "calibration", diagnostics, read_calibration);
}

}  // namespace trainwright::model
