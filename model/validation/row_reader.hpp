// Cells of one CSV row by column name, checked. A wrong cell is a problem with line and column, and yields a stand-in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/validation/csv.hpp"

namespace trainwright::model::validation {

class RowReader {
 public:
  RowReader(const Csv& csv, const std::string& source, Diagnostics& diagnostics);

  void begin(const CsvRow& row) { row_ = &row; }

  [[nodiscard]] std::string text(std::string_view column) const;
  /// A text that must not be empty.
  [[nodiscard]] std::string required_text(std::string_view column);
  /// Whole numbers of `min` and above. "50257.0" is one.
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view column, std::int64_t min = 1);
  [[nodiscard]] std::int64_t required_integer(std::string_view column, std::int64_t min = 1);
  /// Finite numbers above 0.
  [[nodiscard]] std::optional<double> positive(std::string_view column);
  [[nodiscard]] double required_positive(std::string_view column);
  /// Finite numbers of 0 and above.
  [[nodiscard]] std::optional<double> not_negative(std::string_view column);
  /// "1" or "0", "true" or "false".
  [[nodiscard]] std::optional<bool> boolean(std::string_view column);

  void error(std::string_view column, const std::string& message, const std::string& hint = {});

 private:
  [[nodiscard]] std::optional<double> number(std::string_view column);

  const std::string& source_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::size_t, std::less<>> columns_;
  const CsvRow* row_ = nullptr;
};

}  // namespace trainwright::model::validation
