// "If this resource were twice as fast": resource, step then, gain. Sorted by gain, largest first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "gui/format/display_format.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::gui {

class WhatIfModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { resource_column, step_column, gain_column, column_count };

  explicit WhatIfModel(QObject* parent = nullptr);

  void setEstimate(std::shared_ptr<const model::Estimate> estimate);
  void setFormat(const DisplayFormat& format);

  [[nodiscard]] const model::WhatIf& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  /// Part of the step that would be saved, 0 .. 1.
  [[nodiscard]] double gainAt(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  DisplayFormat format_;
  std::shared_ptr<const model::Estimate> estimate_;
  std::vector<model::WhatIf> rows_;
};

}  // namespace trainwright::gui
