// `trainwright import`: reads files of other programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "cli/commands/command.hpp"

namespace trainwright::cli {

class ImportCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "import"; }
  [[nodiscard]] std::string summary() const override {
    return "Read a file of another program: hf FILE (a Hugging Face config.json)";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::optional<std::string> kind_;
  std::optional<std::string> file_;
  std::optional<std::filesystem::path> out_;
};

}  // namespace trainwright::cli
