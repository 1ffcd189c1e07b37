// Rules about the text of files: licence line, length, machine paths, numbers and the locale, listed sources.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "tests/architecture/source_tree.hpp"

namespace trainwright::architecture {

/// Sources, CMake files and scripts without an SPDX line in the comment that they begin with.
[[nodiscard]] std::vector<Violation> without_licence_line(const std::vector<SourceFile>& tree);

/// Headers without #pragma once, or with a using-directive at namespace scope.
[[nodiscard]] std::vector<Violation> careless_headers(const std::vector<SourceFile>& tree);

/// Sources of more than `limit` lines that are not in the list of exceptions, and exceptions that no longer need to be.
[[nodiscard]] std::vector<Violation> too_long(const std::vector<SourceFile>& tree, std::size_t limit = 400);

/// Paths of one machine, and addresses of package registries: they would make a clone depend on a place.
[[nodiscard]] std::vector<Violation> names_of_places(const std::vector<SourceFile>& tree);

/// Calls that read or write numbers by the user's locale: 1.5 becomes 1 under a comma locale (docs/units.md).
[[nodiscard]] std::vector<Violation> locale_dependent_numbers(const std::vector<SourceFile>& tree);

/// Sources that no CMakeLists.txt above them lists, and CMake files that collect sources by pattern.
[[nodiscard]] std::vector<Violation> unlisted_sources(const std::vector<SourceFile>& tree);

/// Relative links of Markdown files to files or folders that the tree does not hold.
[[nodiscard]] std::vector<Violation> broken_links(const std::vector<SourceFile>& tree);

/// Marks of unfinished work.
[[nodiscard]] std::vector<Violation> unfinished(const std::vector<SourceFile>& tree);

}  // namespace trainwright::architecture
