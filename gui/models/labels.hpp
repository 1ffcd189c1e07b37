// Names and explanations of the planner's terms in the language of the window. One word per idea, as docs/glossary.md
// has it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string_view>

#include "gui/session/scenario_inputs.hpp"
#include "gui/timeline/activity.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::gui {

class Labels {
  Q_DECLARE_TR_FUNCTIONS(Labels)

 public:
  [[nodiscard]] static QString name(Activity activity);
  [[nodiscard]] static QString name(model::StepPart part);
  [[nodiscard]] static QString name(model::MemoryTerm term);
  [[nodiscard]] static QString name(model::Stream stream);
  [[nodiscard]] static QString name(model::MemoryVerdict verdict);
  [[nodiscard]] static QString name(model::EstimatorKind kind);
  [[nodiscard]] static QString name(Field field);

  /// What the part is, where it comes from and what would make it smaller.
  [[nodiscard]] static QString explanation(model::StepPart part);
  [[nodiscard]] static QString explanation(model::MemoryTerm term);
  [[nodiscard]] static QString explanation(Field field);

  /// "forward", "backward", "optimizer" and other phase words of a result.
  [[nodiscard]] static QString phase(std::string_view word);
  /// "compute", "memory bandwidth", "node link" ... as a result names what limits it.
  [[nodiscard]] static QString resource(std::string_view word);
  /// The resource of "network: twice as fast would cut the step by 12 %"; the gain is in the what-ifs.
  [[nodiscard]] static QString bottleneck(std::string_view sentence);
};

}  // namespace trainwright::gui
