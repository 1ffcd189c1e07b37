// Which sizes are measured, and in which order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace trainwright::executor {

/// About `count` whole numbers from `first` to `last`, equally far apart on a logarithmic scale, ascending, both ends
/// included, each a multiple of `multiple` and none twice (so there may be fewer). 0 < multiple <= first <= last, both
/// ends multiples; count >= 2, or first == last.
[[nodiscard]] std::vector<std::int64_t> log_spaced(std::int64_t first, std::int64_t last, int count,
                                                   std::int64_t multiple = 1);

/// The numbers 0 .. count-1 in an order that the seed decides, the same on every machine. Shuffling keeps a slow change
/// of the machine from looking like an effect of size.
[[nodiscard]] std::vector<std::size_t> shuffled_order(std::size_t count, std::uint64_t seed);

}  // namespace trainwright::executor
