// When the passes of a pipeline end: the recurrence of the slot orders of all stages, exact for unequal stages and for
// passes that differ. Slots x stages steps, no graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "model/plan/pipeline_schedule.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

/// How long a pass takes. Asked for the slots of a stage in their order, each once, with its start.
class PassTimer {
 public:
  PassTimer() = default;
  PassTimer(const PassTimer&) = delete;
  PassTimer& operator=(const PassTimer&) = delete;
  virtual ~PassTimer() = default;
  /// Seconds from the start of the step.
  struct Ends {
    double pass = 0.0;
    double result = 0.0;  ///< ready to be sent on; not after the pass
  };
  virtual Ends ends_of(int stage, const PipelineSlot& slot, double start) = 0;
};

/// The same time for every pass of a kind, by stage; what schedules alone cost.
struct StageTimes {
  Seconds forward = Seconds::zero();
  Seconds backward_input = Seconds::zero();
  Seconds backward_weight = Seconds::zero();
};
class EqualPasses final : public PassTimer {
 public:
  explicit EqualPasses(std::vector<StageTimes> stages) : stages_(std::move(stages)) {}
  Ends ends_of(int stage, const PipelineSlot& slot, double start) override;

 private:
  std::vector<StageTimes> stages_;
};

/// A pass in an order in which all passes of a pipeline can be worked through.
struct PipelineStep {
  static constexpr std::uint32_t kNoInput = std::numeric_limits<std::uint32_t>::max();
  PipelineSlot slot;
  std::int16_t stage = 0;
  bool sends = false;              ///< its result goes to another stage
  std::uint32_t input = kNoInput;  ///< the step before whose result it receives from another stage
};
/// All passes of all stages; those of a stage in the order of its slots.
[[nodiscard]] std::vector<PipelineStep> pipeline_order(const Layout& layout, std::int64_t micro_batches);

/// End of the last pass of each stage. `message`: from the end of a pass on one stage to its arrival at the next.
[[nodiscard]] std::vector<Seconds> pipeline_ends(const Layout& layout, std::int64_t micro_batches, Seconds message,
                                                 PassTimer& timer);

}  // namespace trainwright::model
