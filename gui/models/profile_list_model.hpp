// Profiles to choose from (models or clusters), with one extra entry for a description that came with a file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAbstractListModel>
#include <optional>
#include <string>
#include <vector>

#include "gui/format/display_format.hpp"
#include "gui/session/plan_source.hpp"

namespace trainwright::gui {

class ProfileListModel : public QAbstractListModel {
  Q_OBJECT

 public:
  explicit ProfileListModel(QObject* parent = nullptr);

  void setProfiles(std::vector<ProfileEntry> profiles);
  /// The entry of an opened file, listed first; none removes it.
  void setOpened(std::optional<ProfileEntry> opened);
  void setFormat(const DisplayFormat& format);
  /// Row of the id, -1 when there is none.
  [[nodiscard]] int rowOf(const std::string& id) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  [[nodiscard]] const ProfileEntry& at(int row) const;
  [[nodiscard]] QString text(const ProfileEntry& entry) const;

  DisplayFormat format_;
  std::optional<ProfileEntry> opened_;
  std::vector<ProfileEntry> profiles_;
};

}  // namespace trainwright::gui
