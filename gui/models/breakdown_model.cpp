// SPDX-License-Identifier: Apache-2.0
#include "gui/models/breakdown_model.hpp"

#include "gui/models/labels.hpp"
#include "gui/models/roles.hpp"

namespace trainwright::gui {

BreakdownModel::BreakdownModel(QObject* parent) : QAbstractTableModel(parent) {}

void BreakdownModel::setEstimate(std::shared_ptr<const model::Estimate> estimate) {
  beginResetModel();
  estimate_ = std::move(estimate);
  parts_.clear();
  for (std::size_t i = 0; estimate_ && i < model::kStepPartCount; ++i)
    if (estimate_->breakdown[i] > 0.0)
      parts_.push_back(static_cast<model::StepPart>(i));
  endResetModel();
}

void BreakdownModel::setFormat(const DisplayFormat& format) {
  beginResetModel();
  format_ = format;
  endResetModel();
}

double BreakdownModel::secondsAt(int row) const {
  return estimate_->breakdown[static_cast<std::size_t>(partAt(row))];
}

double BreakdownModel::shareAt(int row) const {
  const double step = estimate_->step.count();
  return step > 0.0 ? secondsAt(row) / step : 0.0;
}

int BreakdownModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(parts_.size());
}

int BreakdownModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QVariant BreakdownModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const model::StepPart part = partAt(index.row());
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == part_column)
        return Labels::name(part);
      if (index.column() == time_column)
        return format_.seconds(model::Seconds(secondsAt(index.row())));
      return format_.percent(shareAt(index.row()), 1);
    case Qt::ToolTipRole:
    case kExplanationRole:
      return Labels::explanation(part);
    case Qt::TextAlignmentRole:
      return index.column() == part_column ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                           : int(Qt::AlignRight | Qt::AlignVCenter);
    case kSortRole:
      return index.column() == part_column ? QVariant(static_cast<int>(part)) : QVariant(secondsAt(index.row()));
    case kShareRole:
      return shareAt(index.row());
    case kActivityRole:
      return static_cast<int>(activityOf(part));
    default:
      return {};
  }
}

QVariant BreakdownModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal)
    return {};
  if (role == Qt::TextAlignmentRole)
    return section == part_column ? int(Qt::AlignLeft | Qt::AlignVCenter) : int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole)
    return {};
  switch (section) {
    case part_column:
      return tr("Part of the step");
    case time_column:
      return tr("Time");
    case share_column:
      return tr("Share");
    default:
      return {};
  }
}

}  // namespace trainwright::gui
