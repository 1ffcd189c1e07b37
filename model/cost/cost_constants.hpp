// The fitted numbers of the performance models, as dimensionless fractions of data-sheet values where possible, so that
// they carry over between devices of one family. Shipped per accelerator family (profiles/constants), overlaid by a
// calibration. Plain doubles with the unit in the name, because fits, files and priors treat them all alike through
// constant_refs(). Equations: docs/models/.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/graph/task.hpp"
#include "model/hardware/precision.hpp"

namespace trainwright::model {

/// T = fixed + (Tc^3 + Tm^3)^(1/3); see docs/models/gemm.md.
struct GemmConstants {
  double peak_fraction = 0.78;       ///< achieved rate at full waves / dense peak
  double bandwidth_fraction = 0.83;  ///< achieved / data-sheet memory bandwidth
  double fixed_s = 3e-6;
  double sag = 0.065;  ///< loss of clock in long kernels
  double wave_loss = 0.145;
  double underfill = 0.06;
  double prologue_k = 37.0;
  double quantise_bandwidth_fraction = 0.26;  ///< fp8, nvfp4: 2 bytes an element of the activation / memory bandwidth
  double quantise_s = 11.7e-6;                ///< launches of the quantisation
  friend bool operator==(const GemmConstants&, const GemmConstants&) = default;
};

/// Pooled over the GPUs that were measured, for one that was not: docs/models/gemm.md.
[[nodiscard]] std::array<GemmConstants, 8> pooled_gemm_constants();

struct AttentionConstants {
  double peak_fraction = 0.58;
  double bandwidth_fraction = 0.96;
  double fixed_s = 15.5e-6;
  double start_tokens = 624.0;
  double tail = 0.90;
  double backward_rate_ratio = 0.8;  ///< rate of the backward kernel / forward kernel
  double unfused_factor = 1.0;       ///< time of an unfused kernel / sum of its products and passes
  double unaligned_factor = 1.0;     ///< time of unfused products whose head size is no multiple of 8 / of aligned ones
  double score_dims = 0.0;           ///< work on one score beside the products, in head dimensions
  double step_rate = 1.0;            ///< rate inside a training step / of the kernel alone
  friend bool operator==(const AttentionConstants&, const AttentionConstants&) = default;
};

struct MemoryBoundConstants {
  double bandwidth_fraction = 0.80;
  double kernel_s = 4e-6;  ///< per launch
  friend bool operator==(const MemoryBoundConstants&, const MemoryBoundConstants&) = default;
};

/// What the host adds. Meets device time as (device^3 + host^3)^(1/3) per micro-batch and stage.
struct HostConstants {
  double task_s = 0.0;              ///< dispatch of one task, not hidden (executor on CPUs)
  double layer_forward_s = 0.6e-3;  ///< launches of one layer, hidden behind device work
  double backward_ratio = 1.25;
  double recompute_ratio = 1.05;
  double micro_batch_s = 5e-3;
  double step_s = 14e-3;
  double tensor_log2_growth = 0.09;  ///< layer_forward_s x (1 + this x log2 tp)
  double expert_product_s = 0.0;     ///< launches of one product of one expert: each has its own
  double expert_layer_s = 0.5e-3;    ///< pass of a mixture layer: the device waits for the host to learn token counts
  friend bool operator==(const HostConstants&, const HostConstants&) = default;
};

/// Ring with a latency per step, a rounded knee and a switch of protocol; docs/models/collectives.md.
struct CollectiveConstants {
  double base_s = 6.7e-6;
  double step_s = 1.04e-6;
  double efficiency = 0.80;  ///< of the data-sheet bandwidth
  double knee_s = 16e-6;
  double copy_ratio = 2.8;  ///< own share copied at this multiple of the link bandwidth (gather, scatter)
  double all_to_all_copy_ratio = 6.0;
  double all_to_all_s = 3.5e-6;            ///< latency of an all-to-all, in place of step_s for each step
  double all_to_all_plateau_s = 0.0;       ///< more latency of messages well above the next size
  double all_to_all_plateau_bytes = 20e3;  ///< for each rank, where half of it has set in
  /// Rings of messages from bulk_bytes x ranks^bulk_rank_power on use the protocol for large ones; 0: there is but one.
  double bulk_bytes = 0.0;
  double bulk_rank_power = 1.0;
  double small_bandwidth_ratio = 1.0;  ///< bandwidth below that size / above it
  double bulk_s = 0.0;                 ///< latency that protocol adds
  double bulk_step_s = 0.0;            ///< the same for each ring step
  double crowding = 0.0;               ///< bandwidth of n devices is (n / 2)^-crowding of a pair's (PCIe trees)
  double in_switch_efficiency = 0.0;   ///< 0: the switch does not reduce
  double in_switch_latency_s = 18e-6;
  double in_switch_rank_s = 8e-6;      ///< latency of an in-switch reduction grows by this for each rank
  double host_copy_bytes_per_s = 0.0;  ///< the host copies what an adapter sends, one after the other; 0: it does not
  std::array<double, 6> kind_factor{1, 1, 1, 1, 1, 1};  ///< bandwidth time by CollectiveKind, all but ring_shift
  double transfer_latency_s = 9e-6;                     ///< send/receive, ring_shift
  double transfer_efficiency = 0.80;
  friend bool operator==(const CollectiveConstants&, const CollectiveConstants&) = default;
};

struct CostConstants {
  std::array<GemmConstants, 8> gemm = pooled_gemm_constants();  ///< by Precision
  double gemm_step_rate = 1.0;  ///< rate of a matrix product inside a training step / of the same product alone
  AttentionConstants attention;
  MemoryBoundConstants memory_bound;
  MemoryBoundConstants optimizer;
  HostConstants host;
  CollectiveConstants node_link;             ///< inside a node
  CollectiveConstants network;               ///< between nodes
  double node_link_step_rate = 1.0;          ///< bandwidth inside a node in a training step / in a benchmark
  double network_step_rate = 1.0;            ///< the same between nodes: others send too, ranks arrive unevenly
  double network_step_latency = 1.0;         ///< latency between nodes in a training step / in a benchmark
  double communication_compute_share = 0.0;  ///< share of its device that a running collective takes from compute
  double core_switch_penalty = 0.0;          ///< slow-down of compute per extra rank on a core (CPU nodes)
  double step_scatter = 0.15;   ///< robust scale of the log error of published steps of the family and software
  double step_log_error = 0.0;  ///< robust scale of the log error of whole steps after a calibration; 0: not calibrated
  std::string origin = "built-in defaults";  ///< where the set comes from, for the assumptions of a result
  friend bool operator==(const CostConstants&, const CostConstants&) = default;
};

/// One constant by name, for files, fits and reports. Log-normal prior of the given width for fits.
struct ConstantRef {
  std::string name;  ///< "gemm.bf16.peak_fraction", "network.step_s"
  double* value;
  double prior_log_width;
};

/// All constants of the set, in a fixed order. The pointers live as long as `constants`.
[[nodiscard]] std::vector<ConstantRef> constant_refs(CostConstants& constants);

/// The same constants for kernels timed alone: without the step rates.
[[nodiscard]] CostConstants kernels_alone(const CostConstants& constants);

}  // namespace trainwright::model
