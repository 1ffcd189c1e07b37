// SPDX-License-Identifier: Apache-2.0
#include "tests/architecture/include_rules.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace trainwright::architecture {
namespace {

using Words = std::vector<std::string_view>;

struct Library {
  std::string_view name;
  Words prefixes;  ///< of the header's name; one that ends neither in '/' nor in '*' is the whole name
};

// A header that is in no list is reported: a new dependency is a decision, and this is where it becomes visible.
const std::vector<Library>& libraries() {
  static const std::vector<Library> list{
      {"Boost.Graph", {"boost/graph/", "boost/property_map/"}},
      {"Boost", {"boost/"}},
      {"Eigen", {"Eigen/"}},
      {"json_fwd", {"nlohmann/json_fwd.hpp"}},
      {"json", {"nlohmann/"}},
      {"CLI11", {"CLI/"}},
      {"pugixml", {"pugixml.hpp"}},
      {"yaml-cpp", {"yaml-cpp/"}},
      {"SimGrid", {"simgrid/", "xbt/", "xbt.h"}},
      {"Gloo", {"gloo/"}},
      {"OpenBLAS", {"cblas.h", "lapacke.h", "openblas_config.h", "openblas/"}},
      {"NCCL", {"nccl.h", "nccl_device*"}},
      {"CUDA", {"cuda*", "cublas*", "cooperative_groups*", "nvml.h", "nvtx3/", "curand*", "cub/", "thrust/", "mma.h"}},
      {"MPI", {"mpi.h"}},
      {"test", {"gtest/", "gmock/", "rapidcheck*", "benchmark/"}},
      {"system", {"sys/",     "linux/",      "net/",       "netinet/",  "arpa/",      "fcntl.h",  "unistd.h",
                  "signal.h", "spawn.h",     "poll.h",     "pthread.h", "sched.h",    "dirent.h", "dlfcn.h",
                  "pwd.h",    "netdb.h",     "ifaddrs.h",  "termios.h", "execinfo.h", "glob.h",   "time.h",
                  "errno.h",  "immintrin.h", "langinfo.h", "locale.h",  "link.h"}},
  };
  return list;
}

bool matches(std::string_view prefix, std::string_view target) {
  if (prefix.ends_with('*'))
    return target.starts_with(prefix.substr(0, prefix.size() - 1));
  return prefix.ends_with('/') ? target.starts_with(prefix) : target == prefix;
}

constexpr std::array<std::string_view, 8> kOurFolders{
    {"model", "simulator", "executor", "cli", "gui", "profiles", "tests", "docs"}};

// What one folder may include besides std, system headers and its own part.
struct Permission {
  std::string_view folder;  ///< applies to this folder and below; the longest that fits wins
  Words ours;               ///< folders, or files without suffix
  Words in_sources;         ///< libraries
  Words in_headers;         ///< libraries
};

// The table of docs/architecture.md, row by row.
const std::vector<Permission>& permissions() {
  static const std::vector<Permission> table{
      {"model", {"model/"}, {"Boost", "Boost.Graph", "Eigen", "json", "json_fwd"}, {}},
      {"model/io", {"model/"}, {"Boost", "Boost.Graph", "json", "json_fwd"}, {"json_fwd"}},
      {"model/io/importers", {"model/"}, {"json", "json_fwd", "pugixml", "yaml-cpp"}, {"json_fwd"}},
      {"simulator/client", {"model/", "simulator/client/"}, {"json", "json_fwd"}, {}},
      {"simulator/engine",
       {"model/", "simulator/engine/", "simulator/client/request", "simulator/client/report"},
       {"SimGrid"},
       {}},
      {"simulator/worker",
       {"model/", "simulator/worker/", "simulator/client/request", "simulator/client/report",
        "simulator/client/exit_code", "simulator/engine/simulate"},
       {},
       {}},
      {"executor", {"model/", "executor/"}, {"json", "json_fwd"}, {}},
      {"executor/app", {"model/", "executor/"}, {"json", "json_fwd", "CLI11"}, {}},
      {"executor/backend", {"model/", "executor/"}, {"json", "json_fwd", "Gloo"}, {}},
      {"executor/kernels", {"model/", "executor/"}, {"OpenBLAS"}, {}},
      {"executor/cuda", {"model/", "executor/"}, {"CUDA", "NCCL"}, {}},
      {"executor/launch", {"model/", "executor/"}, {"json", "json_fwd", "MPI"}, {}},
      {"cli", {"model/", "simulator/client/", "cli/"}, {"json", "json_fwd", "CLI11"}, {}},
      {"gui", {"model/", "simulator/client/", "gui/"}, {"Qt", "generated"}, {"Qt"}},
  };
  return table;
}

const Permission* permission_for(const std::string& path) {
  const Permission* best = nullptr;
  for (const Permission& row : permissions()) {
    const bool applies = path.starts_with(std::string(row.folder) + "/");
    if (applies && (best == nullptr || row.folder.size() > best->folder.size()))
      best = &row;
  }
  return best;
}

bool contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool may_include_ours(const Permission& row, std::string_view target) {
  return std::any_of(row.ours.begin(), row.ours.end(), [&](std::string_view allowed) {
    return allowed.ends_with('/') ? target.starts_with(allowed) : target == std::string(allowed) + ".hpp";
  });
}

std::string list_text(const Words& words) {
  std::string text;
  for (const std::string_view word : words)
    text += (text.empty() ? "" : ", ") + std::string(word);
  return text.empty() ? "none" : text;
}

// Why an include is forbidden; empty when it is allowed.
std::string objection(const SourceFile& file, const Permission& row, const Include& include) {
  const std::string library = library_of(include.target);
  const std::string shown = "includes \"" + include.target + "\"";
  if (library.empty())
    return shown + ", which is in no list; a new dependency is added to tests/architecture/include_rules.cpp";
  if (library == "std" || library == "system")
    return {};
  if (library == "ours") {
    if (may_include_ours(row, include.target))
      return {};
    return shown + "; " + std::string(row.folder) + " may include " + list_text(row.ours);
  }
  const Words& allowed = is_header(file) ? row.in_headers : row.in_sources;
  if (contains(allowed, library))
    return {};
  return shown + " (" + library + "); " + (is_header(file) ? "headers of " : "sources of ") + std::string(row.folder) +
         " may include: " + list_text(allowed);
}

// Position of a file of model in the order of docs/architecture.md; empty for a folder that is not in it.
std::optional<std::size_t> model_position(const std::string& path) {
  static const std::vector<std::vector<std::string_view>> order{
      {"model/base/"},
      {"model/units/"},
      {"model/hardware/"},
      {"model/workload/"},
      {"model/plan/layout.", "model/plan/placement."},
      {"model/graph/"},
      {"model/cost/"},
      {"model/collective/"},
      {"model/plan/"},
      {"model/estimate/"},
      {"model/calibration/"},
      {"model/search/"},
      {"model/report/"},
      {"model/io/"},
      {"model/validation/"},
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const std::string_view prefix : order[i]) {
      if (path.starts_with(prefix))
        return i;
    }
  }
  return std::nullopt;
}

using FolderGraph = std::map<std::string, std::set<std::string>>;

FolderGraph folder_graph(const std::vector<SourceFile>& tree) {
  FolderGraph graph;
  for (const SourceFile& file : tree) {
    const std::string part = top_folder(file.path);
    if (!is_source(file) || permission_for(file.path) == nullptr || part == "model")
      continue;
    for (const Include& include : includes_of(file)) {
      if (top_folder(include.target) == part && folder_of(include.target) != folder_of(file.path))
        graph[folder_of(file.path)].insert(folder_of(include.target));
    }
  }
  return graph;
}

}  // namespace

std::vector<Include> includes_of(const SourceFile& file) {
  std::vector<Include> includes;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    std::string_view line = file.lines[i];
    const auto skip_blanks = [&line] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    skip_blanks();
    if (!line.starts_with('#'))
      continue;
    line.remove_prefix(1);
    skip_blanks();
    if (!line.starts_with("include"))
      continue;
    line.remove_prefix(std::string_view("include").size());
    skip_blanks();
    if (line.empty() || (line.front() != '<' && line.front() != '"'))
      continue;
    const std::size_t end = line.find(line.front() == '<' ? '>' : '"', 1);
    if (end != std::string_view::npos)
      includes.push_back({i + 1, std::string(line.substr(1, end - 1))});
  }
  return includes;
}

std::string library_of(const std::string& target) {
  if (contains(Words(kOurFolders.begin(), kOurFolders.end()), top_folder(target)))
    return "ours";
  if (target.starts_with("ui_") || target.ends_with(".moc") || target.starts_with("moc_"))
    return "generated";
  if (target.starts_with("Qt") || (target.size() > 1 && target[0] == 'Q' && target[1] >= 'A' && target[1] <= 'Z'))
    return "Qt";
  for (const Library& library : libraries()) {
    for (const std::string_view prefix : library.prefixes) {
      if (matches(prefix, target))
        return std::string(library.name);
    }
  }
  if (target.find('/') == std::string::npos && target.find('.') == std::string::npos)
    return "std";  // <vector>: only the standard library has names without a suffix (Qt's begin with Q)
  return {};
}

std::vector<Violation> forbidden_includes(const std::vector<SourceFile>& tree) {
  std::vector<Violation> violations;
  for (const SourceFile& file : tree) {
    const Permission* row = is_source(file) ? permission_for(file.path) : nullptr;
    if (row == nullptr)
      continue;
    for (const Include& include : includes_of(file)) {
      if (std::string reason = objection(file, *row, include); !reason.empty())
        violations.push_back({file.path, include.line, std::move(reason)});
    }
  }
  return violations;
}

std::vector<Violation> against_model_order(const std::vector<SourceFile>& tree) {
  std::vector<Violation> violations;
  for (const SourceFile& file : tree) {
    if (!is_source(file) || top_folder(file.path) != "model")
      continue;
    const std::optional<std::size_t> own = model_position(file.path);
    if (!own) {
      violations.push_back({file.path, 0, "is in a folder that the order of docs/architecture.md does not name"});
      continue;
    }
    for (const Include& include : includes_of(file)) {
      const std::optional<std::size_t> other = model_position(include.target);
      if (other && *other > *own)
        violations.push_back(
            {file.path, include.line, "includes \"" + include.target + "\", which comes later in the order"});
    }
  }
  return violations;
}

std::vector<std::string> folder_cycles(const std::vector<SourceFile>& tree) {
  const FolderGraph graph = folder_graph(tree);
  std::set<std::string> found;
  std::vector<std::string> path;
  std::set<std::string> done;
  const std::function<void(const std::string&)> visit = [&](const std::string& folder) {
    const auto on_path = std::find(path.begin(), path.end(), folder);
    if (on_path != path.end()) {
      std::vector<std::string> cycle(on_path, path.end());
      std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
      std::string text;
      for (const std::string& step : cycle)
        text += step + " -> ";
      found.insert(text + cycle.front());
      return;
    }
    if (done.contains(folder))
      return;
    path.push_back(folder);
    if (const auto edges = graph.find(folder); edges != graph.end()) {
      for (const std::string& next : edges->second)
        visit(next);
    }
    path.pop_back();
    done.insert(folder);
  };
  for (const auto& [folder, unused] : graph)
    visit(folder);
  return {found.begin(), found.end()};
}

}  // namespace trainwright::architecture
