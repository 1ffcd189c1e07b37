// A machine made of tables.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>

#include "cli/doctor/machine.hpp"

namespace trainwright::cli {

class FakeMachine : public Machine {
 public:
  std::map<std::string, std::string, std::less<>> files;  ///< folders follow from them
  std::map<std::string, std::string, std::less<>> variables;
  std::map<std::string, std::string, std::less<>> programs;  ///< name -> path
  std::map<std::string, std::string, std::less<>> outputs;   ///< by the program's path
  std::map<std::string, DiskSpace, std::less<>> disks;
  std::map<ProcessLimit, std::uint64_t> limits;
  int cores = 8;
  bool root = true;

  [[nodiscard]] std::optional<std::string> read_file(std::string_view path) const override { return get(files, path); }
  [[nodiscard]] std::vector<std::string> list_folder(std::string_view path) const override {
    std::set<std::string> names;
    const std::string prefix = std::string(path) + "/";
    for (const auto& [file, content] : files) {
      if (file.starts_with(prefix))
        names.insert(file.substr(prefix.size(), file.find('/', prefix.size()) - prefix.size()));
    }
    return {names.begin(), names.end()};
  }
  [[nodiscard]] std::optional<std::string> environment(std::string_view name) const override {
    return get(variables, name);
  }
  [[nodiscard]] std::optional<std::string> find_program(std::string_view name) const override {
    return get(programs, name);
  }
  [[nodiscard]] std::optional<std::string> output_of(const std::vector<std::string>& command) const override {
    return get(outputs, command.front());
  }
  [[nodiscard]] int affinity_cores() const override { return cores; }
  [[nodiscard]] std::optional<DiskSpace> disk_space(std::string_view path) const override { return get(disks, path); }
  [[nodiscard]] std::optional<std::uint64_t> limit(ProcessLimit limit) const override {
    const auto found = limits.find(limit);
    return found == limits.end() ? std::nullopt : std::optional(found->second);
  }
  [[nodiscard]] bool is_root() const override { return root; }

  /// A healthy machine with CPUs only: everything built, no GPU, no launcher, no display.
  static FakeMachine with_cpus_only() {
    FakeMachine machine;
    machine.files["/proc/meminfo"] = "MemTotal:       16000000 kB\nMemFree:  1 kB\n";
    machine.programs["trainwright-simulate"] = "/opt/bin/trainwright-simulate";
    machine.programs["trainwright-execute"] = "/opt/bin/trainwright-execute";
    machine.disks["."] = {model::ByteCount(100'000'000'000), model::ByteCount(40'000'000'000)};
    machine.disks["/dev/shm"] = {model::ByteCount(8'000'000'000), model::ByteCount(8'000'000'000)};
    machine.limits[ProcessLimit::open_files] = 1024;
    machine.limits[ProcessLimit::locked_memory] = 65536;
    return machine;
  }

 private:
  template <class Value>
  static std::optional<Value> get(const std::map<std::string, Value, std::less<>>& table, std::string_view key) {
    const auto found = table.find(key);
    return found == table.end() ? std::nullopt : std::optional<Value>(found->second);
  }
};

}  // namespace trainwright::cli
