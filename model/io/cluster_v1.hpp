// trainwright/cluster/v1: node groups, fabric, storage. docs/formats/cluster_v1.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "model/hardware/cluster.hpp"
#include "model/io/json_reader.hpp"

namespace trainwright::model {

/// Accelerators are written whole, so that the text needs no profile.
[[nodiscard]] std::string to_cluster_json(const Cluster& cluster);
/// Empty when anything is wrong; `diagnostics` then says all of it. An accelerator may be the id of a profile.
[[nodiscard]] std::optional<Cluster> cluster_from_json(std::string_view text, std::string source,
                                                       Diagnostics& diagnostics);

// As a part of another document: without "format".
[[nodiscard]] nlohmann::ordered_json cluster_value(const Cluster& cluster);
[[nodiscard]] Cluster read_cluster(JsonObject& object);

}  // namespace trainwright::model
