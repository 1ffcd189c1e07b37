// The answer of a search for a terminal: the best plans, the front, what was left out and why.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/search/search_answer.hpp"

namespace trainwright::model {

/// "tp 8, pp 8 x 3, dp 64, zero 1, micro-batch 1, interleaved"
[[nodiscard]] std::string layout_text(const Layout& layout);

[[nodiscard]] std::string search_report(const SearchAnswer& answer);

}  // namespace trainwright::model
