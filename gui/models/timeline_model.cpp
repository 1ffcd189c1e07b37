// SPDX-License-Identifier: Apache-2.0
#include "gui/models/timeline_model.hpp"

#include "gui/models/labels.hpp"
#include "gui/models/roles.hpp"

namespace trainwright::gui {

QString rankName(const TimelineRank& rank, const DisplayFormat& format) {
  const QString number = format.integer(rank.rank.value());
  if (rank.represents <= 1)
    return TimelineModel::tr("rank %1").arg(number);
  //: %1 number of a rank, %n how many other ranks behave the same
  return TimelineModel::tr("rank %1 (and %n alike)", nullptr, rank.represents - 1).arg(number);
}

TimelineModel::TimelineModel(QObject* parent) : QAbstractItemModel(parent) {}

void TimelineModel::setTimeline(std::shared_ptr<const TimelineData> timeline) {
  beginResetModel();
  timeline_ = std::move(timeline);
  endResetModel();
}

void TimelineModel::setFormat(const DisplayFormat& format) {
  beginResetModel();
  format_ = format;
  endResetModel();
}

QModelIndex TimelineModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent))
    return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : quintptr(0));
}

QModelIndex TimelineModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == 0)
    return {};
  return createIndex(static_cast<int>(child.internalId() - 1), 0, quintptr(0));
}

int TimelineModel::rowCount(const QModelIndex& parent) const {
  if (!timeline_ || parent.column() > 0)
    return 0;
  if (!parent.isValid())
    return static_cast<int>(timeline_->ranks.size());
  return parent.internalId() == 0 ? static_cast<int>(rankOf(parent).lanes.size()) : 0;
}

int TimelineModel::columnCount(const QModelIndex& /*parent*/) const {
  return column_count;
}

const TimelineRank& TimelineModel::rankOf(const QModelIndex& index) const {
  const auto row = index.internalId() == 0 ? static_cast<std::size_t>(index.row())
                                           : static_cast<std::size_t>(index.internalId() - 1);
  return timeline_->ranks[row];
}

QString TimelineModel::name(const QModelIndex& index) const {
  if (index.internalId() == 0)
    return rankName(rankOf(index), format_);
  return Labels::name(rankOf(index).lanes[static_cast<std::size_t>(index.row())].stream);
}

double TimelineModel::busy(const QModelIndex& index) const {
  const TimelineRank& rank = rankOf(index);
  if (index.internalId() != 0)
    return rank.lanes[static_cast<std::size_t>(index.row())].busy;
  for (const TimelineLane& lane : rank.lanes)
    if (lane.stream == model::Stream::compute)
      return lane.busy;
  return 0.0;
}

qint64 TimelineModel::tasks(const QModelIndex& index) const {
  const TimelineRank& rank = rankOf(index);
  if (index.internalId() != 0)
    return static_cast<qint64>(rank.lanes[static_cast<std::size_t>(index.row())].bars.size());
  qint64 sum = 0;
  for (const TimelineLane& lane : rank.lanes)
    sum += static_cast<qint64>(lane.bars.size());
  return sum;
}

QVariant TimelineModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  if (role == Qt::TextAlignmentRole)
    return index.column() == name_column ? int(Qt::AlignLeft | Qt::AlignVCenter)
                                         : int(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != kSortRole)
    return {};
  const bool raw = role == kSortRole;
  const double share = timeline_->end > 0.0 ? busy(index) / timeline_->end : 0.0;
  switch (index.column()) {
    case name_column:
      return name(index);
    case busy_column:
      return raw ? QVariant(busy(index)) : QVariant(format_.seconds(model::Seconds(busy(index))));
    case share_column:
      return raw ? QVariant(share) : QVariant(format_.percent(share, 1));
    case tasks_column:
      return raw ? QVariant(tasks(index)) : QVariant(format_.integer(tasks(index)));
    default:
      return {};
  }
}

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
    case name_column:
      return tr("Rank and stream");
    case busy_column:
      return tr("Busy");
    case share_column:
      return tr("Share of the step");
    case tasks_column:
      return tr("Tasks");
    default:
      return {};
  }
}

}  // namespace trainwright::gui
