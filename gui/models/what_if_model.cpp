// SPDX-License-Identifier: Apache-2.0
#include "gui/models/what_if_model.hpp"

#include <algorithm>

#include "gui/models/labels.hpp"
#include "gui/models/roles.hpp"

namespace trainwright::gui {

WhatIfModel::WhatIfModel(QObject* parent) : QAbstractTableModel(parent) {}

void WhatIfModel::setEstimate(std::shared_ptr<const model::Estimate> estimate) {
  beginResetModel();
  estimate_ = std::move(estimate);
  rows_.clear();
  if (estimate_)
    rows_ = estimate_->what_ifs;
  std::stable_sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.step < b.step; });
  endResetModel();
}

void WhatIfModel::setFormat(const DisplayFormat& format) {
  beginResetModel();
  format_ = format;
  endResetModel();
}

double WhatIfModel::gainAt(int row) const {
  const double step = estimate_->step.count();
  return step > 0.0 ? 1.0 - at(row).step.count() / step : 0.0;
}

int WhatIfModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int WhatIfModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QVariant WhatIfModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const model::WhatIf& row = at(index.row());
  if (role == kShareRole)
    return gainAt(index.row());
  if (role == Qt::TextAlignmentRole)
    return index.column() == resource_column ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                             : int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != kSortRole)
    return {};
  const bool raw = role == kSortRole;
  switch (index.column()) {
    case resource_column:
      return Labels::resource(row.resource);
    case step_column:
      return raw ? QVariant(row.step.count()) : QVariant(format_.seconds(row.step));
    case gain_column:
      return raw ? QVariant(gainAt(index.row())) : QVariant(format_.signedPercent(-gainAt(index.row()), 1));
    default:
      return {};
  }
}

QVariant WhatIfModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
    case resource_column:
      //: %1 a factor such as 2
      return tr("If %1 times as fast").arg(format_.factor(rows_.empty() ? 2.0 : rows_.front().factor));
    case step_column:
      return tr("Step");
    case gain_column:
      return tr("Change");
    default:
      return {};
  }
}

}  // namespace trainwright::gui
