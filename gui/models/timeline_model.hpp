// A simulated step as a tree: ranks, and under each its streams with busy time and number of tasks. Bars themselves are
// drawn from TimelineData; a row for each of a million of them would serve nobody.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractItemModel>
#include <memory>

#include "gui/format/display_format.hpp"
#include "gui/timeline/timeline_data.hpp"

namespace trainwright::gui {

class TimelineModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { name_column, busy_column, share_column, tasks_column, column_count };

  explicit TimelineModel(QObject* parent = nullptr);

  void setTimeline(std::shared_ptr<const TimelineData> timeline);
  void setFormat(const DisplayFormat& format);
  [[nodiscard]] const std::shared_ptr<const TimelineData>& timeline() const { return timeline_; }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  // internalId: 0 for a rank, rank row + 1 for a stream of that rank.
  [[nodiscard]] QString name(const QModelIndex& index) const;
  [[nodiscard]] double busy(const QModelIndex& index) const;  ///< of a rank: its compute stream
  [[nodiscard]] qint64 tasks(const QModelIndex& index) const;
  [[nodiscard]] const TimelineRank& rankOf(const QModelIndex& index) const;

  DisplayFormat format_;
  std::shared_ptr<const TimelineData> timeline_;
};

/// "rank 3", or "rank 3 (and 15 alike)" for a folded one.
[[nodiscard]] QString rankName(const TimelineRank& rank, const DisplayFormat& format);

}  // namespace trainwright::gui
