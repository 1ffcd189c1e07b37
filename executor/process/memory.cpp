// SPDX-License-Identifier: Apache-2.0
#include "executor/process/memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace trainwright::executor {
namespace {

// A line "key:   1234 kB" of one of the kernel's tables; 0 when there is none.
std::int64_t kernel_table_bytes(const std::string& file, const std::string& key) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    if (line.compare(0, key.size() + 1, key + ":") != 0)
      continue;
    std::int64_t kibibytes = 0;
    std::istringstream(line.substr(key.size() + 1)) >> kibibytes;
    return kibibytes * 1024;
  }
  return 0;
}

std::optional<std::int64_t> number_in(const std::string& file) {
  std::ifstream in(file);
  std::int64_t value = 0;
  if (in >> value)
    return value;  // "max", the word for no limit, is no number
  return std::nullopt;
}

// Free bytes under the limit of this process's cgroup and of those above it.
std::optional<std::int64_t> cgroup_available() {
  std::ifstream in("/proc/self/cgroup");
  std::string line;
  std::optional<std::int64_t> least;
  while (std::getline(in, line)) {
    if (line.rfind("0::", 0) != 0)
      continue;
    for (std::string path = line.substr(3); !path.empty(); path = path.substr(0, path.rfind('/'))) {
      const std::string folder = "/sys/fs/cgroup" + (path == "/" ? "" : path);
      const auto limit = number_in(folder + "/memory.max");
      const auto used = number_in(folder + "/memory.current");
      if (limit && used)
        least = std::min(least.value_or(*limit), std::max<std::int64_t>(0, *limit - *used));
    }
  }
  return least;
}

}  // namespace

std::int64_t available_memory_bytes() {
  const std::int64_t machine = kernel_table_bytes("/proc/meminfo", "MemAvailable");
  const auto group = cgroup_available();
  return group ? std::min(machine, *group) : machine;
}

std::int64_t total_memory_bytes() {
  return kernel_table_bytes("/proc/meminfo", "MemTotal");
}

// Not getrusage: its figure survives exec, so a child would report at least what its parent used.
std::int64_t peak_resident_bytes() {
  return kernel_table_bytes("/proc/self/status", "VmHWM");
}

}  // namespace trainwright::executor
