// `trainwright execute`: runs a plan on this machine and compares it with the prediction.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "cli/commands/backend.hpp"
#include "cli/commands/command.hpp"

namespace trainwright::cli {

class ExecuteCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "execute"; }
  [[nodiscard]] std::string summary() const override {
    return "Run a plan on this machine and compare with the prediction";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::optional<Backend> backend_;
  std::optional<std::filesystem::path> plan_;
  std::optional<std::int64_t> nproc_;
  std::optional<std::int64_t> steps_;
  std::optional<std::int64_t> warmup_;
  std::optional<std::int64_t> timeout_;
  std::optional<std::string> interface_;
  std::optional<std::string> name_;
  std::optional<std::filesystem::path> run_dir_;
};

}  // namespace trainwright::cli
