// trainwright/network/v1: a network as a list of operators. docs/formats/network_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/base/diagnostic.hpp"
#include "model/workload/operator_network.hpp"

namespace trainwright::model {

[[nodiscard]] std::string to_network_json(const OperatorNetwork& network);
/// Empty when anything is wrong; `diagnostics` then says all of it.
[[nodiscard]] std::optional<OperatorNetwork> network_from_json(std::string_view text, std::string source,
                                                               Diagnostics& diagnostics);

}  // namespace trainwright::model
