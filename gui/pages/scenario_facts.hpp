// A model or a cluster in two lines, and a whole scenario in one, in the language of the window.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>

#include "gui/format/display_format.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::gui {

[[nodiscard]] QString modelFacts(const model::Model& model, const DisplayFormat& format);
[[nodiscard]] QString clusterFacts(const model::Cluster& cluster, const DisplayFormat& format);
/// Nodes of the cluster that hold a rank of the plan.
[[nodiscard]] int usedNodes(const model::Plan& plan);
/// "Llama 3 8B · 2 x DGX H100 · 16 GPUs · TP2 PP1 DP8"
[[nodiscard]] QString scenarioLine(const model::Plan& plan, const DisplayFormat& format);

}  // namespace trainwright::gui
