// SPDX-License-Identifier: Apache-2.0
#include "model/validation/constant_list.hpp"

#include <nlohmann/json.hpp>

#include "model/io/json_writer.hpp"
#include "model/units/format.hpp"

namespace trainwright::model::validation {
namespace {

using nlohmann::ordered_json;

constexpr int kDigits = 4;

}  // namespace

void ConstantList::add(const std::string& name, double value, const std::string& origin) {
  entries_.push_back({name, ordered_json::parse(format_significant(value, kDigits)).get<double>(), origin});
}

std::string ConstantList::text() const {
  ordered_json constants = ordered_json::array();
  for (const Entry& entry : entries_)
    constants.push_back({{"name", entry.name}, {"value", entry.value}, {"origin", entry.origin}});
  return canonical_text(ordered_json{{"format", "trainwright/calibration/v1"}, {"constants", constants}});
}

}  // namespace trainwright::model::validation
