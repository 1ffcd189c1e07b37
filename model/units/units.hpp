// The quantities the planner uses, by name, and literals for tests and constants.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/units/byte_count.hpp"
#include "model/units/quantity.hpp"

namespace trainwright::model {

using Seconds = Quantity<Dim<1, 0, 0>>;
using Bytes = Quantity<Dim<0, 1, 0>>;
using Flops = Quantity<Dim<0, 0, 1>>;
using BytesPerSecond = Quantity<Dim<-1, 1, 0>>;
using FlopsPerSecond = Quantity<Dim<-1, 0, 1>>;

/// For formulas: an exact count as a quantity (exact up to 2^53 bytes).
[[nodiscard]] constexpr Bytes to_bytes(ByteCount count) noexcept {
  return Bytes(static_cast<double>(count.count()));
}

namespace literals {

constexpr Seconds operator""_s(long double v) {
  return Seconds(static_cast<double>(v));
}
constexpr Seconds operator""_s(unsigned long long v) {
  return Seconds(static_cast<double>(v));
}
constexpr Seconds operator""_us(long double v) {
  return Seconds(static_cast<double>(v) * 1e-6);
}
constexpr Seconds operator""_us(unsigned long long v) {
  return Seconds(static_cast<double>(v) * 1e-6);
}
constexpr Bytes operator""_B(unsigned long long v) {
  return Bytes(static_cast<double>(v));
}
constexpr Bytes operator""_MB(unsigned long long v) {
  return Bytes(static_cast<double>(v) * 1e6);
}
constexpr BytesPerSecond operator""_GBps(long double v) {
  return BytesPerSecond(static_cast<double>(v) * 1e9);
}
constexpr BytesPerSecond operator""_GBps(unsigned long long v) {
  return BytesPerSecond(static_cast<double>(v) * 1e9);
}
constexpr FlopsPerSecond operator""_TFLOPps(long double v) {
  return FlopsPerSecond(static_cast<double>(v) * 1e12);
}
constexpr FlopsPerSecond operator""_TFLOPps(unsigned long long v) {
  return FlopsPerSecond(static_cast<double>(v) * 1e12);
}

}  // namespace literals

}  // namespace trainwright::model
