// Who may include what: the table of docs/architecture.md as data, and the check of a tree against it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tests/architecture/source_tree.hpp"

namespace trainwright::architecture {

struct Include {
  std::size_t line = 0;
  std::string target;  ///< as written between the quotes or brackets
};

/// The #include lines of a file, in order. Commented-out ones do not count.
[[nodiscard]] std::vector<Include> includes_of(const SourceFile& file);

/// Which library a header belongs to: "std", "system", "ours", "Boost", "Boost.Graph", "Eigen", "json", "json_fwd",
/// "CLI11", "SimGrid", "Gloo", "OpenBLAS", "CUDA", "NCCL", "MPI", "Qt", "test", "generated"; empty when it is in no
/// list.
[[nodiscard]] std::string library_of(const std::string& target);

/// Every include that the table forbids, in files of model, simulator, executor, cli and gui.
[[nodiscard]] std::vector<Violation> forbidden_includes(const std::vector<SourceFile>& tree);

/// Folders of model that include a folder after them in the list of docs/architecture.md.
[[nodiscard]] std::vector<Violation> against_model_order(const std::vector<SourceFile>& tree);

/// Folders of one part that include each other in a circle, each circle once, as "a -> b -> a".
[[nodiscard]] std::vector<std::string> folder_cycles(const std::vector<SourceFile>& tree);

}  // namespace trainwright::architecture
