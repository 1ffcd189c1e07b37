// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/resources.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "model/units/format.hpp"

namespace trainwright::cli {
namespace {

// A run directory with logs, a trace and a small checkpoint.
constexpr model::ByteCount kEnoughDisk(1'000'000'000);
// Containers start with 64 MB of /dev/shm unless told otherwise; NCCL's shared-memory transport needs more with 8
// ranks.
constexpr model::ByteCount kEnoughSharedMemory(1'000'000'000);
// Sockets: one to each peer for every communicator, beside files; 1,024 is the usual default and does for 128 ranks.
constexpr std::uint64_t kEnoughOpenFiles = 1024;

std::optional<std::int64_t> first_number(std::string_view text) {
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos)
    return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + digit, text.data() + text.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

// The folders of this process' control group (version 2), from its own up to the top. Inside a container the path may
// name a folder that is not mounted there; the top folder is then the container's own.
std::vector<std::string> control_group_folders(const Machine& machine) {
  std::string path = "/";
  const std::string groups = machine.read_file("/proc/self/cgroup").value_or("");
  if (const std::size_t line = groups.find("0::"); line != std::string::npos)
    path = groups.substr(line + 3, groups.find('\n', line) - line - 3);
  std::vector<std::string> folders;
  for (; path.size() > 1; path = path.substr(0, std::max<std::size_t>(path.rfind('/'), 1))) {
    folders.push_back("/sys/fs/cgroup" + path);
    if (path.rfind('/') == 0)
      break;
  }
  folders.emplace_back("/sys/fs/cgroup");
  return folders;
}

// Cores of the quota "max 100000" or "150000 100000" (microseconds of a period); empty: no quota.
std::optional<double> quota_cores(std::string_view text) {
  if (text.starts_with("max"))
    return std::nullopt;
  const std::optional<std::int64_t> quota = first_number(text);
  const std::size_t blank = text.find(' ');
  const std::optional<std::int64_t> period =
      blank == std::string_view::npos ? std::nullopt : first_number(text.substr(blank));
  if (!quota || !period || *period <= 0)
    return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

Finding disk_finding(const Machine& machine) {
  Finding finding{"disk", "disk space here", FindingState::present, "", ""};
  const std::optional<DiskSpace> space = machine.disk_space(".");
  if (!space) {
    finding.state = FindingState::missing;
    finding.detail = "the current folder cannot be examined";
    finding.fix = "run from a folder that exists and can be read";
    return finding;
  }
  finding.detail = model::format(space->free) + " free of " + model::format(space->total);
  if (space->free < kEnoughDisk) {
    finding.state = FindingState::limited;
    finding.fix = "free some space, or give --run-dir a folder on another disk (1 GB is enough for a small run)";
  }
  return finding;
}

Finding shared_memory_finding(const Machine& machine) {
  Finding finding{"shared_memory", "shared memory (/dev/shm)", FindingState::present, "", ""};
  const std::optional<DiskSpace> space = machine.disk_space("/dev/shm");
  if (!space) {
    finding.state = FindingState::missing;
    finding.detail = "/dev/shm is not mounted";
    finding.fix = "mount -t tmpfs -o size=1G tmpfs /dev/shm";
    return finding;
  }
  finding.detail = model::format(space->free) + " free of " + model::format(space->total);
  if (space->total < kEnoughSharedMemory) {
    finding.state = FindingState::limited;
    finding.fix = "start the container with --shm-size=1g, or mount -o remount,size=1G /dev/shm";
  }
  return finding;
}

Finding open_files_finding(const Machine& machine) {
  const std::optional<std::uint64_t> limit = machine.limit(ProcessLimit::open_files);
  Finding finding{"open_files", "open files of a process", FindingState::present,
                  limit ? std::to_string(*limit) : "unlimited", ""};
  if (limit && *limit < kEnoughOpenFiles) {
    finding.state = FindingState::limited;
    finding.fix = "ulimit -n 65536";
  }
  return finding;
}

Finding locked_memory_finding(const Machine& machine) {
  const std::optional<std::uint64_t> limit = machine.limit(ProcessLimit::locked_memory);
  const bool has_rdma = !machine.list_folder("/sys/class/infiniband").empty();
  Finding finding{"locked_memory", "locked memory", FindingState::present,
                  limit ? model::format(model::ByteCount(static_cast<std::int64_t>(*limit))) : "unlimited", ""};
  if (limit && has_rdma) {
    finding.state = FindingState::limited;
    finding.detail += "; the InfiniBand cards of this machine need it unlimited";
    finding.fix = "ulimit -l unlimited (containers: --ulimit memlock=-1)";
  }
  return finding;
}

}  // namespace

int cores_allowed(const Machine& machine) {
  double cores = std::max(1, machine.affinity_cores());
  for (const std::string& folder : control_group_folders(machine)) {
    if (const std::optional<std::string> text = machine.read_file(folder + "/cpu.max"))
      cores = std::min(cores, quota_cores(*text).value_or(cores));
  }
  // Version 1 of control groups keeps quota and period in two files; -1 is no quota.
  const std::string quota = machine.read_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").value_or("-1");
  const std::string period = machine.read_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us").value_or("");
  if (!quota.starts_with("-"))
    cores = std::min(cores, quota_cores(quota.substr(0, quota.find('\n')) + " " + period).value_or(cores));
  return std::max(1, static_cast<int>(std::floor(cores)));
}

model::ByteCount memory_allowed(const Machine& machine) {
  const std::string meminfo = machine.read_file("/proc/meminfo").value_or("");
  const std::size_t line = meminfo.find("MemTotal:");
  std::int64_t bytes =
      line == std::string::npos ? 0 : first_number(std::string_view(meminfo).substr(line)).value_or(0) * 1024;
  std::vector<std::string> limits;
  for (const std::string& folder : control_group_folders(machine))
    limits.push_back(folder + "/memory.max");
  limits.emplace_back("/sys/fs/cgroup/memory/memory.limit_in_bytes");
  for (const std::string& path : limits) {
    const std::string text = machine.read_file(path).value_or("max");
    if (const std::optional<std::int64_t> limit = first_number(text); limit && (bytes == 0 || *limit < bytes))
      bytes = *limit;
  }
  return model::ByteCount(bytes);
}

std::vector<Finding> examine_resources(const Machine& machine) {
  std::vector<Finding> findings;
  const int cores = cores_allowed(machine);
  const int affinity = std::max(1, machine.affinity_cores());
  findings.push_back(
      {"cores", "processor cores allowed", FindingState::present,
       std::to_string(cores) + (cores < affinity ? " (quota; " + std::to_string(affinity) + " visible)" : ""), ""});
  const model::ByteCount memory = memory_allowed(machine);
  findings.push_back(
      {"memory", "memory allowed", FindingState::present, memory.count() > 0 ? model::format(memory) : "unknown", ""});
  findings.push_back(disk_finding(machine));
  findings.push_back(shared_memory_finding(machine));
  findings.push_back(open_files_finding(machine));
  findings.push_back(locked_memory_finding(machine));
  return findings;
}

}  // namespace trainwright::cli
