// SPDX-License-Identifier: Apache-2.0
#include "model/calibration/measurement.hpp"

namespace trainwright::model {
namespace {

bool agree(const std::optional<double>& a, const std::optional<double>& b) {
  return !a || !b || *a == *b;
}

}  // namespace

std::string missing_conditions(const Environment& environment) {
  const bool on_accelerators = environment.backend == "nccl";
  return on_accelerators && !environment.power_limit_watts ? "power limit of the devices" : "";
}

bool same_conditions(const Environment& a, const Environment& b) {
  return agree(a.power_limit_watts, b.power_limit_watts) && agree(a.clock_mhz, b.clock_mhz);
}

}  // namespace trainwright::model
