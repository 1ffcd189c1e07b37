// "--recompute auto": the least recomputation whose predicted memory fits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/plan/plan.hpp"

namespace trainwright::model {

/// `plan` with, in this order, the first that fits: no recomputation, selective, full of as few layers of each virtual
/// stage as will do (Megatron's --recompute-method block), full of all layers; this last also where nothing fits. Says
/// what was taken in the plan's assumptions.
[[nodiscard]] Plan with_least_recompute(Plan plan);

}  // namespace trainwright::model
