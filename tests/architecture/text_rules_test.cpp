// The text rules on small trees made here: what is planted must be found, and nothing else.
// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/text_rules.hpp"

#include <gtest/gtest.h>

namespace trainwright::architecture {
namespace {

const char* const kLicence = "// SPDX-License-Identifier: Apache-2.0";

TEST(LicenceLine, StandsInTheCommentThatTheFileBeginsWith) {
  const SourceFile good{"model/a.hpp", {"// What this is.", "//", "// More.", kLicence, "#pragma once"}};
  const SourceFile late{"model/b.hpp", {"// What this is.", "", kLicence}};
  const SourceFile script{"tests/a.sh", {"#!/bin/sh", "# SPDX-License-Identifier: Apache-2.0", "true"}};
  const SourceFile prose{"docs/a.md", {"words"}};
  EXPECT_EQ(to_text(without_licence_line({good, late, script, prose})),
            "model/b.hpp: has no SPDX-License-Identifier: Apache-2.0 in the comment that it begins with\n");
}

TEST(Headers, NeedAGuardAndImportNoNamespace) {
  EXPECT_EQ(
      to_text(careless_headers({{"a.hpp", {"#pragma once", "using namespace std;"}}, {"b.hpp", {}}, {"c.cpp", {}}})),
      "a.hpp:2: a using-directive in a header reaches everybody who includes it\n"
      "b.hpp: has no #pragma once\n");
}

TEST(Length, IsLimitedAndExceptionsEnd) {
  const SourceFile at_limit{"model/a.cpp", std::vector<std::string>(400)};
  const SourceFile above{"model/b.cpp", std::vector<std::string>(401)};
  const SourceFile shrunk{"model/io/json_reader.cpp", std::vector<std::string>(10)};
  EXPECT_EQ(to_text(too_long({at_limit, above, shrunk})),
            "model/b.cpp: has 401 lines; split it, or give a reason in tests/architecture/text_rules.cpp\n"
            "model/io/json_reader.cpp: has only 10 lines; take it off the list of exceptions\n");
}

TEST(Places, AreFoundInAnyFile) {
  const std::string path = std::string("/ho") + "me/";
  const std::vector<Violation> found =
      names_of_places({{"docs/a.md", {"see " + path + "somebody"}}, {"docs/b.md", {"fine"}}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "docs/a.md");
  EXPECT_EQ(found[0].line, 1U);
}

TEST(LocaleDependence, IsAboutCallsNotAboutNames) {
  EXPECT_EQ(locale_dependent_numbers({{"model/a.cpp", {"x = std::stod(text);"}}}).size(), 1U);
  EXPECT_EQ(locale_dependent_numbers({{"model/a.cpp", {"x = custom_stod(text);"}}}).size(), 0U);
  EXPECT_EQ(locale_dependent_numbers({{"tests/a.cpp", {"x = std::stod(text);"}}}).size(), 0U);
}

TEST(ListedSources, MustStandInACMakeListsAbove) {
  const SourceFile cmake{"model/CMakeLists.txt",
                         {"trainwright_library(x SOURCES units/a.cpp # units/c.cpp", "HEADERS units/a.hpp)"}};
  const std::vector<SourceFile> tree{cmake,
                                     {"model/units/a.cpp", {}},
                                     {"model/units/a.hpp", {}},
                                     {"model/units/c.cpp", {}},
                                     {"gui/CMakeLists.txt", {"file(GLOB sources *.cpp)"}}};
  EXPECT_EQ(to_text(unlisted_sources(tree)),
            "gui/CMakeLists.txt:1: collects files by pattern: a stray file would be built\n"
            "model/units/c.cpp: is listed in no CMakeLists.txt above it\n");
}

TEST(Links, MustLeadToAFileOrAFolder) {
  const std::vector<SourceFile> tree{
      {"docs/a.md",
       {"[up](../model/a.hpp) [folder](adr) [web](https://example.org/x) [part](#part) [file part](a.md#part)",
        "[gone](b.md)"}},
      {"docs/adr/0001.md", {"[up](../a.md)"}},
      {"model/a.hpp", {"// [not prose](gone)"}}};
  EXPECT_EQ(to_text(broken_links(tree)), "docs/a.md:2: links to b.md, which is not there\n");
}

TEST(UnfinishedWork, IsFound) {
  const std::string mark = std::string("TO") + "DO";
  EXPECT_EQ(unfinished({{"model/a.cpp", {"// " + mark + " later"}}}).size(), 1U);
  EXPECT_EQ(unfinished({{"model/a.cpp", {"int s" + mark + "s = 1;"}}}).size(), 0U);
}

}  // namespace
}  // namespace trainwright::architecture
