// Valid plans in one line, to be varied by tests. Every number here is chosen for tests, none is a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/plan/plan.hpp"

namespace trainwright::test {

/// GPT-like: learned positions, tied embeddings, ungated MLP.
[[nodiscard]] model::Model small_gpt(int layers = 4, std::int64_t hidden = 64, std::int64_t heads = 4,
                                     std::int64_t vocab = 512);
/// Llama-like: rotary, untied, gated MLP, grouped keys and values.
[[nodiscard]] model::Model small_llama(int layers = 4, std::int64_t hidden = 64, std::int64_t heads = 4);
/// Every layer a mixture of `experts`, two of them for each token, one shared; otherwise like small_llama.
[[nodiscard]] model::Model small_moe(int layers = 4, std::int64_t hidden = 64, std::int64_t heads = 4,
                                     std::int64_t experts = 8);
/// Nodes of eight devices with switch and one adapter each, full bisection.
[[nodiscard]] model::Cluster switched_cluster(int nodes, int devices_per_node = 8);
/// One node whose ranks share cores.
[[nodiscard]] model::Cluster shared_core_node(int cores);
/// Constants without host time, launch time or interference, so that times are simple sums.
[[nodiscard]] model::CostConstants plain_constants();

/// A plan on switched_cluster for the layout; global batch = micro_batch x dp x `micro_batches`.
[[nodiscard]] model::Plan small_plan(const model::Layout& layout, std::int64_t micro_batches);

}  // namespace trainwright::test
