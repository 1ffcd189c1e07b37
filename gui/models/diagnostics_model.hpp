// Problems of the scenario as a list: where, what, how to mend it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>

#include "model/base/diagnostic.hpp"

namespace trainwright::gui {

class DiagnosticsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { severity_column, field_column, message_column, hint_column, column_count };

  explicit DiagnosticsModel(QObject* parent = nullptr);

  void setDiagnostics(const model::Diagnostics& diagnostics);
  void retranslate();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  model::Diagnostics diagnostics_;
};

}  // namespace trainwright::gui
