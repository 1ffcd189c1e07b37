// Times that no plan of a kind can go below: what lets a search leave branches out. docs/models/search.md
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/search/shard_table.hpp"

namespace trainwright::model {

/// Work of the busiest stage in a step of `count` micro-batches a chunk: no schedule ends before it.
[[nodiscard]] double busiest_seconds(const StageTable& stages, const Layout& layout, std::int64_t count,
                                     bool puts_weights_off);
/// What the data-parallel stream of the busiest stage carries in a step at least, one collective after the other.
[[nodiscard]] double message_seconds(const StageTable& stages, const Layout& layout, const ShardTable& shards,
                                     std::int64_t count);

}  // namespace trainwright::model
