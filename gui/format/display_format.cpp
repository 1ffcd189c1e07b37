// SPDX-License-Identifier: Apache-2.0
#include "gui/format/display_format.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

constexpr QChar kNoBreakSpace{0x00A0};
constexpr QChar kEnDash{0x2013};

struct Prefix {
  double scale;
  const char16_t* symbol;
};

constexpr std::array<Prefix, 4> kTimePrefixes{{{1.0, u"s"}, {1e-3, u"ms"}, {1e-6, u"µs"}, {1e-9, u"ns"}}};
constexpr std::array<Prefix, 6> kBytePrefixes{
    {{1e15, u"PB"}, {1e12, u"TB"}, {1e9, u"GB"}, {1e6, u"MB"}, {1e3, u"kB"}, {1.0, u"B"}}};
constexpr std::array<Prefix, 6> kBandwidthPrefixes{
    {{1e15, u"PB/s"}, {1e12, u"TB/s"}, {1e9, u"GB/s"}, {1e6, u"MB/s"}, {1e3, u"kB/s"}, {1.0, u"B/s"}}};
constexpr std::array<Prefix, 5> kFlopRatePrefixes{
    {{1e18, u"EFLOP/s"}, {1e15, u"PFLOP/s"}, {1e12, u"TFLOP/s"}, {1e9, u"GFLOP/s"}, {1e6, u"MFLOP/s"}}};
constexpr std::array<Prefix, 4> kParameterPrefixes{{{1e12, u"T"}, {1e9, u"B"}, {1e6, u"M"}, {1e3, u"K"}}};

/// The largest prefix in which the number is at least 1; zero is shown in the first base unit.
template <std::size_t Count>
DisplayUnit unitOf(double value, const std::array<Prefix, Count>& prefixes) {
  const double size = std::abs(value);
  for (const Prefix& prefix : prefixes)
    if (size >= prefix.scale * (1.0 - 1e-9))
      return {prefix.scale, QString::fromUtf16(prefix.symbol)};
  const Prefix& fallback = size == 0.0 ? prefixes.front() : prefixes.back();
  return {fallback.scale, QString::fromUtf16(fallback.symbol)};
}

int decimalsFor(double value, int digits) {
  if (value == 0.0)
    return 0;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-12));
  return std::clamp(digits - 1 - magnitude, 0, 9);
}

}  // namespace

DisplayFormat::DisplayFormat(QLocale locale) : locale_(std::move(locale)) {}

QString DisplayFormat::significant(double value, int digits) const {
  if (!std::isfinite(value))
    return QString(kEnDash);
  return locale_.toString(value, 'f', decimalsFor(value, digits));
}

QString DisplayFormat::inUnit(double baseValue, const DisplayUnit& unit, int digits) const {
  return significant(baseValue / unit.scale, digits) + kNoBreakSpace + unit.symbol;
}

QString DisplayFormat::seconds(model::Seconds value, int digits) const {
  constexpr double kDay = 86400.0;
  constexpr double kHour = 3600.0;
  if (std::abs(value.count()) >= 2 * kDay)
    return inUnit(value.count(), {kDay, u"d"_s}, digits);
  if (std::abs(value.count()) >= 2 * kHour)
    return inUnit(value.count(), {kHour, u"h"_s}, digits);
  return inUnit(value.count(), timeUnit(value), digits);
}

QString DisplayFormat::bytes(model::ByteCount value, int digits) const {
  return inUnit(static_cast<double>(value.count()), byteUnit(value), digits);
}

QString DisplayFormat::bandwidth(model::BytesPerSecond value, int digits) const {
  return inUnit(value.count(), unitOf(value.count(), kBandwidthPrefixes), digits);
}

QString DisplayFormat::flopRate(model::FlopsPerSecond value, int digits) const {
  return inUnit(value.count(), unitOf(value.count(), kFlopRatePrefixes), digits);
}

QString DisplayFormat::interval(model::Seconds value, model::Seconds low, model::Seconds high) const {
  const DisplayUnit unit = timeUnit(value);
  return u"%1 (%2%3%4)"_s.arg(inUnit(value.count(), unit), significant(low.count() / unit.scale), QString(kEnDash),
                              significant(high.count() / unit.scale));
}

QString DisplayFormat::bytesOf(model::ByteCount part, model::ByteCount whole) const {
  const DisplayUnit unit = byteUnit(whole);
  return significant(static_cast<double>(part.count()) / unit.scale) + u" / "_s +
         inUnit(static_cast<double>(whole.count()), unit);
}

QString DisplayFormat::percent(double fraction, int decimals) const {
  if (!std::isfinite(fraction))
    return QString(kEnDash);
  return locale_.toString(fraction * 100.0, 'f', decimals) + kNoBreakSpace + u'%';
}

QString DisplayFormat::signedPercent(double fraction, int decimals) const {
  // What rounds to nothing has no sign.
  if (std::abs(fraction) * 100.0 < 0.5 * std::pow(10.0, -decimals))
    return percent(0.0, decimals);
  const QString text = percent(fraction, decimals);
  return fraction > 0.0 ? u'+' + text : text;
}

QString DisplayFormat::integer(qint64 value) const {
  return locale_.toString(value);
}

QString DisplayFormat::factor(double value) const {
  return locale_.toString(value, 'g', 3);
}

QString DisplayFormat::parameters(qint64 count) const {
  if (count < 1000)
    return integer(count);
  return inUnit(static_cast<double>(count), unitOf(static_cast<double>(count), kParameterPrefixes));
}

DisplayUnit DisplayFormat::timeUnit(model::Seconds max) {
  return unitOf(max.count(), kTimePrefixes);
}

DisplayUnit DisplayFormat::byteUnit(model::ByteCount max) {
  if (max.count() == 0)
    return {1.0, u"B"_s};
  return unitOf(static_cast<double>(max.count()), kBytePrefixes);
}

}  // namespace trainwright::gui
