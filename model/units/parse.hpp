// Text with a unit to a quantity: "50 GB/s", "1.5 us", "80 GiB". Locale-independent; a number without a unit is refused
// (except 0), because two planners reading one data sheet must not differ by a factor of 8 or of 1.074.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/units/units.hpp"

namespace trainwright::model {

/// Either a value or, when value is empty, what is wrong and how to write it.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string problem;
  std::string hint;
};

/// s, ms, us, ns, min, h, d
[[nodiscard]] Parsed<Seconds> parse_seconds(std::string_view text);
/// B, kB, MB, GB, TB, PB (powers of 1000); KiB, MiB, GiB, TiB, PiB (powers of 1024). Not negative; a whole number of
/// bytes.
[[nodiscard]] Parsed<ByteCount> parse_byte_count(std::string_view text);
/// Any byte suffix followed by /s; and kbit/s, Mbit/s, Gbit/s, Tbit/s. Gb, GBps, Gbps are refused as ambiguous.
[[nodiscard]] Parsed<BytesPerSecond> parse_bytes_per_second(std::string_view text);
/// MFLOP, GFLOP, TFLOP, PFLOP, EFLOP
[[nodiscard]] Parsed<Flops> parse_flops(std::string_view text);
/// MFLOP/s, GFLOP/s, TFLOP/s, PFLOP/s, EFLOP/s
[[nodiscard]] Parsed<FlopsPerSecond> parse_flops_per_second(std::string_view text);

}  // namespace trainwright::model
