// Random values of the types that files hold, for round-trip properties. Call only inside a RapidCheck property.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "model/calibration/calibration.hpp"
#include "model/calibration/measurement.hpp"
#include "model/estimate/estimate.hpp"
#include "model/plan/plan.hpp"
#include "model/workload/operator_network.hpp"

namespace trainwright::model::any {

inline std::int64_t integer(std::int64_t min, std::int64_t max) {
  return *rc::gen::inRange(min, max + 1);
}
inline int small(int min, int max) {
  return static_cast<int>(integer(min, max));
}
inline bool flag() {
  return *rc::gen::arbitrary<bool>();
}

/// Any positive double of a size that occurs, with all bits of the mantissa.
inline double number() {
  const auto mantissa = static_cast<std::uint64_t>(*rc::gen::resize(1000, rc::gen::arbitrary<std::int64_t>())) >> 12U;
  const auto exponent = static_cast<std::uint64_t>(integer(1023 - 60, 1023 + 80));
  return std::bit_cast<double>(exponent << 52U | mantissa);
}
inline double below(double limit) {
  return number() / std::bit_cast<double>(std::uint64_t{1023 + 81} << 52U) * limit;
}

inline std::string text() {
  static const std::vector<std::string> texts{"x", "two words", "\"quoted\" \\ back", "tab\tand\nline", "训练", "é"};
  return texts[static_cast<std::size_t>(integer(0, static_cast<std::int64_t>(texts.size()) - 1))];
}

template <class Enum, std::size_t Count>
Enum word(const std::array<std::pair<std::string_view, Enum>, Count>& words) {
  return words[static_cast<std::size_t>(integer(0, static_cast<std::int64_t>(Count) - 1))].second;
}

template <class Make>
auto list(int max, Make make) {
  std::vector<decltype(make())> items;
  for (int i = small(0, max); i > 0; --i)
    items.push_back(make());
  return items;
}

Accelerator accelerator();
Cluster cluster();
Model model();
OperatorNetwork network();
Plan plan();
Measurement measurement();
Calibration calibration();
Estimate estimate();

}  // namespace trainwright::model::any
