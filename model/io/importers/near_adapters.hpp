// Which network adapters are near which GPU, and what is uneven about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace trainwright::model {

/// One GPU, its distance to each adapter in words ("PIX", "SYS") and in order (smaller is nearer).
struct Nearness {
  std::vector<std::string> gpus;
  std::vector<std::string> adapters;
  std::vector<std::vector<int>> distance;       ///< [gpu][adapter]
  std::vector<std::vector<std::string>> words;  ///< [gpu][adapter]
  int host_bridge = 0;                          ///< distances from here on leave the GPU's PCI switches
};

/// Adapters at the least distance of one GPU; empty without adapters.
[[nodiscard]] std::vector<std::size_t> nearest_adapters(const Nearness& nearness, std::size_t gpu);

/// "GPU0: mlx5_0, mlx5_1 (PIX)", one line a GPU.
[[nodiscard]] std::vector<std::string> rail_lines(const Nearness& nearness);

/// GPUs that have less of an adapter than others, GPUs whose adapters are all beyond the host bridge while others have
/// near ones, adapters that are near no GPU. In words; empty when all is even.
[[nodiscard]] std::vector<std::string> uneven_adapters(const Nearness& nearness);

}  // namespace trainwright::model
