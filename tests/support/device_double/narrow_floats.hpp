// fp16, bf16 and fp8 (e4m3) as values, for arithmetic of the double: exact decoding, rounding to nearest even.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "executor/cuda/kernel_bodies.hpp"

namespace trainwright::test {

template <class Bits, int kExponent, int kMantissa>
struct NarrowFloat {
  static constexpr int kBias = (1 << (kExponent - 1)) - 1;
  Bits bits = 0;

  static NarrowFloat from(float value) {
    const Bits sign = std::signbit(value) ? Bits(1U << (kExponent + kMantissa)) : Bits(0);
    constexpr auto kTop = static_cast<std::int64_t>((1U << kExponent) - 1U) << kMantissa;  // infinity, beyond it NaN
    if (std::isnan(value))
      return {static_cast<Bits>(sign | (kTop + 1))};
    if (value == 0.0F)
      return {sign};
    int exponent = 0;
    std::frexp(value, &exponent);
    // Steps of the format at this magnitude; subnormal numbers share the smallest.
    const int step = (exponent - 1 < 1 - kBias ? 1 - kBias : exponent - 1) - kMantissa;
    const auto steps = static_cast<std::int64_t>(std::nearbyint(std::ldexp(std::fabs(value), -step)));
    const std::int64_t bits = ((static_cast<std::int64_t>(step) + kMantissa + kBias - 1) << kMantissa) + steps;
    return {static_cast<Bits>(sign | (bits > kTop ? kTop : bits))};
  }

  [[nodiscard]] float value() const {
    const int exponent = (bits >> kMantissa) & ((1 << kExponent) - 1);
    const int mantissa = bits & ((1 << kMantissa) - 1);
    const float sign = ((bits >> (kExponent + kMantissa)) & 1) != 0 ? -1.0F : 1.0F;
    if (exponent == (1 << kExponent) - 1)
      return mantissa == 0 ? sign * std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    const int whole = exponent == 0 ? mantissa : mantissa + (1 << kMantissa);
    return sign * std::ldexp(static_cast<float>(whole), (exponent == 0 ? 1 : exponent) - kBias - kMantissa);
  }
};

using Half = NarrowFloat<std::uint16_t, 5, 10>;
using Bfloat = NarrowFloat<std::uint16_t, 8, 7>;
/// With infinity, which e4m3 of the cards has not; nothing here comes near it.
using Fp8 = NarrowFloat<std::uint8_t, 4, 3>;

template <class Bits, int kExponent, int kMantissa>
float to_float(NarrowFloat<Bits, kExponent, kMantissa> number) {
  return number.value();
}

/// Calls `function` with a value of the C++ type that stands for `type`.
template <class Function>
void with_type(executor::ElementType type, Function function) {
  switch (type) {
    case executor::ElementType::fp32:
    case executor::ElementType::tf32:
      return function(float{});
    case executor::ElementType::fp16:
      return function(Half{});
    case executor::ElementType::bf16:
      return function(Bfloat{});
    case executor::ElementType::fp8:
      return function(Fp8{});
  }
}

}  // namespace trainwright::test

namespace trainwright::executor::body {

template <>
inline test::Half from_float<test::Half>(float value) {
  return test::Half::from(value);
}
template <>
inline test::Bfloat from_float<test::Bfloat>(float value) {
  return test::Bfloat::from(value);
}
template <>
inline test::Fp8 from_float<test::Fp8>(float value) {
  return test::Fp8::from(value);
}

}  // namespace trainwright::executor::body
