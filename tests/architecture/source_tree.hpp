// The text of the project as the architecture tests read it: paths relative to the root, and lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace trainwright::architecture {

struct SourceFile {
  std::string path;  ///< relative to the root, with '/'
  std::vector<std::string> lines;
};

/// A rule that a file breaks; line 0 when it is about the whole file.
struct Violation {
  std::string path;
  std::size_t line = 0;
  std::string text;

  friend bool operator==(const Violation&, const Violation&) = default;
};

/// "model/a.hpp:12: ..." a line each; what a failing test prints.
[[nodiscard]] std::string to_text(const std::vector<Violation>& violations);

/// All text files that belong to the project, sorted by path. Build folders and what git ignores are left out; without
/// git, only folders whose name begins with '.' (but .ci) or "build".
[[nodiscard]] std::vector<SourceFile> read_tree(const std::filesystem::path& root);

[[nodiscard]] bool has_suffix(const SourceFile& file, std::initializer_list<std::string_view> suffixes);
/// .hpp or .cuh
[[nodiscard]] bool is_header(const SourceFile& file);
/// .hpp, .cpp, .cu or .cuh
[[nodiscard]] bool is_source(const SourceFile& file);
/// "model/units/parse.hpp" -> "model"
[[nodiscard]] std::string top_folder(const std::string& path);
/// "model/units/parse.hpp" -> "model/units"
[[nodiscard]] std::string folder_of(const std::string& path);

}  // namespace trainwright::architecture
