// Columns of text for terminals: numbers flush right, words flush left. ASCII, so that widths are what they seem.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trainwright::model {

class TextTable {
 public:
  /// One heading a column; an empty one is fine. The first column is flush left, the others flush right.
  explicit TextTable(std::vector<std::string> headings);

  /// As many cells as headings.
  void add_row(std::vector<std::string> cells);
  /// A rule before the next row.
  void add_rule();
  /// Makes column `index` flush left.
  void left(std::size_t index);

  /// Lines with two spaces before each, without trailing blanks.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;  // an empty row is a rule
  std::vector<bool> left_;
};

}  // namespace trainwright::model
