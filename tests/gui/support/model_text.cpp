// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support/model_text.hpp"

namespace trainwright::gui::testing_support {
namespace {

void appendRows(const QAbstractItemModel& model, const QModelIndex& parent, int depth, std::string& text) {
  for (int row = 0; row < model.rowCount(parent); ++row) {
    text += std::string(static_cast<std::size_t>(depth) * 2, ' ');
    for (int column = 0; column < model.columnCount(parent); ++column)
      text += (column == 0 ? "" : " | ") + plain(model.index(row, column, parent).data().toString());
    text += '\n';
    appendRows(model, model.index(row, 0, parent), depth + 1, text);
  }
}

}  // namespace

std::string plain(QString text) {
  return text.replace(QChar(0x00A0), QChar(u' ')).toStdString();
}

std::string modelText(const QAbstractItemModel& model) {
  std::string text;
  appendRows(model, {}, 0, text);
  return text;
}

std::string headerText(const QAbstractItemModel& model) {
  std::string text;
  for (int column = 0; column < model.columnCount(); ++column)
    text += (column == 0 ? "" : " | ") + plain(model.headerData(column, Qt::Horizontal).toString());
  return text;
}

}  // namespace trainwright::gui::testing_support
