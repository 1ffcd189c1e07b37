// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/degree_spin_box.hpp"

#include <QSignalBlocker>
#include <QWheelEvent>
#include <algorithm>

namespace trainwright::gui {
namespace {

constexpr int kDerived = -1;  // the special value of the spin box; zero is a number (ZeRO 0)
constexpr int kMost = 1'000'000'000;

}  // namespace

DegreeSpinBox::DegreeSpinBox(bool canDerive, QWidget* parent) : QSpinBox(parent), canDerive_(canDerive) {
  setRange(canDerive ? kDerived : 0, kMost);
  setGroupSeparatorShown(true);
  setKeyboardTracking(false);
  setFocusPolicy(Qt::StrongFocus);
}

std::optional<std::int64_t> DegreeSpinBox::number() const {
  if (canDerive_ && value() == kDerived)
    return std::nullopt;
  return value();
}

void DegreeSpinBox::setNumber(std::optional<std::int64_t> number) {
  const int next = number ? static_cast<int>(std::clamp<std::int64_t>(*number, 0, kMost)) : (canDerive_ ? kDerived : 0);
  // Setting the same value again would throw away what the user is typing.
  if (next == value())
    return;
  const QSignalBlocker blocker(this);
  setValue(next);
}

void DegreeSpinBox::setDerivedText(const QString& text) {
  if (text != specialValueText())
    setSpecialValueText(text);
}

void DegreeSpinBox::stepBy(int steps) {
  std::int64_t next = value();
  for (int i = 0; i < std::abs(steps); ++i) {
    if (steps > 0)
      next = next < 1 ? next + 1 : next * 2;
    else
      next = next <= 1 ? next - 1 : next / 2;
  }
  setValue(static_cast<int>(std::clamp<std::int64_t>(next, minimum(), maximum())));
}

void DegreeSpinBox::wheelEvent(QWheelEvent* event) {
  // Scrolling the page must not change the layout under the pointer.
  if (hasFocus())
    QSpinBox::wheelEvent(event);
  else
    event->ignore();
}

}  // namespace trainwright::gui
