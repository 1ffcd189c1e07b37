// `trainwright import`: reads files of other programs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "cli/commands/command.hpp"
#include "cli/commands/import_kinds.hpp"

namespace trainwright::cli {

class ImportCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "import"; }
  [[nodiscard]] std::string summary() const override {
    return "Read a file of another program: hf, nccl-topo, topo-m, nccl-tests, megatron, deepspeed, fsdp FILE";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  std::optional<std::string> kind_;
  std::optional<std::string> file_;
  std::optional<std::filesystem::path> out_;
  std::optional<std::string> accelerator_;
  std::optional<std::int64_t> nodes_;
  std::optional<std::int64_t> ranks_;
  std::optional<std::string> adapter_rate_;
  std::optional<model::ByteCount> host_memory_;
  std::optional<model::CollectiveKind> collective_;
  std::optional<std::string> cluster_;
};

}  // namespace trainwright::cli
