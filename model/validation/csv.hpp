// Strict reading of CSV (RFC 4180): quoted cells may hold commas, quotes (doubled) and line breaks. Every row must have
// as many cells as the header.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/diagnostic.hpp"

namespace trainwright::model::validation {

struct CsvRow {
  std::size_t line = 0;  ///< on which it begins, from 1
  std::vector<std::string> cells;
  friend bool operator==(const CsvRow&, const CsvRow&) = default;
};

struct Csv {
  std::vector<std::string> header;
  std::vector<CsvRow> rows;  ///< each as wide as the header
  friend bool operator==(const Csv&, const Csv&) = default;
};

/// All problems, each with its line, go to `diagnostics`; empty when there is an error. Line ends may be LF or CRLF, a
/// byte order mark is skipped, a last line without end is a row. Columns must have different names.
[[nodiscard]] std::optional<Csv> parse_csv(std::string_view text, const std::string& source, Diagnostics& diagnostics);

/// One line of CSV with its line end; cells are quoted where they must be.
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);

}  // namespace trainwright::model::validation
