// Pictures of every page in every language and theme, for the documents and for looking at the window in CI.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace trainwright::gui {

class Composition;

/// Writes <page>_<language>_<theme>.png into `folder` once the first prediction (and a simulation, where there is a
/// simulator) is there, then quits the program; exit code 3 when a file cannot be written.
void takeScreenshots(Composition& composition, const QString& folder);

}  // namespace trainwright::gui
