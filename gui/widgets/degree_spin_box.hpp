// A number that may be left to be derived. Steps double and halve, since degrees and batches are rarely anything else;
// other numbers can be typed. Impossible values stay enterable: the problem at the field says why they are refused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSpinBox>
#include <cstdint>
#include <optional>

namespace trainwright::gui {

class DegreeSpinBox : public QSpinBox {
  Q_OBJECT

 public:
  /// `canDerive`: the lowest position means "derive it".
  explicit DegreeSpinBox(bool canDerive, QWidget* parent = nullptr);

  [[nodiscard]] std::optional<std::int64_t> number() const;
  /// Does not signal.
  void setNumber(std::optional<std::int64_t> number);
  /// Shown while nothing is entered: "auto (8)".
  void setDerivedText(const QString& text);
  void stepBy(int steps) override;

 protected:
  void wheelEvent(QWheelEvent* event) override;

 private:
  bool canDerive_;
};

}  // namespace trainwright::gui
