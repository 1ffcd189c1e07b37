// Hugging Face config.json to Model. Reads shapes only, never weights; which families and which of their fields:
// docs/models/parameters.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model {

/// The model a config.json describes. A multimodal file yields its language model (`text_config`) and a warning.
/// Empty if anything in `diagnostics` is an error: not JSON, an architecture that is not supported, a missing or
/// contradictory field. A field that nobody here understands but whose name looks like a shape is a warning; so is a
/// model name that states a size the numbers do not have. `source` is the file's name, for messages.
[[nodiscard]] std::optional<Model> model_from_hf_config(std::string_view text, std::string source,
                                                        Diagnostics& diagnostics);

/// The supported values of `model_type`, sorted.
[[nodiscard]] std::vector<std::string> supported_hf_model_types();

}  // namespace trainwright::model
