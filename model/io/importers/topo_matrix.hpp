// The matrix that `nvidia-smi topo -m` prints: how GPUs and adapters reach each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/diagnostic.hpp"

namespace trainwright::model {

/// Nearest first. NVn is a bonded set of n NVLinks.
enum class TopoClass { self, nvlink, pix, pxb, phb, node, sys };
[[nodiscard]] std::string_view to_word(TopoClass value);

struct TopoCell {
  TopoClass kind = TopoClass::self;
  int nvlinks = 0;  ///< n of NVn
  friend bool operator==(const TopoCell&, const TopoCell&) = default;
};

struct TopoMatrix {
  std::vector<std::string> names;            ///< columns, GPUs first: "GPU0", "NIC0" or "mlx5_0"
  std::size_t gpus = 0;                      ///< so many of them are GPUs
  std::vector<std::vector<TopoCell>> cells;  ///< [GPU][column]
  std::vector<int> threads;                  ///< of the affinity lists, one for each different list; may be empty
  friend bool operator==(const TopoMatrix&, const TopoMatrix&) = default;
};

/// Empty when the text has no such matrix, rows of GPUs are missing or cut, a cell is unknown or the two directions of
/// a pair differ; `diagnostics` says all of it. Rows of adapters may be missing: those of the GPUs say the same.
[[nodiscard]] std::optional<TopoMatrix> read_topo_matrix(std::string_view text, const std::string& source,
                                                         Diagnostics& diagnostics);

}  // namespace trainwright::model
