// Item roles shared by all models of the window. Text for the eye is Qt::DisplayRole; sorting and painting use raw
// values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Qt>

namespace trainwright::gui {

enum ItemRole {
  kSortRole = Qt::UserRole + 1,  ///< raw number or plain text
  kActivityRole,                 ///< int of Activity, decides colour and pattern
  kShareRole,                    ///< double, part of the whole, 0 .. 1
  kExplanationRole,              ///< text: what it is, why, what would help
  kIdRole,                       ///< id of a profile
  kFieldRole,                    ///< int of Field, where a problem sits
};

}  // namespace trainwright::gui
