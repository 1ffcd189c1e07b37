// An item model as text, so that an expectation reads like the screen.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractItemModel>
#include <string>

namespace trainwright::gui::testing_support {

/// One line for each row, columns joined by " | ", children indented by two blanks. No-break spaces become blanks.
[[nodiscard]] std::string modelText(const QAbstractItemModel& model);
/// The horizontal header, columns joined by " | ".
[[nodiscard]] std::string headerText(const QAbstractItemModel& model);
/// UTF-8 with no-break spaces as blanks.
[[nodiscard]] std::string plain(QString text);

}  // namespace trainwright::gui::testing_support
