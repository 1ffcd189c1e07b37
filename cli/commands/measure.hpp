// `trainwright measure`: micro-benchmarks of this machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "cli/commands/backend.hpp"
#include "cli/commands/command.hpp"

namespace trainwright::cli {

class MeasureCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "measure"; }
  [[nodiscard]] std::string summary() const override { return "Measure this machine: micro-benchmarks for calibrate"; }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::optional<Backend> backend_;
  std::optional<std::int64_t> nproc_;
  std::optional<std::int64_t> budget_;
  bool quick_ = false;
  std::optional<std::filesystem::path> run_dir_;
  std::optional<std::filesystem::path> out_;
};

}  // namespace trainwright::cli
