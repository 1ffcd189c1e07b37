// Canonical text of quantities for files, logs and the command line; parse(format(x)) == x up to the printed digits.
// Display in the user's language is the window's own business (gui/format).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/units/units.hpp"

namespace trainwright::model {

/// Largest unit that keeps the number at or above 1, `digits` significant digits: "412 ms", "1.53 us".
[[nodiscard]] std::string format(Seconds value, int digits = 3);
[[nodiscard]] std::string format(BytesPerSecond value, int digits = 3);
[[nodiscard]] std::string format(Flops value, int digits = 3);
[[nodiscard]] std::string format(FlopsPerSecond value, int digits = 3);
/// Decimal units: "61.2 GB".
[[nodiscard]] std::string format(ByteCount value, int digits = 3);

/// Shortest decimal text of a finite number that reads back as the same double; independent of the locale.
[[nodiscard]] std::string format_number(double value);
/// `digits` significant digits, independent of the locale.
[[nodiscard]] std::string format_significant(double value, int digits);
/// `decimals` places after the point, independent of the locale.
[[nodiscard]] std::string format_fixed(double value, int decimals);

}  // namespace trainwright::model
