// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/source_tree.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

namespace trainwright::architecture {
namespace {

namespace fs = std::filesystem;

struct PipeCloser {
  void operator()(std::FILE* pipe) const { ::pclose(pipe); }
};

// What git tracks or would track; empty when the folder is no repository or git is not here.
std::vector<std::string> paths_known_to_git(const fs::path& root) {
  std::error_code ignored;
  if (!fs::exists(root / ".git", ignored))
    return {};
  const std::string command = "git -c safe.directory='*' -C '" + root.string() +
                              "' ls-files -z --cached --others --exclude-standard 2>/dev/null";
  const std::unique_ptr<std::FILE, PipeCloser> pipe(::popen(command.c_str(), "r"));
  std::vector<std::string> paths;
  std::string path;
  for (int c = pipe ? std::fgetc(pipe.get()) : EOF; c != EOF; c = std::fgetc(pipe.get())) {
    if (c == '\0')
      paths.push_back(std::exchange(path, {}));
    else
      path.push_back(static_cast<char>(c));
  }
  return paths;
}

std::vector<std::string> paths_by_walking(const fs::path& root) {
  std::vector<std::string> paths;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string name = entry->path().filename().string();
    const bool is_foreign = (name.front() == '.' && name != ".ci") || name.starts_with("build");
    if (entry->is_directory() && is_foreign)
      entry.disable_recursion_pending();
    else if (entry->is_regular_file())
      paths.push_back(fs::relative(entry->path(), root).generic_string());
  }
  return paths;
}

}  // namespace

std::string to_text(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& violation : violations)
    text += violation.path + (violation.line > 0 ? ":" + std::to_string(violation.line) : "") + ": " + violation.text +
            "\n";
  return text;
}

std::vector<SourceFile> read_tree(const fs::path& root) {
  std::vector<std::string> paths = paths_known_to_git(root);
  if (paths.empty())
    paths = paths_by_walking(root);
  std::sort(paths.begin(), paths.end());
  std::vector<SourceFile> files;
  for (const std::string& path : paths) {
    std::ifstream stream(root / path, std::ios::binary);
    if (!stream)
      continue;  // deleted, but not yet in git's index
    const std::string content((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (content.find('\0') != std::string::npos)
      continue;  // an image or another file that is no text
    SourceFile& file = files.emplace_back(SourceFile{path, {}});
    std::istringstream lines(content);
    for (std::string line; std::getline(lines, line);)
      file.lines.push_back(line);
  }
  return files;
}

bool has_suffix(const SourceFile& file, std::initializer_list<std::string_view> suffixes) {
  return std::any_of(suffixes.begin(), suffixes.end(), [&](std::string_view s) { return file.path.ends_with(s); });
}

bool is_header(const SourceFile& file) {
  return has_suffix(file, {".hpp", ".cuh"});
}

bool is_source(const SourceFile& file) {
  return is_header(file) || has_suffix(file, {".cpp", ".cu"});
}

std::string top_folder(const std::string& path) {
  const std::size_t slash = path.find('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

}  // namespace trainwright::architecture
