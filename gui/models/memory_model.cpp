// SPDX-License-Identifier: Apache-2.0
#include "gui/models/memory_model.hpp"

#include <algorithm>

#include "gui/format/text.hpp"
#include "gui/models/labels.hpp"
#include "gui/models/roles.hpp"

namespace trainwright::gui {

MemoryModel::MemoryModel(QObject* parent) : QAbstractTableModel(parent) {}

void MemoryModel::setEstimate(std::shared_ptr<const model::Estimate> estimate) {
  beginResetModel();
  estimate_ = std::move(estimate);
  terms_.clear();
  for (std::size_t i = 0; estimate_ && i < model::kMemoryTermCount; ++i) {
    const auto& stages = estimate_->memory.stages;
    if (std::any_of(stages.begin(), stages.end(), [i](const auto& stage) { return stage.terms[i].count() > 0; }))
      terms_.push_back(static_cast<model::MemoryTerm>(i));
  }
  endResetModel();
}

void MemoryModel::setFormat(const DisplayFormat& format) {
  beginResetModel();
  format_ = format;
  endResetModel();
}

const model::StageMemory& MemoryModel::stageAt(int row) const {
  return estimate_->memory.stages[static_cast<std::size_t>(row)];
}

model::ByteCount MemoryModel::capacity() const {
  return estimate_ ? estimate_->memory.capacity : model::ByteCount(0);
}

int MemoryModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !estimate_ ? 0 : static_cast<int>(estimate_->memory.stages.size());
}

int MemoryModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : first_term_column + static_cast<int>(terms_.size());
}

QVariant MemoryModel::raw(const QModelIndex& index) const {
  const model::StageMemory& stage = stageAt(index.row());
  switch (index.column()) {
    case stage_column:
      return stage.stage.value();
    case ranks_column:
      return stage.ranks;
    case phase_column:
      return toQString(stage.peak_phase);
    case peak_column:
      return static_cast<qlonglong>(stage.peak.count());
    case free_column:
      return static_cast<qlonglong>((capacity() - stage.peak).count());
    default: {
      const auto term = terms_[static_cast<std::size_t>(index.column() - first_term_column)];
      return static_cast<qlonglong>(stage.terms[static_cast<std::size_t>(term)].count());
    }
  }
}

QString MemoryModel::text(const QModelIndex& index) const {
  const model::StageMemory& stage = stageAt(index.row());
  switch (index.column()) {
    case stage_column:
      return format_.integer(stage.stage.value());
    case ranks_column:
      return format_.integer(stage.ranks);
    case phase_column:
      return Labels::phase(stage.peak_phase);
    default:
      return format_.bytes(model::ByteCount(raw(index).toLongLong()));
  }
}

QVariant MemoryModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  switch (role) {
    case Qt::DisplayRole:
      return text(index);
    case kSortRole:
      return raw(index);
    case Qt::TextAlignmentRole:
      return index.column() == phase_column ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                            : int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::ToolTipRole:
    case kExplanationRole:
      if (index.column() >= first_term_column)
        return Labels::explanation(terms_[static_cast<std::size_t>(index.column() - first_term_column)]);
      return {};
    default:
      return {};
  }
}

QVariant MemoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
    return {};
  switch (section) {
    case stage_column:
      return tr("Stage");
    case ranks_column:
      return tr("Ranks");
    case phase_column:
      return tr("Peak in");
    case peak_column:
      return tr("Peak");
    case free_column:
      return tr("Free");
    default:
      return Labels::name(terms_[static_cast<std::size_t>(section - first_term_column)]);
  }
}

}  // namespace trainwright::gui
