// What to try next, in the order of the estimate (best first): action, reason, gain in time, memory afterwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <memory>

#include "gui/format/display_format.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::gui {

class AdviceModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { action_column, step_column, memory_column, reason_column, column_count };

  explicit AdviceModel(QObject* parent = nullptr);

  void setEstimate(std::shared_ptr<const model::Estimate> estimate);
  void setFormat(const DisplayFormat& format);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] QString stepChange(const model::Advice& advice) const;
  [[nodiscard]] QString memoryChange(const model::Advice& advice) const;

  DisplayFormat format_;
  std::shared_ptr<const model::Estimate> estimate_;
};

}  // namespace trainwright::gui
