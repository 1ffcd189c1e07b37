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
  friend bool operator==(const GemmConstants&, const GemmConstants&) = default;
};

struct AttentionConstants {
  double peak_fraction = 0.58;
  double bandwidth_fraction = 0.96;
  double fixed_s = 15.5e-6;
  double start_tokens = 624.0;
  double tail = 0.90;
  double backward_rate_ratio = 0.8;  ///< rate of the backward kernel / forward kernel
  double unfused_factor = 1.0;       ///< time of an unfused kernel / sum of its products and passes
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
  double expert_layer_s = 0.5e-3;    ///< pass of a mixture layer: the device waits for the host to learn token counts
  friend bool operator==(const HostConstants&, const HostConstants&) = default;
};

/// Ring with a latency per step and a rounded knee; docs/models/collectives.md.
struct CollectiveConstants {
  double base_s = 6.7e-6;
  double step_s = 1.04e-6;
  double efficiency = 0.80;  ///< of the data-sheet bandwidth
  double knee_s = 16e-6;
  double copy_ratio = 2.8;  ///< own share copied at this multiple of the link bandwidth (gather, scatter)
  double all_to_all_copy_ratio = 6.0;
  double in_switch_efficiency = 0.0;  ///< 0: the switch does not reduce
  double in_switch_latency_s = 77e-6;
  std::array<double, 6> kind_factor{1, 1, 1, 1, 1, 1};  ///< bandwidth time by CollectiveKind, all but ring_shift
  double transfer_latency_s = 9e-6;                     ///< send/receive, ring_shift
  double transfer_efficiency = 0.80;
  friend bool operator==(const CollectiveConstants&, const CollectiveConstants&) = default;
};

struct CostConstants {
  std::array<GemmConstants, 8> gemm{};  ///< by Precision
  AttentionConstants attention;
  MemoryBoundConstants memory_bound;
  MemoryBoundConstants optimizer;
  HostConstants host;
  CollectiveConstants node_link;             ///< inside a node
  CollectiveConstants network;               ///< between nodes
  double communication_compute_share = 0.0;  ///< share of its device that a running collective takes from compute
  double core_switch_penalty = 0.0;          ///< slow-down of compute per extra rank on a core (CPU nodes)
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

}  // namespace trainwright::model
