// trainwright/search/v1: what `search --json` prints. docs/formats/search_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/search/search_answer.hpp"

namespace trainwright::model {

[[nodiscard]] std::string to_search_json(const SearchAnswer& answer);

}  // namespace trainwright::model
