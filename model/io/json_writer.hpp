// Canonical text of files that the program writes: fixed key order, two spaces, one line for each plain record of a
// list, numbers that read back as the same double. Equal values give equal text, so that files can be compared and
// hashed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "model/base/contract.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

/// The value as text with a final newline. Lists of numbers and words, and list items without further nesting, take one
/// line. A NaN or infinity in it is a bug of ours and ends the program: JSON cannot say it.
[[nodiscard]] std::string canonical_text(const nlohmann::ordered_json& value);

/// Text with a unit that parses back to exactly this quantity: "450 GB/s" where that is exact, else in base units.
[[nodiscard]] std::string exact_text(Seconds value);
[[nodiscard]] std::string exact_text(ByteCount value);
[[nodiscard]] std::string exact_text(BytesPerSecond value);
[[nodiscard]] std::string exact_text(FlopsPerSecond value);

/// The word of an enumerator in files.
template <class Enum, std::size_t Count>
[[nodiscard]] std::string word_of(const std::array<std::pair<std::string_view, Enum>, Count>& words, Enum value) {
  for (const auto& [word, candidate] : words)
    if (candidate == value)
      return std::string(word);
  TRAINWRIGHT_EXPECTS(false, "enumerator " + std::to_string(static_cast<int>(value)) + " has no word");
  return {};
}

}  // namespace trainwright::model
