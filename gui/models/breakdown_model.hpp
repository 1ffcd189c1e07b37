// Parts of the step as a table: part, time, share. Rows are the parts that take time, in a fixed order; they sum to the
// step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "gui/format/display_format.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::gui {

class BreakdownModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { part_column, time_column, share_column, column_count };

  explicit BreakdownModel(QObject* parent = nullptr);

  /// Null empties the model.
  void setEstimate(std::shared_ptr<const model::Estimate> estimate);
  void setFormat(const DisplayFormat& format);

  [[nodiscard]] model::StepPart partAt(int row) const { return parts_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] double secondsAt(int row) const;
  [[nodiscard]] double shareAt(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  DisplayFormat format_;
  std::shared_ptr<const model::Estimate> estimate_;
  std::vector<model::StepPart> parts_;
};

}  // namespace trainwright::gui
