// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/shell_words.hpp"

#include <algorithm>
#include <set>

#include "model/io/importers/text_lines.hpp"

namespace trainwright::model {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9'))
    return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  ShellText read() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#' && word_.empty() && !in_word_)
        read_comment();
      else if (c == '\\')
        read_escape();
      else if (c == '"' || c == '\'')
        read_quoted(c);
      else if (c == '$')
        read_variable(false);
      else
        read_plain(c);
    }
    end_word();
    // Arguments kept in variables that the pasted part does not use.
    for (const auto& [name, value] : result_.variables)
      if (used_.count(name) == 0 && value.find("--") != std::string::npos)
        for (std::string& word : words_of(value))
          result_.words.push_back(std::move(word));
    return std::move(result_);
  }

 private:
  void put(char c) {
    word_ += c;
    in_word_ = true;
  }

  void end_word() {
    if (!in_word_)
      return;
    const std::size_t equals = word_.find('=');
    if (equals != std::string::npos && is_name(std::string_view(word_).substr(0, equals)))
      result_.variables[word_.substr(0, equals)] = word_.substr(equals + 1);
    else
      result_.words.push_back(word_);
    word_.clear();
    in_word_ = false;
  }

  void read_plain(char c) {
    constexpr std::string_view kBetweenWords = " \t\n\r();";
    if (kBetweenWords.find(c) == std::string_view::npos)
      put(c);
    else
      end_word();
    ++at_;
  }

  void read_comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view rest = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
    while (!rest.empty()) {
      const std::size_t blank = std::min(rest.find_first_of(" \t\r"), rest.size());
      const std::string_view word = rest.substr(0, blank);
      const std::size_t equals = word.find('=');
      if (equals != std::string_view::npos && is_name(word.substr(0, equals)))
        result_.remarks[std::string(word.substr(0, equals))] = std::string(word.substr(equals + 1));
      rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
  }

  void read_escape() {
    ++at_;
    if (at_ >= text_.size())
      return;
    if (text_[at_] == '\r')
      ++at_;
    if (at_ < text_.size() && text_[at_] != '\n')
      put(text_[at_]);
    ++at_;
  }

  void read_quoted(char quote) {
    in_word_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != quote;) {
      if (quote == '"' && text_[at_] == '$')
        read_variable(true);
      else if (quote == '"' && text_[at_] == '\\')
        read_escape();
      else
        put(text_[at_++]);
    }
    ++at_;
  }

  // "$NAME", "${NAME}", "${NAME:-default}"; one that the text does not set stays as it is written.
  void read_variable(bool quoted) {
    const std::size_t begin = at_++;
    const bool braced = at_ < text_.size() && text_[at_] == '{';
    std::size_t end = at_ + (braced ? 1 : 0);
    const std::size_t name_begin = end;
    while (end < text_.size() && is_name(text_.substr(name_begin, end - name_begin + 1)))
      ++end;
    const std::string name(text_.substr(name_begin, end - name_begin));
    std::string fallback;
    if (braced) {
      const std::size_t close = std::min(text_.find('}', end), text_.size());
      const std::string_view rest = text_.substr(end, close - end);
      if (rest.starts_with(":-"))
        fallback = std::string(rest.substr(2));
      end = std::min(close + 1, text_.size());
    }
    const auto known = result_.variables.find(name);
    const std::string value = known != result_.variables.end() ? known->second
                              : !fallback.empty()              ? fallback
                                                  : std::string(text_.substr(begin, std::max(end, begin + 1) - begin));
    used_.insert(name);
    for (const char c : value) {
      if (!quoted && (c == ' ' || c == '\t' || c == '\n'))
        end_word();
      else
        put(c);
    }
    at_ = std::max(end, begin + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool in_word_ = false;
  std::set<std::string> used_;  // variables
  ShellText result_;
};

}  // namespace

ShellText read_shell_text(std::string_view text) {
  return Reader(text).read();
}

}  // namespace trainwright::model
