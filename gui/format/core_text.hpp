// Sentences of the planner in the language of the window. The planner speaks English, in a known set of sentences with
// numbers and names in them; each sentence is known here with %1, %2 ... in their places and translated as such. A
// sentence that is not known stays English.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <string_view>

namespace trainwright::gui {

[[nodiscard]] QString coreText(std::string_view sentence);

}  // namespace trainwright::gui
