// Names of imported models, made from their numbers; a size that a name states is only compared with them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/io/hf/hf_reader.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model::hf {

/// A number of parameters as a name writes it.
struct StatedSize {
  std::string text;       ///< "7b"
  double parameters = 0;  ///< 7e9
  double half_digit = 0;  ///< half of the last digit written: 5e8
};

/// The first size in a name: "Qwen1.5-72B" states 72e9. "8x7B" (not a total) and "A3B" (active) are none.
[[nodiscard]] std::optional<StatedSize> size_in_name(std::string_view name);

/// "6.74b", "124m": three significant digits.
[[nodiscard]] std::string size_text(double parameters);

/// Sets id ("llama-6.74b"), name and sources from the counted parameters. If `_name_or_path`, or else the file's name
/// or folder, states a size that is off by more than 3 % and by more than its rounding, a warning gives both.
void name_model(HfReader& config, const std::string& title, const std::string& source, Model& model);

}  // namespace trainwright::model::hf
