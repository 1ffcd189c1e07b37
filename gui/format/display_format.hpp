// Quantities as the user reads them: localised digits, SI prefixes, significant digits. The only place of the window
// that turns numbers into text. Files and logs have their own canonical text (model/units/format.hpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLocale>
#include <QString>

#include "model/units/units.hpp"

namespace trainwright::gui {

/// A prefix chosen once for an axis: value in the unit = value in base units / `scale`.
struct DisplayUnit {
  double scale = 1.0;
  QString symbol;
};

class DisplayFormat {
 public:
  explicit DisplayFormat(QLocale locale = QLocale::c());

  [[nodiscard]] const QLocale& locale() const { return locale_; }

  [[nodiscard]] QString seconds(model::Seconds value, int digits = 3) const;
  [[nodiscard]] QString bytes(model::ByteCount value, int digits = 3) const;
  [[nodiscard]] QString bandwidth(model::BytesPerSecond value, int digits = 3) const;
  [[nodiscard]] QString flopRate(model::FlopsPerSecond value, int digits = 3) const;
  /// "412 ms (394 - 430)": the value with its 90 % interval, all in the unit of the value.
  [[nodiscard]] QString interval(model::Seconds value, model::Seconds low, model::Seconds high) const;
  /// "61.2 of 80.0 GB", one unit for both.
  [[nodiscard]] QString bytesOf(model::ByteCount part, model::ByteCount whole) const;
  [[nodiscard]] QString percent(double fraction, int decimals = 0) const;
  /// "+12 %": signed change.
  [[nodiscard]] QString signedPercent(double fraction, int decimals = 0) const;
  [[nodiscard]] QString integer(qint64 value) const;
  /// `digits` significant digits with grouping: "87,400".
  [[nodiscard]] QString significant(double value, int digits = 3) const;
  /// A factor without needless zeros: "2", "1.5".
  [[nodiscard]] QString factor(double value) const;
  /// Parameters of a network: "8.03 B", "124 M".
  [[nodiscard]] QString parameters(qint64 count) const;
  [[nodiscard]] QString inUnit(double baseValue, const DisplayUnit& unit, int digits = 3) const;

  /// The prefix for an axis that reaches `max`.
  [[nodiscard]] static DisplayUnit timeUnit(model::Seconds max);
  [[nodiscard]] static DisplayUnit byteUnit(model::ByteCount max);

 private:
  QLocale locale_;
};

}  // namespace trainwright::gui
