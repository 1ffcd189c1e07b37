// SPDX-License-Identifier: Apache-2.0
#include "gui/widgets/flat_table.hpp"

#include <QHeaderView>

#include "gui/theme/tokens.hpp"

namespace trainwright::gui {

FlatTable::FlatTable(QWidget* parent) : QTableView(parent) {
  setShowGrid(false);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFrameShape(QFrame::NoFrame);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  verticalHeader()->setMinimumSectionSize(3 * tokens::kGrid);
  horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void FlatTable::setModel(QAbstractItemModel* model) {
  QTableView::setModel(model);
  if (model != nullptr) {
    connect(model, &QAbstractItemModel::modelReset, this, &FlatTable::fit);
    setStretchColumn(stretchColumn_, wordWrap());
  }
  fit();
}

void FlatTable::setStretchColumn(int column, bool wraps) {
  stretchColumn_ = column;
  setWordWrap(wraps);
  if (model() != nullptr && column < model()->columnCount())
    horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
}

QSize FlatTable::sizeHint() const {
  return {QTableView::sizeHint().width(), horizontalHeader()->sizeHint().height() + verticalHeader()->length() + 2};
}

QSize FlatTable::minimumSizeHint() const {
  return {16 * tokens::kGrid, sizeHint().height()};
}

void FlatTable::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  fit();
}

void FlatTable::fit() {
  resizeRowsToContents();
  setFixedHeight(sizeHint().height());
}

}  // namespace trainwright::gui
