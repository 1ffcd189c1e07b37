// SPDX-License-Identifier: Apache-2.0
#include "model/units/parse.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>

namespace trainwright::model {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
};

constexpr std::array<Suffix, 7> kTime{
    {{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}}};

constexpr std::array<Suffix, 11> kData{{{"B", 1.0},
                                        {"kB", 1e3},
                                        {"MB", 1e6},
                                        {"GB", 1e9},
                                        {"TB", 1e12},
                                        {"PB", 1e15},
                                        {"KiB", 1024.0},
                                        {"MiB", 1048576.0},
                                        {"GiB", 1073741824.0},
                                        {"TiB", 1099511627776.0},
                                        {"PiB", 1125899906842624.0}}};

constexpr std::array<Suffix, 15> kDataRate{{{"B/s", 1.0},
                                            {"kB/s", 1e3},
                                            {"MB/s", 1e6},
                                            {"GB/s", 1e9},
                                            {"TB/s", 1e12},
                                            {"PB/s", 1e15},
                                            {"KiB/s", 1024.0},
                                            {"MiB/s", 1048576.0},
                                            {"GiB/s", 1073741824.0},
                                            {"TiB/s", 1099511627776.0},
                                            {"bit/s", 0.125},
                                            {"kbit/s", 125.0},
                                            {"Mbit/s", 125e3},
                                            {"Gbit/s", 125e6},
                                            {"Tbit/s", 125e9}}};

constexpr std::array<Suffix, 7> kWork{{{"FLOP", 1.0},
                                       {"MFLOP", 1e6},
                                       {"GFLOP", 1e9},
                                       {"TFLOP", 1e12},
                                       {"PFLOP", 1e15},
                                       {"EFLOP", 1e18},
                                       {"ZFLOP", 1e21}}};

constexpr std::array<Suffix, 6> kWorkRate{
    {{"FLOP/s", 1.0}, {"MFLOP/s", 1e6}, {"GFLOP/s", 1e9}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}, {"EFLOP/s", 1e18}}};

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

struct Number {
  std::optional<double> base_units;
  std::string problem;
};

Number parse_number(std::string_view text, std::span<const Suffix> suffixes) {
  const char* begin = text.data();
  const char* end = begin + text.size();
  double value = 0.0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range)
    return {std::nullopt, quoted(text) + " is out of range"};
  if (error != std::errc{} || rest == begin)
    return {std::nullopt, quoted(text) + " does not begin with a number"};
  if (!std::isfinite(value))
    return {std::nullopt, quoted(text) + " is not a finite number"};
  std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  while (!unit.empty() && unit.front() == ' ')
    unit.remove_prefix(1);
  if (unit.empty()) {
    if (value == 0.0)
      return {0.0, {}};
    return {std::nullopt, quoted(text) + " has no unit"};
  }
  for (const Suffix& suffix : suffixes)
    if (suffix.text == unit)
      return {value * suffix.factor, {}};
  return {std::nullopt, quoted(text) + " has no known unit"};
}

template <class T>
Parsed<T> parse_quantity(std::string_view text, std::span<const Suffix> suffixes, const std::string& hint) {
  const Number number = parse_number(text, suffixes);
  if (!number.base_units)
    return {std::nullopt, number.problem, hint};
  return {T(*number.base_units), {}, {}};
}

}  // namespace

Parsed<Seconds> parse_seconds(std::string_view text) {
  return parse_quantity<Seconds>(text, kTime, "write for example \"1.5 us\", \"20 ms\" or \"3 s\"");
}

Parsed<ByteCount> parse_byte_count(std::string_view text) {
  const std::string hint = "write for example \"512 kB\", \"80 GB\" (10^9) or \"80 GiB\" (2^30)";
  const Number number = parse_number(text, kData);
  if (!number.base_units)
    return {std::nullopt, number.problem, hint};
  if (*number.base_units < 0.0)
    return {std::nullopt, quoted(text) + " is negative", hint};
  if (*number.base_units > 9.0e18)
    return {std::nullopt, quoted(text) + " is out of range", hint};
  return {ByteCount(static_cast<std::int64_t>(std::llround(*number.base_units))), {}, {}};
}

Parsed<BytesPerSecond> parse_bytes_per_second(std::string_view text) {
  return parse_quantity<BytesPerSecond>(text, kDataRate, "write for example \"50 GB/s\" or \"400 Gbit/s\"");
}

Parsed<Flops> parse_flops(std::string_view text) {
  return parse_quantity<Flops>(text, kWork, "write for example \"12 TFLOP\"");
}

Parsed<FlopsPerSecond> parse_flops_per_second(std::string_view text) {
  return parse_quantity<FlopsPerSecond>(text, kWorkRate, "write for example \"989 TFLOP/s\"");
}

}  // namespace trainwright::model
