// SPDX-License-Identifier: Apache-2.0
#include "gui/models/advice_model.hpp"

#include "gui/format/core_text.hpp"
#include "gui/models/roles.hpp"

namespace trainwright::gui {

AdviceModel::AdviceModel(QObject* parent) : QAbstractTableModel(parent) {}

void AdviceModel::setEstimate(std::shared_ptr<const model::Estimate> estimate) {
  beginResetModel();
  estimate_ = std::move(estimate);
  endResetModel();
}

void AdviceModel::setFormat(const DisplayFormat& format) {
  beginResetModel();
  format_ = format;
  endResetModel();
}

int AdviceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !estimate_ ? 0 : static_cast<int>(estimate_->advice.size());
}

int AdviceModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QString AdviceModel::stepChange(const model::Advice& advice) const {
  if (!advice.step_after || estimate_->step.count() <= 0.0)
    return tr("not computed");
  return format_.signedPercent(*advice.step_after / estimate_->step - 1.0, 1);
}

QString AdviceModel::memoryChange(const model::Advice& advice) const {
  return advice.peak_memory_after ? format_.bytes(*advice.peak_memory_after) : tr("not computed");
}

QVariant AdviceModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const model::Advice& advice = estimate_->advice[static_cast<std::size_t>(index.row())];
  if (role == kSortRole) {
    if (index.column() == step_column)
      return advice.step_after ? advice.step_after->count() : estimate_->step.count();
    if (index.column() == memory_column)
      return advice.peak_memory_after ? static_cast<qlonglong>(advice.peak_memory_after->count()) : qlonglong(0);
  }
  if (role == Qt::ToolTipRole || role == kExplanationRole)
    return coreText(advice.reason);
  if (role != Qt::DisplayRole && role != kSortRole)
    return {};
  switch (index.column()) {
    case action_column:
      return coreText(advice.action);
    case step_column:
      return stepChange(advice);
    case memory_column:
      return memoryChange(advice);
    case reason_column:
      return coreText(advice.reason);
    default:
      return {};
  }
}

QVariant AdviceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
    case action_column:
      return tr("What to try");
    case step_column:
      return tr("Step time");
    case memory_column:
      return tr("Peak memory");
    case reason_column:
      return tr("Why");
    default:
      return {};
  }
}

}  // namespace trainwright::gui
