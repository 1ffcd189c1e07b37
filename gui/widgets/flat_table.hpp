// A table that lies flat in a page: all rows visible, no scroll bars of its own, as high as its content.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTableView>

namespace trainwright::gui {

class FlatTable : public QTableView {
  Q_OBJECT

 public:
  explicit FlatTable(QWidget* parent = nullptr);

  void setModel(QAbstractItemModel* model) override;
  /// The column that takes the space left over, and whether its text wraps.
  void setStretchColumn(int column, bool wraps);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  int stretchColumn_ = 0;
};

}  // namespace trainwright::gui
