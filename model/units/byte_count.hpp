// Exact sizes of messages, tensors and memories. Bytes (units.hpp) is what formulas compute with; ByteCount is what is
// counted. Always 64 bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace trainwright::model {

class ByteCount {
 public:
  constexpr ByteCount() noexcept = default;
  constexpr explicit ByteCount(std::int64_t bytes) noexcept : value_(bytes) {}

  [[nodiscard]] constexpr std::int64_t count() const noexcept { return value_; }

  friend constexpr auto operator<=>(ByteCount, ByteCount) noexcept = default;
  constexpr ByteCount& operator+=(ByteCount other) noexcept {
    value_ += other.value_;
    return *this;
  }
  constexpr ByteCount& operator-=(ByteCount other) noexcept {
    value_ -= other.value_;
    return *this;
  }
  friend constexpr ByteCount operator+(ByteCount a, ByteCount b) noexcept { return ByteCount(a.value_ + b.value_); }
  friend constexpr ByteCount operator-(ByteCount a, ByteCount b) noexcept { return ByteCount(a.value_ - b.value_); }
  friend constexpr ByteCount operator*(ByteCount a, std::int64_t n) noexcept { return ByteCount(a.value_ * n); }
  friend constexpr ByteCount operator*(std::int64_t n, ByteCount a) noexcept { return ByteCount(a.value_ * n); }

 private:
  std::int64_t value_ = 0;
};

/// The smallest count that is at least total / parts; parts > 0.
[[nodiscard]] constexpr ByteCount divide_up(ByteCount total, std::int64_t parts) noexcept {
  return ByteCount((total.count() + parts - 1) / parts);
}

}  // namespace trainwright::model
