// The result of predicting one plan. docs/results.md defines every number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/estimate/timeline.hpp"
#include "model/graph/task.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

enum class EstimatorKind { analytic, folded, full };
inline constexpr std::array<std::pair<std::string_view, EstimatorKind>, 3> kEstimatorWords{
    {{"analytic", EstimatorKind::analytic}, {"folded", EstimatorKind::folded}, {"full", EstimatorKind::full}}};

/// Parts of the step on the critical path; they sum to the step.
enum class StepPart : std::uint8_t {
  compute,
  recompute,
  exposed_tensor,
  exposed_context,
  exposed_expert,
  exposed_data,
  exposed_pipeline,
  bubble,
  optimizer,
  host,
  data_stall,
  checkpoint_stall,
};
inline constexpr std::size_t kStepPartCount = 12;
inline constexpr std::array<std::string_view, kStepPartCount> kStepPartWords{
    {"compute", "recompute", "exposed_tp", "exposed_cp", "exposed_ep", "exposed_dp", "exposed_pp", "bubble",
     "optimizer", "host", "data_stall", "checkpoint_stall"}};
[[nodiscard]] constexpr std::string_view to_word(StepPart part) {
  return kStepPartWords[static_cast<std::size_t>(part)];
}

using Breakdown = std::array<double, kStepPartCount>;  ///< seconds by StepPart

enum class MemoryVerdict { fits, borderline, does_not_fit };
inline constexpr std::array<std::pair<std::string_view, MemoryVerdict>, 3> kMemoryVerdictWords{
    {{"fits", MemoryVerdict::fits},
     {"borderline", MemoryVerdict::borderline},
     {"does not fit", MemoryVerdict::does_not_fit}}};

/// When a rank holds what: loading weights, making optimizer states, the passes of a step, its update, a checkpoint.
enum class MemoryPhase : std::uint8_t { load, initialise, forward, backward, optimizer, save };
inline constexpr std::size_t kMemoryPhaseCount = 6;
inline constexpr std::array<std::string_view, kMemoryPhaseCount> kMemoryPhaseWords{
    {"load", "initialise", "forward", "backward", "optimizer", "save"}};
[[nodiscard]] constexpr std::string_view to_word(MemoryPhase phase) {
  return kMemoryPhaseWords[static_cast<std::size_t>(phase)];
}

/// Memory of the ranks of one stage at their peak, by term.
struct StageMemory {
  StageId stage = StageId(0);
  int ranks = 1;
  std::array<ByteCount, kMemoryTermCount> terms{};  ///< at the moment of the peak
  ByteCount peak;
  std::string peak_phase;  ///< of kMemoryPhaseWords; "recompute" is told apart from "backward"
  std::array<ByteCount, kMemoryPhaseCount> phases{};  ///< most held in each phase; their maximum is the peak
  friend bool operator==(const StageMemory&, const StageMemory&) = default;
};

/// Memory of one node's host: what the ranks of the node keep there.
struct HostMemory {
  struct Item {
    std::string name;  ///< "optimizer states", "pinned buffers"
    ByteCount bytes;
    friend bool operator==(const Item&, const Item&) = default;
  };
  std::vector<Item> items;
  ByteCount used;
  ByteCount capacity;  ///< 0: the cluster does not state it, no verdict
  MemoryVerdict verdict = MemoryVerdict::fits;
  ByteCount load;  ///< if every process of the node reads the whole model in fp32; not part of `used`
  friend bool operator==(const HostMemory&, const HostMemory&) = default;
};

struct MemoryEstimate {
  std::vector<StageMemory> stages;
  ByteCount peak;  ///< of the fullest stage
  ByteCount capacity;
  MemoryVerdict verdict = MemoryVerdict::fits;  ///< the worse of device and host
  HostMemory host;
  friend bool operator==(const MemoryEstimate&, const MemoryEstimate&) = default;
};

/// "If this resource were twice as fast": evidence for the bottleneck.
struct WhatIf {
  std::string resource;  ///< "compute", "memory bandwidth", "node link", "network", "latency", "host"
  double factor = 2.0;
  Seconds step = Seconds::zero();
  friend bool operator==(const WhatIf&, const WhatIf&) = default;
};

struct Advice {
  std::string action;
  std::string reason;
  std::optional<Seconds> step_after;  ///< re-predicted; empty when only said, not computed
  std::optional<ByteCount> peak_memory_after;
  friend bool operator==(const Advice&, const Advice&) = default;
};

struct Estimate {
  EstimatorKind estimator = EstimatorKind::analytic;
  Seconds step = Seconds::zero();
  Seconds step_low = Seconds::zero();  ///< 90 % interval
  Seconds step_high = Seconds::zero();
  Breakdown breakdown{};
  Flops model_flops = Flops::zero();     ///< of one step, all ranks: the model's own, without recomputation
  Flops hardware_flops = Flops::zero();  ///< with recomputation
  double tokens_per_second = 0.0;
  double mfu = 0.0;
  double hfu = 0.0;
  FlopsPerSecond model_rate_per_device = FlopsPerSecond::zero();
  MemoryEstimate memory;
  std::string bottleneck;
  std::vector<WhatIf> what_ifs;
  std::vector<Advice> advice;
  std::vector<std::string> assumptions;
  std::vector<Seconds> stage_busy;   ///< compute time of one rank of each stage
  std::optional<Timeline> timeline;  ///< simulated estimates, when asked for
  friend bool operator==(const Estimate&, const Estimate&) = default;
};

}  // namespace trainwright::model
