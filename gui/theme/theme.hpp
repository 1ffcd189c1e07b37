// The look in force, light or dark, from the tokens. Handed down to whoever paints; signals when it changes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QObject>
#include <array>

#include "gui/settings/settings.hpp"
#include "gui/theme/tokens.hpp"
#include "gui/timeline/activity.hpp"

class QApplication;

namespace trainwright::gui {

class Theme : public QObject {
  Q_OBJECT

 public:
  enum class TextSize { small, normal, large };

  explicit Theme(QObject* parent = nullptr);

  /// Sets palette, font and style sheet of the application. `system` follows the palette the desktop gave the program.
  void apply(QApplication& application, ThemeMode mode);

  [[nodiscard]] bool isDark() const { return dark_; }
  [[nodiscard]] QColor color(const tokens::Tone& tone) const;
  [[nodiscard]] QColor activityColor(Activity activity) const;
  /// Colour with the pattern that tells the activity without colour.
  [[nodiscard]] QBrush activityBrush(Activity activity) const;
  [[nodiscard]] QColor memoryColor(model::MemoryTerm term) const;
  [[nodiscard]] QFont font(TextSize size, bool bold = false) const;

  /// Black or white, whichever reads better on `background`.
  [[nodiscard]] static QColor textOn(const QColor& background);

 Q_SIGNALS:
  void changed();

 private:
  [[nodiscard]] QString styleSheet() const;

  void refreshBrushes();

  bool dark_ = false;
  bool systemDark_ = false;
  std::array<QBrush, kActivityCount> brushes_;  ///< patterns cost a picture each, painting asks for thousands
};

}  // namespace trainwright::gui
