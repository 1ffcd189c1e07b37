// Test data of the verification step: each rank fills its buffer with small whole numbers that depend on its place in
// the group, the operation and the position, so that every sum is exact in float and a swapped block, message or
// operation shows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "model/graph/task.hpp"

namespace trainwright::executor {

/// One operation seen from one member.
struct PatternKey {
  int members = 1;  ///< at most 16,384: larger sums would not be exact
  int own_index = 0;
  std::uint32_t salt = 0;  ///< the same for all members, another for each operation
};

/// Value of member `index` at position `i`: a whole number below 1024.
[[nodiscard]] float pattern_value(int index, std::uint32_t salt, std::size_t i);

void fill(std::span<float> data, int index, std::uint32_t salt);

/// Compares the buffer after the (in-place, root 0) collective with what it must hold; `all_to_all` and
/// `ring_shift` look at the output. Empty when right, else "element 3 is 12, expected 14".
[[nodiscard]] std::optional<std::string> check_collective(model::CollectiveKind kind, std::span<const float> data,
                                                          const PatternKey& key);
/// The same for a message filled by member `sender`.
[[nodiscard]] std::optional<std::string> check_message(std::span<const float> data, int sender, std::uint32_t salt);

}  // namespace trainwright::executor
