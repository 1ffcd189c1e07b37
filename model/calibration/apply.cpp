// SPDX-License-Identifier: Apache-2.0
#include "model/base/error.hpp"
#include "model/calibration/calibration.hpp"

namespace trainwright::model {

CostConstants apply(const Calibration& calibration, const CostConstants& base) {
  CostConstants constants = base;
  Diagnostics diagnostics;
  std::vector<ConstantRef> refs = constant_refs(constants);
  for (std::size_t i = 0; i < calibration.constants.size(); ++i) {
    const FittedConstant& fitted = calibration.constants[i];
    bool known = false;
    for (const ConstantRef& ref : refs)
      if (ref.name == fitted.name) {
        *ref.value = fitted.value;
        known = true;
      }
    if (!known)
      diagnostics.add_error("calibration", "/constants/" + std::to_string(i) + "/name",
                            "\"" + fitted.name + "\" is not a constant of the models");
  }
  throw_if_errors(diagnostics);
  if (calibration.step_log_error > 0.0)
    constants.step_log_error = calibration.step_log_error;
  if (!calibration.constants.empty() && !calibration.environment.host.empty())
    constants.origin =
        base.origin + "; calibrated on " + calibration.environment.host + ", " + calibration.environment.date;
  return constants;
}

}  // namespace trainwright::model
