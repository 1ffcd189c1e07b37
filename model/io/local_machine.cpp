// SPDX-License-Identifier: Apache-2.0
#include "model/io/local_machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

#include "model/base/contract.hpp"
#include "model/base/error.hpp"
#include "model/io/accelerator_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/profile_library.hpp"

namespace trainwright::model {
namespace {

namespace fs = std::filesystem;

// Files of /proc and /sys that may be absent: absent is "".
std::string content(const fs::path& path) {
  Diagnostics ignored;
  return read_file(path, ignored);
}

std::optional<std::int64_t> number_at(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data())
    return std::nullopt;
  return value;
}

// "key<blanks>: rest of the line" of /proc/cpuinfo, /proc/meminfo.
std::optional<std::string> field(const std::string& text, std::string_view key) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line(text.data() + begin, end - begin);
    const std::size_t colon = line.find(':');
    if (line.starts_with(key) && colon != std::string_view::npos &&
        line.substr(key.size(), colon - key.size()).find_first_not_of(" \t") == std::string_view::npos) {
      const std::size_t first = line.find_first_not_of(" \t", colon + 1);
      return std::string(first == std::string_view::npos ? "" : line.substr(first));
    }
    begin = end + 1;
  }
  return std::nullopt;
}

int affinity_cores() {
  // The mask of a large machine does not fit cpu_set_t; the kernel says so and a larger one is tried.
  for (int size = 1024; size <= (1 << 20); size *= 4) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(static_cast<std::size_t>(size)),
                                                               [](cpu_set_t* s) { CPU_FREE(s); });
    if (set && ::sched_getaffinity(0, CPU_ALLOC_SIZE(size), set.get()) == 0)
      return CPU_COUNT_S(CPU_ALLOC_SIZE(size), set.get());
  }
  return 1;
}

// The control group of the process and all above it, innermost first: each may limit. Version 2 has one hierarchy
// ("0::/path"); inside a container the path is often "/" and the limit is at the mount point.
std::vector<fs::path> group_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  const std::string groups = content(root / "proc/self/cgroup");
  const fs::path mount = root / "sys/fs/cgroup";
  const std::size_t unified = groups.rfind("0::/");
  if (unified != std::string::npos) {
    fs::path path = fs::path(groups.substr(unified + 4, groups.find('\n', unified) - unified - 4));
    for (; !path.empty(); path = path.parent_path())
      folders.push_back(mount / path);
  }
  folders.push_back(mount);
  return folders;
}

std::optional<int> group_cores(const fs::path& root) {
  std::optional<int> least;
  const auto limit = [&](std::int64_t quota, std::int64_t period) {
    if (quota <= 0 || period <= 0)
      return;
    const int cores = static_cast<int>(std::max<std::int64_t>(1, quota / period));
    least = std::min(least.value_or(cores), cores);
  };
  for (const fs::path& folder : group_folders(root)) {
    const std::string text = content(folder / "cpu.max");  // "200000 100000" or "max 100000"
    const std::size_t blank = text.find(' ');
    const std::optional<std::int64_t> quota = number_at(text);
    if (quota && blank != std::string::npos)
      limit(*quota, number_at(std::string_view(text).substr(blank)).value_or(0));
  }
  const fs::path version1 = root / "sys/fs/cgroup/cpu";
  limit(number_at(content(version1 / "cpu.cfs_quota_us")).value_or(0),
        number_at(content(version1 / "cpu.cfs_period_us")).value_or(0));
  return least;
}

std::int64_t group_memory(const fs::path& root) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const fs::path& folder : group_folders(root))
    least = std::min(least, number_at(content(folder / "memory.max")).value_or(least));  // "max": no number
  return std::min(least, number_at(content(root / "sys/fs/cgroup/memory/memory.limit_in_bytes")).value_or(least));
}

std::optional<double> real_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !(value > 0.0) || !std::isfinite(value))
    return std::nullopt;
  return value;
}

bool has_word(const std::string& words, const std::string& word) {
  return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

// Server cores with AVX-512 or AVX2 have two units of fused multiply-add (Intel 64 and IA-32 Architectures Optimization
// Reference Manual, chapters on Skylake Server and Haswell; AMD Zen 2 and later alike); one multiply and one add
// before.
std::optional<FlopsPerSecond> core_peak(const std::string& cpuinfo) {
  const std::optional<std::string> flags = field(cpuinfo, "flags");
  const std::optional<std::string> clock = field(cpuinfo, "cpu MHz");
  const std::optional<double> megahertz = clock ? real_number(*clock) : std::nullopt;
  if (!flags || !megahertz)
    return std::nullopt;
  constexpr double kFusedUnits = 2 * 2;
  double per_cycle = 4 * 2;  // SSE: four lanes
  if (has_word(*flags, "avx512f"))
    per_cycle = 16 * kFusedUnits;
  else if (has_word(*flags, "avx2") && has_word(*flags, "fma"))
    per_cycle = 8 * kFusedUnits;
  else if (has_word(*flags, "avx"))
    per_cycle = 8 * 2;
  const auto threads = number_at(field(cpuinfo, "siblings").value_or("1")).value_or(1);
  const auto cores = number_at(field(cpuinfo, "cpu cores").value_or("1")).value_or(1);
  const double threads_per_core = cores > 0 && threads > cores ? static_cast<double>(threads) / double(cores) : 1.0;
  constexpr double kMega = 1e6;
  return FlopsPerSecond(per_cycle * *megahertz * kMega / threads_per_core);
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

}  // namespace

LocalMachine local_machine(const std::filesystem::path& root) {
  LocalMachine machine;
  machine.host = host_name();
  const std::string cpuinfo = content(root / "proc/cpuinfo");
  machine.processor = field(cpuinfo, "model name").value_or("unnamed processor");
  machine.core_peak = core_peak(cpuinfo);
  machine.cores = affinity_cores();
  if (const std::optional<int> cores = group_cores(root))
    machine.cores = std::min(machine.cores, *cores);
  constexpr std::int64_t kKibi = 1024;  // /proc/meminfo's "kB" are KiB
  const std::optional<std::string> total = field(content(root / "proc/meminfo"), "MemTotal");
  const std::optional<std::int64_t> kibibytes = total ? number_at(*total) : std::nullopt;
  if (!kibibytes || *kibibytes <= 0)
    throw EnvironmentError((root / "proc/meminfo").string() + ": has no MemTotal",
                           "mount /proc, or describe the machine in a cluster file");
  machine.memory = ByteCount(std::min(*kibibytes * kKibi, group_memory(root)));
  return machine;
}

Cluster local_cluster(const LocalMachine& machine) {
  const std::optional<Profile> profile = find_profile(ProfileKind::accelerator, "cpu-generic");
  TRAINWRIGHT_EXPECTS(profile.has_value(), "the library lacks cpu-generic");
  Diagnostics diagnostics;
  std::optional<Accelerator> core = accelerator_from_json(profile->text, std::string(profile->file), diagnostics);
  TRAINWRIGHT_EXPECTS(core.has_value(), diagnostics.to_text());

  Accelerator device = *std::move(core);
  device.name = machine.processor + ", one core (generic figures)";
  if (machine.core_peak) {
    device.dense_peak[static_cast<std::size_t>(Precision::fp32)] = machine.core_peak;
    device.dense_peak[static_cast<std::size_t>(Precision::fp64)] = *machine.core_peak / 2.0;
    for (SourceNote& note : device.sources)
      std::erase(note.covers, "dense_peak");
    device.sources.push_back({{"dense_peak"}, "this machine: vector units and clock in /proc/cpuinfo"});
  }
  device.memory = ByteCount(machine.memory.count() / machine.cores);
  for (SourceNote& note : device.sources)
    std::erase(note.covers, "memory");
  device.sources.push_back({{"memory"}, "this machine: memory that the process may use, divided by its cores"});

  NodeGroup group;
  // A message between ranks is a copy through the memory of the node: at most what one core can move.
  group.link = NodeLink{LinkKind::shared_memory, device.memory_bandwidth};
  group.accelerator = std::move(device);
  group.devices_per_node = machine.cores;
  group.devices_share_cores = true;
  group.cores_per_node = machine.cores;
  group.host_memory = machine.memory;

  Cluster cluster;
  cluster.id = "local";
  cluster.name = machine.host;
  cluster.groups.push_back(std::move(group));
  cluster.sources.push_back({{"devices_per_node", "cores_per_node", "host_memory"},
                             "this machine: affinity and control group of the process, /proc/meminfo"});
  cluster.sources.push_back({{"bandwidth"}, "memory bandwidth of one core, from the accelerator cpu-generic"});
  return cluster;
}

}  // namespace trainwright::model
