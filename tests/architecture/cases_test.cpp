// docs/cases.md and the tests tell the same: each case named there has the tests named beside it, and no test is named
// after a case that the page leaves out.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <string>

#include "tests/architecture/source_tree.hpp"

namespace trainwright::architecture {
namespace {

using Cases = std::map<std::string, std::set<std::string>>;  // "M02" -> "MemoryCases.M02_Name"

// "M02": a letter and two digits, not the beginning of a longer word of the kind.
bool begins_with_case(const std::string& name) {
  return name.size() > 3 && std::isupper(static_cast<unsigned char>(name[0])) != 0 &&
         std::isdigit(static_cast<unsigned char>(name[1])) != 0 &&
         std::isdigit(static_cast<unsigned char>(name[2])) != 0 &&
         (name[3] == '_' || std::isupper(static_cast<unsigned char>(name[3])) != 0);
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n'))
    text.erase(text.begin());
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
    text.pop_back();
  return text;
}

std::string text_of(const SourceFile& file) {
  std::string text = "\n";
  for (const std::string& line : file.lines)
    text += line + "\n";
  return text;
}

Cases named_in_tests() {
  Cases cases;
  for (const SourceFile& file : read_tree(TRAINWRIGHT_SOURCE_DIR)) {
    if (file.path.rfind("tests/", 0) != 0 || !is_source(file))
      continue;
    const std::string text = text_of(file);
    for (const std::string_view macro : {"\nTEST(", "\nTEST_F(", "\nTEST_P("})
      for (std::size_t at = text.find(macro); at != std::string::npos; at = text.find(macro, at + 1)) {
        const std::size_t begin = at + macro.size();
        const std::size_t comma = text.find(',', begin);
        const std::size_t end = text.find(')', comma);
        const std::string name = trimmed(text.substr(comma + 1, end - comma - 1));
        if (begins_with_case(name))
          cases[name.substr(0, 3)].insert(trimmed(text.substr(begin, comma - begin)) + "." + name);
      }
  }
  return cases;
}

// Rows "| M02 | what | `Suite.Name` `Suite.Name` |"; a row without a test says why in words.
Cases listed_in_page(std::set<std::string>& without_test) {
  Cases cases;
  for (const SourceFile& file : read_tree(TRAINWRIGHT_SOURCE_DIR)) {
    if (file.path != "docs/cases.md")
      continue;
    for (const std::string& row : file.lines) {
      if (row.size() < 6 || row.rfind("| ", 0) != 0 || !begins_with_case(row.substr(2, 3) + "_"))
        continue;
      const std::string id = row.substr(2, 3);
      bool has_test = false;
      for (std::size_t open = row.find('`'); open != std::string::npos;) {
        const std::size_t close = row.find('`', open + 1);
        cases[id].insert(row.substr(open + 1, close - open - 1));
        has_test = true;
        open = row.find('`', close + 1);
      }
      if (!has_test)
        without_test.insert(id);
    }
  }
  return cases;
}

TEST(Cases, ThePageAndTheTestsTellTheSame) {
  std::set<std::string> without_test;
  const Cases listed = listed_in_page(without_test);
  const Cases found = named_in_tests();
  EXPECT_GT(found.size(), 90U);
  for (const auto& [id, tests] : found)
    for (const std::string& test : tests)
      EXPECT_TRUE(listed.contains(id) && listed.at(id).contains(test)) << test << " is not in docs/cases.md";
  for (const auto& [id, tests] : listed)
    for (const std::string& test : tests)
      EXPECT_TRUE(found.contains(id) && found.at(id).contains(test)) << id << ": there is no test " << test;
  for (const std::string& id : without_test)
    EXPECT_FALSE(found.contains(id)) << id << " has a test that docs/cases.md does not name";
}

}  // namespace
}  // namespace trainwright::architecture
