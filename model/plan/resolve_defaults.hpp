// Values that a plan takes where the user states none, and that depend on model, cluster or software. Internal to
// resolve_plan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "model/hardware/cluster.hpp"
#include "model/plan/layout.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model {

/// bf16 where every accelerator of the cluster has it, then fp16, tf32, fp32; CPUs: fp32.
[[nodiscard]] Precision default_precision(const Cluster& cluster);
/// Tokens that reach head and loss: all, of a masked language model 0.15 (arXiv 1810.04805, section 3.1).
[[nodiscard]] double default_loss_share(const Model& model);
/// User buffers of Transformer Engine cut a gather or scatter of sequence parallelism in four; others leave it whole.
[[nodiscard]] int default_tensor_chunks(std::string_view framework, const Layout& layout);

}  // namespace trainwright::model
