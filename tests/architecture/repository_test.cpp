// The rules applied to this repository. Each failure lists every place and says what is allowed.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "tests/architecture/include_rules.hpp"
#include "tests/architecture/source_tree.hpp"
#include "tests/architecture/text_rules.hpp"

namespace trainwright::architecture {
namespace {

class Repository : public testing::Test {
 protected:
  static const std::vector<SourceFile>& tree() {
    static const std::vector<SourceFile> files = read_tree(TRAINWRIGHT_SOURCE_DIR);
    return files;
  }
};

TEST_F(Repository, IsReadAtAll) {
  std::set<std::string> parts;
  std::size_t sources = 0;
  for (const SourceFile& file : tree()) {
    parts.insert(top_folder(file.path));
    sources += is_source(file) ? 1 : 0;
  }
  for (const char* part : {"model", "simulator", "executor", "cli", "gui", "profiles", "tests", "docs"})
    EXPECT_TRUE(parts.contains(part)) << part;
  EXPECT_GT(sources, 40U);
}

TEST_F(Repository, IncludesOnlyWhatTheTableAllows) {
  EXPECT_EQ(to_text(forbidden_includes(tree())), "");
}

TEST_F(Repository, FoldersOfModelFollowTheirOrder) {
  EXPECT_EQ(to_text(against_model_order(tree())), "");
}

TEST_F(Repository, FoldersOfAPartFormNoCircle) {
  EXPECT_EQ(folder_cycles(tree()), std::vector<std::string>{});
}

TEST_F(Repository, EverySourceHasALicenceLine) {
  EXPECT_EQ(to_text(without_licence_line(tree())), "");
}

TEST_F(Repository, HeadersAreGuardedAndImportNoNamespace) {
  EXPECT_EQ(to_text(careless_headers(tree())), "");
}

TEST_F(Repository, FilesAreShort) {
  EXPECT_EQ(to_text(too_long(tree())), "");
}

TEST_F(Repository, NamesNoMachineAndNoRegistry) {
  EXPECT_EQ(to_text(names_of_places(tree())), "");
}

TEST_F(Repository, NumbersIgnoreTheLocale) {
  EXPECT_EQ(to_text(locale_dependent_numbers(tree())), "");
}

TEST_F(Repository, EverySourceIsListedInCMake) {
  EXPECT_EQ(to_text(unlisted_sources(tree())), "");
}

TEST_F(Repository, LinksLeadSomewhere) {
  EXPECT_EQ(to_text(broken_links(tree())), "");
}

TEST_F(Repository, HoldsNoUnfinishedWork) {
  EXPECT_EQ(to_text(unfinished(tree())), "");
}

}  // namespace
}  // namespace trainwright::architecture
