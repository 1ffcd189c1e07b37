// The device mesh of a plan as a small grid: nodes as rows, devices as cells; colour tells the TP group inside its
// stage, the label the stage and the DP replica. Large clusters show the first nodes and say how many follow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "gui/theme/theme.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::gui {

class MeshView : public QWidget {
  Q_OBJECT

 public:
  explicit MeshView(const Theme& theme, QWidget* parent = nullptr);

  /// Null clears it.
  void setPlan(std::shared_ptr<const model::Plan> plan);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  struct Cell {
    model::RankId rank;
    model::Coordinates at;
  };
  [[nodiscard]] int shownNodes() const;
  [[nodiscard]] QRect cellRect(int node, int slot) const;

  const Theme& theme_;
  std::shared_ptr<const model::Plan> plan_;
  std::vector<std::vector<Cell>> nodes_;
  int hiddenNodes_ = 0;  ///< used by the plan, but beyond what is drawn
};

}  // namespace trainwright::gui
