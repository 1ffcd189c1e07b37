// Number formats of training arithmetic and their element sizes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "model/units/byte_count.hpp"

namespace trainwright::model {

enum class Precision : std::uint8_t { fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4, fp64 };

inline constexpr std::array<std::pair<std::string_view, Precision>, 8> kPrecisionWords{{{"fp32", Precision::fp32},
                                                                                        {"tf32", Precision::tf32},
                                                                                        {"fp16", Precision::fp16},
                                                                                        {"bf16", Precision::bf16},
                                                                                        {"fp8", Precision::fp8},
                                                                                        {"mxfp8", Precision::mxfp8},
                                                                                        {"nvfp4", Precision::nvfp4},
                                                                                        {"fp64", Precision::fp64}}};

[[nodiscard]] constexpr std::string_view to_word(Precision precision) {
  for (const auto& [word, value] : kPrecisionWords)
    if (value == precision)
      return word;
  return "?";
}

/// Bits of one element in memory, block scales included: mxfp8 8 + 8/32 (OCP MX 1.0), nvfp4 4 + 8/16.
[[nodiscard]] constexpr double bits_per_element(Precision precision) {
  switch (precision) {
    case Precision::fp64:
      return 64.0;
    case Precision::fp32:
    case Precision::tf32:
      return 32.0;
    case Precision::fp16:
    case Precision::bf16:
      return 16.0;
    case Precision::fp8:
      return 8.0;
    case Precision::mxfp8:
      return 8.25;
    case Precision::nvfp4:
      return 4.5;
  }
  return 32.0;
}

/// Bytes of `elements` elements, rounded up.
[[nodiscard]] constexpr ByteCount tensor_bytes(std::int64_t elements, Precision precision) {
  const double bytes = static_cast<double>(elements) * bits_per_element(precision) / 8.0;
  const auto whole = static_cast<std::int64_t>(bytes);
  return ByteCount(whole + (static_cast<double>(whole) < bytes ? 1 : 0));
}

/// Activations and messages of a run whose matrix products use `precision`: 8- and 4-bit recipes keep them in bf16.
[[nodiscard]] constexpr Precision activation_precision(Precision precision) {
  switch (precision) {
    case Precision::fp8:
    case Precision::mxfp8:
    case Precision::nvfp4:
      return Precision::bf16;
    case Precision::tf32:
      return Precision::fp32;
    default:
      return precision;
  }
}

}  // namespace trainwright::model
