// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/text_rules.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace trainwright::architecture {
namespace {

bool is_program_text(const SourceFile& file) {
  return is_source(file) || has_suffix(file, {".cmake", "CMakeLists.txt", ".sh"}) || file.path == "check" ||
         file.path == "quickstart" || file.path == ".ci/run" || file.path == ".ci/lint" || file.path == ".ci/tidy";
}

bool is_product_source(const SourceFile& file) {
  const std::string part = top_folder(file.path);
  return is_source(file) &&
         (part == "model" || part == "simulator" || part == "executor" || part == "cli" || part == "gui");
}

// A word that no name contains: "stod(" is found in "std::stod(x)" and not in "to_stod(x)".
bool has_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const char before = at == 0 ? ' ' : line[at - 1];
    const bool in_name = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
                         (before >= '0' && before <= '9') || before == '_';
    if (!in_name)
      return true;
  }
  return false;
}

std::vector<Violation> lines_with(const std::vector<SourceFile>& tree, bool (*concerns)(const SourceFile&),
                                  const std::vector<std::string>& words, const std::string& reason) {
  std::vector<Violation> violations;
  for (const SourceFile& file : tree) {
    if (!concerns(file))
      continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string& word : words) {
        if (has_word(file.lines[i], word))
          violations.push_back({file.path, i + 1, "has \"" + word + "\": " + reason});
      }
    }
  }
  return violations;
}

// Longer than the limit, and why that is right.
const std::map<std::string, std::string_view>& long_files() {
  static const std::map<std::string, std::string_view> list{
      {"model/io/json_reader.cpp", "the one strict reader: an accessor for each type of value, all alike"},
  };
  return list;
}

}  // namespace

std::vector<Violation> without_licence_line(const std::vector<SourceFile>& tree) {
  std::vector<Violation> violations;
  for (const SourceFile& file : tree) {
    if (!is_program_text(file))
      continue;
    const std::string_view comment = is_source(file) ? "//" : "#";
    const auto end = std::find_if(file.lines.begin(), file.lines.end(),
                                  [&](const std::string& line) { return !line.starts_with(comment); });
    const bool found = std::any_of(file.lines.begin(), end, [&](const std::string& line) {
      return line == std::string(comment) + " SPDX-License-Identifier: Apache-2.0";
    });
    if (!found)
      violations.push_back(
          {file.path, 0, "has no SPDX-License-Identifier: Apache-2.0 in the comment that it begins with"});
  }
  return violations;
}

std::vector<Violation> careless_headers(const std::vector<SourceFile>& tree) {
  std::vector<Violation> violations;
  for (const SourceFile& file : tree) {
    if (!is_header(file))
      continue;
    if (std::find(file.lines.begin(), file.lines.end(), "#pragma once") == file.lines.end())
      violations.push_back({file.path, 0, "has no #pragma once"});
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (file.lines[i].starts_with("using namespace"))
        violations.push_back({file.path, i + 1, "a using-directive in a header reaches everybody who includes it"});
    }
  }
  return violations;
}

std::vector<Violation> too_long(const std::vector<SourceFile>& tree, std::size_t limit) {
  std::vector<Violation> violations;
  for (const SourceFile& file : tree) {
    if (!is_source(file))
      continue;
    const bool excepted = long_files().contains(file.path);
    const std::string length = std::to_string(file.lines.size()) + " lines";
    if (file.lines.size() > limit && !excepted)
      violations.push_back(
          {file.path, 0, "has " + length + "; split it, or give a reason in tests/architecture/text_rules.cpp"});
    if (file.lines.size() <= limit && excepted)
      violations.push_back({file.path, 0, "has only " + length + "; take it off the list of exceptions"});
  }
  return violations;
}

std::vector<Violation> names_of_places(const std::vector<SourceFile>& tree) {
  // Written in two halves, so that this file does not find itself.
  static const std::vector<std::string> words{std::string("/wo") + "rk/",
                                              std::string("/tmp/") + "wt",
                                              std::string("/ho") + "me/",
                                              std::string("/Us") + "ers/",
                                              std::string("/ro") + "ot/",
                                              std::string("deb.deb") + "ian.org",
                                              std::string("archive.ub") + "untu.com",
                                              std::string("pypi.") + "org",
                                              std::string("registry.np") + "mjs",
                                              std::string("index.docker") + ".io",
                                              std::string("artif") + "actory",
                                              std::string("nexus.") + "repository",
                                              std::string("Acquire::http") + "::Proxy"};
  return lines_with(
      tree, [](const SourceFile& file) { return file.path != "LICENSE"; }, words,
      "a path of one machine or the address of a registry does not belong into the project");
}

std::vector<Violation> locale_dependent_numbers(const std::vector<SourceFile>& tree) {
  static const std::vector<std::string> words{"strtod(", "strtof(", "atof(",        "stod(",
                                              "stof(",   "stold(",  "setprecision("};
  return lines_with(tree, is_product_source, words, "depends on the locale; use model/units/parse and format");
}

std::vector<Violation> unlisted_sources(const std::vector<SourceFile>& tree) {
  std::vector<Violation> violations;
  std::map<std::string, std::string> cmake_text;  // folder -> words of its CMakeLists.txt, each between blanks
  for (const SourceFile& file : tree) {
    if (!has_suffix(file, {"CMakeLists.txt", ".cmake"}))
      continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      std::string line = file.lines[i].substr(0, file.lines[i].find('#'));
      if (line.find("file(GLOB") != std::string::npos)
        violations.push_back({file.path, i + 1, "collects files by pattern: a stray file would be built"});
      std::replace_if(
          line.begin(), line.end(), [](char c) { return c == '(' || c == ')' || c == '"' || c == '\t'; }, ' ');
      if (file.path.ends_with("CMakeLists.txt"))
        cmake_text[folder_of(file.path)] += " " + line + " ";
    }
  }
  for (const SourceFile& file : tree) {
    if (!is_source(file))
      continue;
    bool listed = false;
    for (std::string folder = folder_of(file.path); !listed && !folder.empty(); folder = folder_of(folder)) {
      const auto text = cmake_text.find(folder);
      listed = text != cmake_text.end() &&
               text->second.find(" " + file.path.substr(folder.size() + 1) + " ") != std::string::npos;
    }
    const bool is_test_header = top_folder(file.path) == "tests" && is_header(file);
    if (!listed && !is_test_header)
      violations.push_back({file.path, 0, "is listed in no CMakeLists.txt above it"});
  }
  return violations;
}

std::vector<Violation> broken_links(const std::vector<SourceFile>& tree) {
  std::set<std::string> known;  // files, and every folder above one
  for (const SourceFile& file : tree) {
    for (std::string path = file.path; !path.empty(); path = folder_of(path))
      known.insert(path);
  }
  std::vector<Violation> violations;
  for (const SourceFile& file : tree) {
    if (!file.path.ends_with(".md"))
      continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      for (std::size_t at = line.find("]("); at != std::string::npos; at = line.find("](", at + 1)) {
        const std::string target = line.substr(at + 2, line.find_first_of(")#", at + 2) - at - 2);
        const std::string path = (std::filesystem::path(folder_of(file.path)) / target).lexically_normal().string();
        if (!target.empty() && target.find("://") == std::string::npos && !known.contains(path))
          violations.push_back({file.path, i + 1, "links to " + target + ", which is not there"});
      }
    }
  }
  return violations;
}

std::vector<Violation> unfinished(const std::vector<SourceFile>& tree) {
  static const std::vector<std::string> words{std::string("TO") + "DO", std::string("FIX") + "ME",
                                              std::string("HA") + "CK", std::string("#if ") + "0"};
  return lines_with(
      tree, [](const SourceFile& file) { return is_program_text(file) || file.path.ends_with(".md"); }, words,
      "a mark of unfinished work; finish it or open an issue");
}

}  // namespace trainwright::architecture
