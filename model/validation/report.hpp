// Results of a validation for people (text), for spreadsheets (CSV) and for programs (JSON).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/validation/statistics.hpp"

namespace trainwright::model::validation {

/// {"all": summary, "sources": {name: summary}, "groups": {name: summary}, "rows": [...]}; what is unknown is null.
[[nodiscard]] std::string to_json(const std::vector<RowResult>& rows);

/// One line a row, with a header.
[[nodiscard]] std::string to_csv(const std::vector<RowResult>& rows);

/// Summaries by source and by group, and the whole; with `list_rows` one line a row before. Reasons of skipped rows are
/// counted.
[[nodiscard]] std::string to_report(const std::vector<RowResult>& rows, bool list_rows);

/// The summaries by group as a Markdown table, for docs/models/validation.md.
[[nodiscard]] std::string to_markdown(const std::vector<RowResult>& rows);

}  // namespace trainwright::model::validation
