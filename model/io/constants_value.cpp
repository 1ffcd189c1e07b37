// SPDX-License-Identifier: Apache-2.0
#include "model/io/constants_value.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/io/profile_library.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

bool is_divisor(std::string_view name) {
  if (name.ends_with(".in_switch_efficiency"))
    return false;  // 0: the switch does not reduce
  for (const std::string_view ending : {"_fraction", ".efficiency", "_efficiency", "copy_ratio", "backward_rate_ratio",
                                        "step_rate", "plateau_bytes", "bandwidth_ratio"})
    if (name.ends_with(ending))
      return true;
  return false;
}

}  // namespace

std::vector<std::string> constant_names() {
  CostConstants constants;
  std::vector<std::string> names;
  for (const ConstantRef& ref : constant_refs(constants))
    names.push_back(ref.name);
  return names;
}

std::string constant_problem(std::string_view name, double value) {
  if (!std::isfinite(value) || value < 0.0)
    return "is " + format_number(value) + "; it must be a number of 0 or above";
  if (is_divisor(name) && value == 0.0)
    return "is 0; it must be above 0";
  if (name.ends_with("_share") && value >= 1.0)
    return "is " + format_number(value) + "; it must be below 1";
  return {};
}

nlohmann::ordered_json constants_value(const CostConstants& constants) {
  CostConstants copy = constants;  // constant_refs hands out pointers to change them
  auto value = nlohmann::ordered_json::object();
  for (const ConstantRef& ref : constant_refs(copy))
    value[ref.name] = *ref.value;
  return value;
}

std::vector<std::string> read_constants(JsonObject& object, CostConstants& constants) {
  std::vector<std::string> missing;
  std::vector<std::string> names;
  for (const ConstantRef& ref : constant_refs(constants)) {
    names.push_back(ref.name);
    if (!object.has(ref.name)) {
      missing.push_back(ref.name);
      object.ignore(ref.name);
      continue;
    }
    const std::optional<double> value = object.optional_number(ref.name);
    if (!value)
      continue;
    if (const std::string problem = constant_problem(ref.name, *value); problem.empty())
      *ref.value = *value;
    else
      object.add_error(ref.name, problem);
  }
  // Not finish(): its list of all known keys would fill the screen.
  for (const std::string& key : object.keys())
    if (std::find(names.begin(), names.end(), key) == names.end()) {
      std::string hint;
      for (const std::string& match : close_matches(key, names))
        hint += (hint.empty() ? "did you mean " : " or ") + match;
      object.add_error(key, "is not a constant", hint.empty() ? "docs/formats/plan_v1.md lists them" : hint + "?");
    }
  return missing;
}

}  // namespace trainwright::model
