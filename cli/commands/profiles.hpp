// `trainwright profiles`: ids of the models, clusters and accelerators that come with the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "cli/commands/command.hpp"

namespace trainwright::cli {

class ProfilesCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "profiles"; }
  [[nodiscard]] std::string summary() const override {
    return "List the ids of shipped models, clusters and accelerators";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::optional<std::string> kind_;
};

}  // namespace trainwright::cli
