// Number formats on a device: what the engine computes, what a card has, and what is done in another way than the plan
// says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "executor/cuda/device_api.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {

/// Empty for a format that the engine does not compute.
[[nodiscard]] std::optional<ElementType> element_type(model::Precision precision);
/// Attention has no fp8 here: its tensors are what fp8 products give.
[[nodiscard]] ElementType attention_type(model::Precision precision);
/// The format of the program's first product, in which most of its memory will be read.
[[nodiscard]] ElementType common_type(const model::Program& program);

/// Throws InputError for formats that are not computed here, EnvironmentError for those that the card lacks.
void check_precisions(const model::Program& program, const DeviceProperties& card);

/// What a run on devices does other than training would, as far as the plan asks for it.
[[nodiscard]] std::vector<std::string> device_modes(const model::ExecutionGraph& graph);

}  // namespace trainwright::executor
