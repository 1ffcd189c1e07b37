// Time of a task alone on its device, from its shape, the data sheet and the fitted constants. No contention, no host.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/cost/cost_constants.hpp"
#include "model/graph/task.hpp"
#include "model/hardware/accelerator.hpp"

namespace trainwright::model {

[[nodiscard]] Flops flops(const GemmWork& work);
[[nodiscard]] Flops flops(const AttentionWork& work);
/// Floating-point operations of matrix products and attention in a task; 0 for the others (MFU's convention).
[[nodiscard]] Flops matrix_flops(const Task& task);

[[nodiscard]] Seconds duration(const GemmWork& work, const Accelerator& device, const CostConstants& constants);
[[nodiscard]] Seconds duration(const AttentionWork& work, const Accelerator& device, const CostConstants& constants);
[[nodiscard]] Seconds duration(const MemoryWork& work, const Accelerator& device, const CostConstants& constants);
[[nodiscard]] Seconds duration(const OptimizerWork& work, const Accelerator& device, const CostConstants& constants);

/// Turning `elements` of a bf16 activation into `precision` in a kernel of its own, as a framework does that does not
/// fuse the cast into the kernel before; 0 for formats of 16 bits and more. Equation: docs/models/gemm.md.
[[nodiscard]] Seconds quantise_duration(std::int64_t elements, Precision precision, const Accelerator& device,
                                        const CostConstants& constants);

/// Any task that occupies its own device: the ones above, fixed work as it is. Communication and host I/O: zero.
[[nodiscard]] Seconds compute_duration(const Task& task, const Accelerator& device, const CostConstants& constants);

}  // namespace trainwright::model
