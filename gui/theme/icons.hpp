// The window's own line icons, drawn in the colour of the theme. One family, no files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QIcon>

namespace trainwright::gui {

enum class IconShape { scenario, result, timeline, undo, redo, theme, open };

[[nodiscard]] QIcon makeIcon(IconShape shape, const QColor& color);

}  // namespace trainwright::gui
