// Names that published tables use for devices and models, and the profiles they mean.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/hardware/accelerator.hpp"

namespace trainwright::model::validation {

/// Lower case, letters and digits only; what stands in brackets is left out: "DeepSeekV3 (w/o MTP)" is "deepseekv3".
[[nodiscard]] std::string plain_name(std::string_view name);

/// The accelerator that a table means by "H100-80GB SXM", "b200-sxm" or a profile id; empty when no profile is shipped.
[[nodiscard]] std::optional<Accelerator> accelerator_named(std::string_view name);

/// Id of the model profile that a table means by this name: the id or the profile's name, written however; empty when
/// there is none.
[[nodiscard]] std::optional<std::string> model_profile_named(std::string_view name);

}  // namespace trainwright::model::validation
