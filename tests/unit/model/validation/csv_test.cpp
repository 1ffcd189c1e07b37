// SPDX-License-Identifier: Apache-2.0
#include "model/validation/csv.hpp"

#include <gtest/gtest.h>

namespace trainwright::model::validation {
namespace {

std::string problems(std::string_view text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse_csv(text, "t.csv", diagnostics).has_value());
  return diagnostics.to_text();
}

Csv parsed(std::string_view text) {
  Diagnostics diagnostics;
  const std::optional<Csv> csv = parse_csv(text, "t.csv", diagnostics);
  EXPECT_EQ(diagnostics.to_text(), "");
  return csv.value_or(Csv{});
}

TEST(CsvText, HoldsCommasQuotesAndLineBreaksInQuotedCells) {
  EXPECT_EQ(parsed("a,b\n\"x, y\",\"say \"\"so\"\"\nand on\"\n1,\n"),
            (Csv{{"a", "b"}, {{2, {"x, y", "say \"so\"\nand on"}}, {4, {"1", ""}}}}));
}

TEST(CsvText, EndsLinesInLfOrCrlfOrNotAtAll) {
  const Csv expected{{"a", "b"}, {{2, {"1", "2"}}, {3, {"3", "4"}}}};
  EXPECT_EQ(parsed("a,b\n1,2\n3,4\n"), expected);
  EXPECT_EQ(parsed("a,b\r\n1,2\r\n3,4\r\n"), expected);
  EXPECT_EQ(parsed("\xEF\xBB\xBF"
                   "a,b\n1,2\n3,4"),
            expected);
}

TEST(CsvText, ReportsEveryProblemWithItsLine) {
  EXPECT_EQ(problems("a,a,\n1,2\n\"x\"y,2,3\n\"never closed,2,3\n"),
            "t.csv: line 3: text follows the quote that closes a cell; a quote inside a cell is doubled\n"
            "t.csv: line 4: a quoted cell is never closed; a quote inside it is doubled\n"
            "t.csv: line 1: column \"a\" occurs twice\n"
            "t.csv: line 1: a column has no name\n"
            "t.csv: line 2: has 2 cells, the header has 3\n"
            "t.csv: line 4: has 1 cells, the header has 3\n");
  EXPECT_EQ(problems(""), "t.csv: the file is empty; the first line names the columns\n");
}

TEST(CsvText, IsReadBackAsWritten) {
  const std::vector<std::string> cells{"plain", "with, comma", "with \"quotes\"", "two\nlines", ""};
  EXPECT_EQ(csv_line(cells), "plain,\"with, comma\",\"with \"\"quotes\"\"\",\"two\nlines\",\n");
  EXPECT_EQ(parsed("a,b,c,d,e\n" + csv_line(cells)).rows.at(0).cells, cells);
}

}  // namespace
}  // namespace trainwright::model::validation
