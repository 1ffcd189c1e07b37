// SPDX-License-Identifier: Apache-2.0
#include "model/units/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string_view>

namespace trainwright::model {
namespace {

struct Suffix {
  std::string_view text;
  double factor;
};

// From the largest to the smallest.
constexpr std::array<Suffix, 4> kTime{{{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
constexpr std::array<Suffix, 6> kData{{{"PB", 1e15}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1.0}}};
constexpr std::array<Suffix, 6> kDataRate{
    {{"PB/s", 1e15}, {"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {"B/s", 1.0}}};
constexpr std::array<Suffix, 7> kWork{{{"ZFLOP", 1e21},
                                       {"EFLOP", 1e18},
                                       {"PFLOP", 1e15},
                                       {"TFLOP", 1e12},
                                       {"GFLOP", 1e9},
                                       {"MFLOP", 1e6},
                                       {"FLOP", 1.0}}};
constexpr std::array<Suffix, 6> kWorkRate{
    {{"EFLOP/s", 1e18}, {"PFLOP/s", 1e15}, {"TFLOP/s", 1e12}, {"GFLOP/s", 1e9}, {"MFLOP/s", 1e6}, {"FLOP/s", 1.0}}};

template <class... Arguments>
std::string chars(double value, Arguments... arguments) {
  std::array<char, 512> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, arguments...);
  return error == std::errc{} ? std::string(buffer.data(), end) : std::string("?");
}

std::string with_suffix(double value, std::span<const Suffix> suffixes, int digits) {
  if (value == 0.0)
    for (const Suffix& suffix : suffixes)
      if (suffix.factor == 1.0)
        return "0 " + std::string(suffix.text);
  const Suffix* chosen = &suffixes.back();
  for (const Suffix& suffix : suffixes)
    // The half digit keeps 999.96 from being printed as "1000 ms".
    if (std::abs(value) >= suffix.factor * (1.0 - 0.5 * std::pow(10.0, -digits))) {
      chosen = &suffix;
      break;
    }
  return format_significant(value / chosen->factor, digits) + " " + std::string(chosen->text);
}

}  // namespace

std::string format(Seconds value, int digits) {
  return with_suffix(value.count(), kTime, digits);
}
std::string format(BytesPerSecond value, int digits) {
  return with_suffix(value.count(), kDataRate, digits);
}
std::string format(Flops value, int digits) {
  return with_suffix(value.count(), kWork, digits);
}
std::string format(FlopsPerSecond value, int digits) {
  return with_suffix(value.count(), kWorkRate, digits);
}
std::string format(ByteCount value, int digits) {
  return with_suffix(static_cast<double>(value.count()), kData, digits);
}

std::string format_number(double value) {
  return chars(value);
}

std::string format_significant(double value, int digits) {
  if (value == 0.0 || !std::isfinite(value))
    return chars(value);
  const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double scale = std::pow(10.0, digits - 1 - exponent);
  const double rounded = std::round(value * scale) / scale;
  const int decimals = std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(rounded)))));
  std::string text = chars(rounded, std::chars_format::fixed, decimals);
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0')
      text.pop_back();
    if (text.back() == '.')
      text.pop_back();
  }
  return text;
}

std::string format_fixed(double value, int decimals) {
  return chars(value, std::chars_format::fixed, decimals);
}

}  // namespace trainwright::model
