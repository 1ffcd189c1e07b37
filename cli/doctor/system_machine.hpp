// The machine that this process runs on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>

#include "cli/doctor/machine.hpp"

namespace trainwright::cli {

class SystemMachine : public Machine {
 public:
  /// `root` stands before every path of read_file and list_folder, so that a test can lay out a /proc of its own;
  /// `patience` is how long output_of waits.
  explicit SystemMachine(std::filesystem::path root = "/",
                         std::chrono::milliseconds patience = std::chrono::seconds(10))
      : root_(std::move(root)), patience_(patience) {}

  [[nodiscard]] std::optional<std::string> read_file(std::string_view path) const override;
  [[nodiscard]] std::vector<std::string> list_folder(std::string_view path) const override;
  [[nodiscard]] std::optional<std::string> environment(std::string_view name) const override;
  [[nodiscard]] std::optional<std::string> find_program(std::string_view name) const override;
  [[nodiscard]] std::optional<std::string> output_of(const std::vector<std::string>& command) const override;
  [[nodiscard]] int affinity_cores() const override;
  [[nodiscard]] std::optional<DiskSpace> disk_space(std::string_view path) const override;
  [[nodiscard]] std::optional<std::uint64_t> limit(ProcessLimit limit) const override;
  [[nodiscard]] bool is_root() const override;

 private:
  [[nodiscard]] std::filesystem::path under_root(std::string_view path) const;

  std::filesystem::path root_;
  std::chrono::milliseconds patience_;
};

}  // namespace trainwright::cli
