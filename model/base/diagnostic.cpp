// SPDX-License-Identifier: Apache-2.0
#include "model/base/diagnostic.hpp"

#include <algorithm>

namespace trainwright::model {

std::string to_text(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.source.empty())
    text += diagnostic.source + ": ";
  if (diagnostic.severity == Severity::warning)
    text += "warning: ";
  if (diagnostic.severity == Severity::note)
    text += "note: ";
  if (!diagnostic.path.empty())
    text += diagnostic.path + ": ";
  text += diagnostic.message;
  if (!diagnostic.hint.empty())
    text += "; " + diagnostic.hint;
  if (!diagnostic.rule.empty())
    text += " [" + diagnostic.rule + "]";
  return text;
}

bool Diagnostics::has_errors() const {
  return std::any_of(list_.begin(), list_.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
}

std::string Diagnostics::to_text() const {
  std::string text;
  for (const Diagnostic& diagnostic : list_)
    text += model::to_text(diagnostic) + "\n";
  return text;
}

}  // namespace trainwright::model
