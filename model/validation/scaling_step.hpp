// The step of a data-parallel run from its compute: what of the exchange of gradients the backward pass hides.
// docs/models/validation.md, "Scaling efficiency".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "model/validation/gradient_order.hpp"
#include "model/validation/scaling_machine.hpp"
#include "model/validation/scaling_software.hpp"

namespace trainwright::model::validation {

/// Seconds that a bucket of so many bytes takes.
using BucketSeconds = std::function<double(double bytes)>;

/// How much later a pass of `compute` seconds ends because gradients are summed: buckets go one after the other, each
/// when its last gradient is ready, and while one goes, compute loses `compute_share` of the device. Without overlap
/// all go after the pass.
[[nodiscard]] double exposed_reduction_s(const GradientOrder& order, const ScalingSoftware& software, double compute,
                                         double compute_share, const BucketSeconds& seconds);

/// The step on `devices` devices when each computes for `compute` seconds.
[[nodiscard]] double scaled_step_s(const GradientOrder& order, const ScalingSoftware& software,
                                   const ScalingMachine& machine, std::int64_t devices, double compute);

/// The compute of a run whose step of `step` seconds on `devices` devices is known.
[[nodiscard]] double compute_of_step_s(const GradientOrder& order, const ScalingSoftware& software,
                                       const ScalingMachine& machine, std::int64_t devices, double step);

}  // namespace trainwright::model::validation
