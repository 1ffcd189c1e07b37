// SPDX-License-Identifier: Apache-2.0
#include "gui/models/profile_list_model.hpp"

#include "gui/format/text.hpp"
#include "gui/models/roles.hpp"

namespace trainwright::gui {

ProfileListModel::ProfileListModel(QObject* parent) : QAbstractListModel(parent) {}

void ProfileListModel::setProfiles(std::vector<ProfileEntry> profiles) {
  beginResetModel();
  profiles_ = std::move(profiles);
  endResetModel();
}

void ProfileListModel::setOpened(std::optional<ProfileEntry> opened) {
  beginResetModel();
  opened_ = std::move(opened);
  endResetModel();
}

void ProfileListModel::setFormat(const DisplayFormat& format) {
  beginResetModel();
  format_ = format;
  endResetModel();
}

int ProfileListModel::rowOf(const std::string& id) const {
  for (int row = 0; row < rowCount(); ++row)
    if (at(row).id == id)
      return row;
  return -1;
}

const ProfileEntry& ProfileListModel::at(int row) const {
  if (opened_)
    return row == 0 ? *opened_ : profiles_[static_cast<std::size_t>(row - 1)];
  return profiles_[static_cast<std::size_t>(row)];
}

int ProfileListModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(profiles_.size()) + (opened_ ? 1 : 0);
}

QString ProfileListModel::text(const ProfileEntry& entry) const {
  const QString name = toQString(entry.name.empty() ? entry.id : entry.name);
  if (entry.parameters > 0)
    //: %1 name of a model, %2 its size such as "8.03 B"
    return tr("%1 (%2 parameters)").arg(name, format_.parameters(entry.parameters));
  if (entry.devices > 0)
    //: %1 name of a cluster, %2 a number
    return tr("%1 (%2 devices a node)").arg(name, format_.integer(entry.devices));
  return name;
}

QVariant ProfileListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const ProfileEntry& entry = at(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return text(entry);
    case kSortRole:
      return toQString(entry.name);
    case kIdRole:
      return toQString(entry.id);
    default:
      return {};
  }
}

}  // namespace trainwright::gui
