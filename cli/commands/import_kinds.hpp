// The kinds of files that `trainwright import` reads, one function each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/output/console.hpp"
#include "model/base/error.hpp"
#include "model/io/importers/imported_topology.hpp"
#include "model/io/importers/nccl_tests.hpp"

namespace trainwright::cli {

/// The file and what the user adds to it.
struct ImportInput {
  std::string file;
  std::string text;
  std::optional<std::filesystem::path> out;  ///< where the result goes as a file of this program
  bool json = false;
  model::TopologyOptions topology;
  model::NcclTestsOptions nccl_tests;
  std::optional<std::string> cluster;  ///< profile id or file whose network a log is judged against
};

// Each prints its result and throws InputError for files that are of no use.
[[nodiscard]] model::ExitCode import_hf(const ImportInput& input, Console& console);
[[nodiscard]] model::ExitCode import_nccl_topology(const ImportInput& input, Console& console);
[[nodiscard]] model::ExitCode import_topo_matrix(const ImportInput& input, Console& console);
[[nodiscard]] model::ExitCode import_nccl_tests(const ImportInput& input, Console& console);
/// Answers no where the log contradicts `cluster`.
[[nodiscard]] model::ExitCode import_run_log(const ImportInput& input, Console& console);
[[nodiscard]] model::ExitCode import_megatron(const ImportInput& input, Console& console);
[[nodiscard]] model::ExitCode import_deepspeed(const ImportInput& input, Console& console);
[[nodiscard]] model::ExitCode import_accelerate(const ImportInput& input, Console& console);

}  // namespace trainwright::cli
