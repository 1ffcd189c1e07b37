// Pasted text of other programs as lines and words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainwright::model {

/// Lines without their ends and without the escape sequences that color terminals.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);
/// Words between blanks and tabs.
[[nodiscard]] std::vector<std::string> words_of(std::string_view line);
/// "a, b, c"
[[nodiscard]] std::string joined(const std::vector<std::string>& items, std::string_view separator = ", ");

}  // namespace trainwright::model
