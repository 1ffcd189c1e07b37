// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/text_lines.hpp"

#include <algorithm>

namespace trainwright::model {

std::vector<std::string> lines_of(std::string_view text) {
  constexpr char kEscape = '\x1b';
  std::vector<std::string> lines(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kEscape && i + 1 < text.size() && text[i + 1] == '[') {
      while (i < text.size() && text[i] != 'm' && text[i] != '\n')
        ++i;
    } else if (text[i] == '\n') {
      lines.emplace_back();
    } else if (text[i] != '\r') {
      lines.back() += text[i];
    }
  }
  return lines;
}

std::vector<std::string> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string> words;
  std::size_t at = line.find_first_not_of(kBlanks);
  while (at < line.size()) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  for (const std::string& item : items)
    text += (text.empty() ? "" : std::string(separator)) + item;
  return text;
}

}  // namespace trainwright::model
