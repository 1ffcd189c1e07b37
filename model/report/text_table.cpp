// SPDX-License-Identifier: Apache-2.0
#include "model/report/text_table.hpp"

#include <algorithm>

#include "model/base/contract.hpp"

namespace trainwright::model {

TextTable::TextTable(std::vector<std::string> headings)
    : headings_(std::move(headings)), left_(headings_.size(), false) {
  TRAINWRIGHT_EXPECTS(!headings_.empty(), "a table without columns");
  left_[0] = true;
}

void TextTable::add_row(std::vector<std::string> cells) {
  TRAINWRIGHT_EXPECTS(cells.size() == headings_.size(), std::to_string(cells.size()) + " cells");
  rows_.push_back(std::move(cells));
}

void TextTable::add_rule() {
  rows_.emplace_back();
}

void TextTable::left(std::size_t index) {
  left_.at(index) = true;
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t column = 0; column < headings_.size(); ++column) {
    std::size_t width = headings_[column].size();
    for (const std::vector<std::string>& row : rows_)
      if (!row.empty())
        width = std::max(width, row[column].size());
    widths.push_back(width);
    total += width + (column == 0 ? 0 : 2);
  }
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text = "  ";
    for (std::size_t column = 0; column < cells.size(); ++column) {
      const std::string padding(widths[column] - cells[column].size(), ' ');
      text += (column == 0 ? "" : "  ") + (left_[column] ? cells[column] + padding : padding + cells[column]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  std::string text;
  if (std::any_of(headings_.begin(), headings_.end(), [](const std::string& heading) { return !heading.empty(); }))
    text += line(headings_);
  for (const std::vector<std::string>& row : rows_)
    text += row.empty() ? "  " + std::string(total, '-') + "\n" : line(row);
  return text;
}

}  // namespace trainwright::model
