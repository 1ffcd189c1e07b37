// SPDX-License-Identifier: Apache-2.0
#include "model/validation/csv.hpp"

#include <set>

namespace trainwright::model::validation {
namespace {

std::string at_line(std::size_t line) {
  return "line " + std::to_string(line);
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& source, Diagnostics& diagnostics)
      : text_(text), source_(source), diagnostics_(diagnostics) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark))
      text_.remove_prefix(kByteOrderMark.size());
  }

  std::vector<CsvRow> run() {
    std::vector<CsvRow> rows;
    while (at_ < text_.size())
      rows.push_back(row());
    return rows;
  }

 private:
  CsvRow row() {
    CsvRow result;
    result.line = line_;
    do
      result.cells.push_back(cell());
    while (take(','));
    const bool carriage_return = take('\r');
    if (!take('\n') && carriage_return)
      error("a carriage return stands alone", "lines end in LF or CRLF");
    ++line_;
    return result;
  }

  std::string cell() {
    if (at_ < text_.size() && text_[at_] == '"')
      return quoted();
    std::string content;
    for (; at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r'; ++at_) {
      if (text_[at_] == '"' && !content.empty() && content.find('"') == std::string::npos)
        error("a quote stands inside a cell that does not begin with one", "quote the whole cell and double the quote");
      content += text_[at_];
    }
    return content;
  }

  std::string quoted() {
    const std::size_t opened = line_;
    std::string content;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        if (at_ + 1 >= text_.size() || text_[at_ + 1] != '"')
          break;
        ++at_;
      }
      line_ += text_[at_] == '\n' ? 1 : 0;
      content += text_[at_];
    }
    if (at_ >= text_.size()) {
      diagnostics_.add_error(source_, at_line(opened), "a quoted cell is never closed", "a quote inside it is doubled");
      return content;
    }
    ++at_;
    if (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r') {
      error("text follows the quote that closes a cell", "a quote inside a cell is doubled");
      while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' && text_[at_] != '\r')
        ++at_;
    }
    return content;
  }

  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c)
      return false;
    ++at_;
    return true;
  }

  void error(std::string message, std::string hint) {
    diagnostics_.add_error(source_, at_line(line_), std::move(message), std::move(hint));
  }

  std::string_view text_;
  const std::string& source_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

std::optional<Csv> parse_csv(std::string_view text, const std::string& source, Diagnostics& diagnostics) {
  Diagnostics own;
  std::vector<CsvRow> rows = Parser(text, source, own).run();
  Csv csv;
  if (rows.empty()) {
    own.add_error(source, {}, "the file is empty", "the first line names the columns");
  } else {
    csv.header = std::move(rows.front().cells);
    std::set<std::string> seen;
    for (const std::string& name : csv.header)
      if (name.empty() || !seen.insert(name).second)
        own.add_error(source, at_line(1),
                      name.empty() ? "a column has no name" : "column \"" + name + "\" occurs twice");
    for (auto row = rows.begin() + 1; row != rows.end(); ++row) {
      const bool blank = row->cells.size() == 1 && row->cells.front().empty();
      if (blank)
        continue;
      if (row->cells.size() != csv.header.size())
        own.add_error(
            source, at_line(row->line),
            "has " + std::to_string(row->cells.size()) + " cells, the header has " + std::to_string(csv.header.size()));
      csv.rows.push_back(std::move(*row));
    }
  }
  const bool good = !own.has_errors();
  diagnostics.append(own);
  return good ? std::optional(std::move(csv)) : std::nullopt;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i > 0 ? "," : "";
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char c : cells[i]) {
      line += c;
      if (c == '"')
        line += '"';
    }
    line += '"';
  }
  return line + "\n";
}

}  // namespace trainwright::model::validation
