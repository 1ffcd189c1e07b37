// Which arguments of Megatron-LM matter here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace trainwright::model {

enum class MegatronFlag {
  read,            ///< becomes a choice or a fact
  not_modeled,     ///< changes time or memory, and nothing here can say it
  part_of_model,   ///< shape of the model, which its profile or config.json says
  without_effect,  ///< logging, paths, learning rates
  unknown
};

/// By name with its dashes: "--num-layers".
[[nodiscard]] MegatronFlag megatron_flag(std::string_view name);

}  // namespace trainwright::model
