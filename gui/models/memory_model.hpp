// Memory of the fullest moment: stages as rows, terms as columns, with the peak, its phase and the free space before
// them. Terms that are zero on every stage have no column.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "gui/format/display_format.hpp"
#include "model/estimate/estimate.hpp"

namespace trainwright::gui {

class MemoryModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { stage_column, ranks_column, phase_column, peak_column, free_column, first_term_column };

  explicit MemoryModel(QObject* parent = nullptr);

  void setEstimate(std::shared_ptr<const model::Estimate> estimate);
  void setFormat(const DisplayFormat& format);

  /// The terms with a column, in order.
  [[nodiscard]] const std::vector<model::MemoryTerm>& terms() const { return terms_; }
  [[nodiscard]] const model::StageMemory& stageAt(int row) const;
  [[nodiscard]] model::ByteCount capacity() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] QString text(const QModelIndex& index) const;
  [[nodiscard]] QVariant raw(const QModelIndex& index) const;

  DisplayFormat format_;
  std::shared_ptr<const model::Estimate> estimate_;
  std::vector<model::MemoryTerm> terms_;
};

}  // namespace trainwright::gui
