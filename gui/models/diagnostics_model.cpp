// SPDX-License-Identifier: Apache-2.0
#include "gui/models/diagnostics_model.hpp"

#include "gui/format/core_text.hpp"
#include "gui/format/text.hpp"
#include "gui/models/labels.hpp"
#include "gui/models/roles.hpp"

namespace trainwright::gui {

DiagnosticsModel::DiagnosticsModel(QObject* parent) : QAbstractTableModel(parent) {}

void DiagnosticsModel::setDiagnostics(const model::Diagnostics& diagnostics) {
  beginResetModel();
  diagnostics_ = diagnostics;
  endResetModel();
}

void DiagnosticsModel::retranslate() {
  beginResetModel();
  endResetModel();
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(diagnostics_.list().size());
}

int DiagnosticsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : column_count;
}

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
    return {};
  const model::Diagnostic& problem = diagnostics_.list()[static_cast<std::size_t>(index.row())];
  if (role == kFieldRole)
    return static_cast<int>(fieldOf(problem));
  if (role == kSortRole && index.column() == severity_column)
    return static_cast<int>(problem.severity);
  if (role != Qt::DisplayRole && role != kSortRole)
    return {};
  switch (index.column()) {
    case severity_column:
      switch (problem.severity) {
        case model::Severity::error:
          return tr("Error");
        case model::Severity::warning:
          return tr("Warning");
        case model::Severity::note:
          return tr("Note");
      }
      return {};
    case field_column:
      return fieldOf(problem) == Field::none && !problem.path.empty() ? toQString(problem.path)
                                                                      : Labels::name(fieldOf(problem));
    case message_column:
      return coreText(problem.message);
    case hint_column:
      return coreText(problem.hint);
    default:
      return {};
  }
}

QVariant DiagnosticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
    case severity_column:
      return tr("Kind");
    case field_column:
      return tr("Field");
    case message_column:
      return tr("Problem");
    case hint_column:
      return tr("What to do");
    default:
      return {};
  }
}

}  // namespace trainwright::gui
