// What a topology file of NCCL says (NCCL_TOPO_FILE, NCCL_TOPO_DUMP_FILE): processors, the PCI tree below them, GPUs
// with their NVLinks, network adapters. Facts only, nothing guessed; imported_topology makes a cluster of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

/// NVLinks of one GPU that end at one place.
struct TopologyNvlink {
  std::string target;      ///< bus id of the other end
  int count = 0;           ///< links
  bool to_switch = false;  ///< ends at an NVSwitch
  friend bool operator==(const TopologyNvlink&, const TopologyNvlink&) = default;
};

enum class PciKind { bridge, gpu, adapter, other };

/// One element of the PCI tree.
struct PciElement {
  std::string bus_id;
  PciKind kind = PciKind::other;
  int cpu = 0;                              ///< index into NcclTopology::cpus
  int parent = -1;                          ///< index into NcclTopology::pci; -1: hangs on the processor itself
  std::optional<BytesPerSecond> bandwidth;  ///< of its own link upwards, per direction; empty: the file does not say
  std::string vendor;                       ///< "0x10de", or empty
  std::string device;                       ///< "0x2330", or empty
  friend bool operator==(const PciElement&, const PciElement&) = default;
};

struct TopologyGpu {
  int pci = 0;            ///< index into NcclTopology::pci
  std::optional<int> sm;  ///< compute capability x 10: 80, 90
  std::vector<TopologyNvlink> nvlinks;
  friend bool operator==(const TopologyGpu&, const TopologyGpu&) = default;
};

/// One network interface; two ports of one adapter are two of them.
struct TopologyAdapter {
  std::string name;  ///< "mlx5_0", else the bus id
  int cpu = 0;
  int pci = -1;                        ///< index into NcclTopology::pci; -1: the file hangs it on the processor
  std::optional<BytesPerSecond> rate;  ///< per direction; empty: the file does not say
  bool reaches_gpu_memory = false;     ///< gdr="1"
  bool is_infiniband = false;          ///< by its PCI class
  bool is_rdma_vendor = false;         ///< NVIDIA (Mellanox) or Amazon, whose Ethernet adapters do RDMA
  friend bool operator==(const TopologyAdapter&, const TopologyAdapter&) = default;
};

struct TopologyProcessor {
  std::string numa_id;
  std::optional<int> threads;  ///< hardware threads of its affinity mask
  friend bool operator==(const TopologyProcessor&, const TopologyProcessor&) = default;
};

struct NcclTopology {
  std::vector<TopologyProcessor> cpus;
  std::vector<PciElement> pci;  ///< parents before children
  std::vector<TopologyGpu> gpus;
  std::vector<TopologyAdapter> adapters;
  friend bool operator==(const NcclTopology&, const NcclTopology&) = default;
};

/// Empty when the text is not XML, is another file of NCCL (a graph file), or does not tell which elements are GPUs;
/// `diagnostics` then says all that is missing. Attributes that can be done without are warnings.
[[nodiscard]] std::optional<NcclTopology> read_nccl_topology(std::string_view text, const std::string& source,
                                                             Diagnostics& diagnostics);

/// How close two places of the PCI tree are, nearest first; the words are those of `nvidia-smi topo -m`.
enum class PciDistance { same_bridge, several_bridges, host_bridge, sockets };
[[nodiscard]] std::string_view to_word(PciDistance distance);
/// Between a GPU and an adapter.
[[nodiscard]] PciDistance distance(const NcclTopology& topology, const TopologyGpu& gpu,
                                   const TopologyAdapter& adapter);

}  // namespace trainwright::model
