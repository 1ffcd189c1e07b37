// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/pipeline_time.hpp"

#include <algorithm>

#include "model/base/contract.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

// The steps that end the passes of all micro-batches on all virtual stages.
class PassSteps {
 public:
  PassSteps(int virtual_stages, std::int64_t micro_batches)
      : micro_batches_(static_cast<std::size_t>(micro_batches)),
        steps_(static_cast<std::size_t>(virtual_stages) * micro_batches_, PipelineStep::kNoInput) {}
  std::uint32_t& at(int virtual_stage, std::int32_t micro_batch) {
    return steps_[static_cast<std::size_t>(virtual_stage) * micro_batches_ + static_cast<std::size_t>(micro_batch)];
  }

 private:
  std::size_t micro_batches_;
  std::vector<std::uint32_t> steps_;
};

}  // namespace

PassTimer::Ends EqualPasses::ends_of(int stage, const PipelineSlot& slot, double start) {
  const StageTimes& times = stages_[static_cast<std::size_t>(stage)];
  Seconds pass = times.forward;
  if (slot.kind == SlotKind::backward)
    pass = times.backward_input + times.backward_weight;
  else if (slot.kind == SlotKind::backward_input)
    pass = times.backward_input;
  else if (slot.kind == SlotKind::backward_weight)
    pass = times.backward_weight;
  return {start + pass.count(), start + pass.count()};
}

std::vector<PipelineStep> pipeline_order(const Layout& layout, std::int64_t micro_batches) {
  const int last = virtual_stage_count(layout) - 1;
  const auto depth = static_cast<std::size_t>(layout.pp);
  std::vector<std::vector<PipelineSlot>> slots;
  std::size_t total = 0;
  for (int stage = 0; stage < layout.pp; ++stage) {
    slots.push_back(pipeline_slots(layout, stage, micro_batches));
    total += slots.back().size();
  }
  PassSteps forward(last + 1, micro_batches);
  PassSteps backward(last + 1, micro_batches);
  std::vector<std::size_t> next(depth, 0);
  std::vector<PipelineStep> order;
  order.reserve(total);
  while (order.size() < total) {
    const std::size_t before = order.size();
    for (std::size_t s = 0; s < depth; ++s)
      for (; next[s] < slots[s].size(); ++next[s]) {
        const PipelineSlot& slot = slots[s][next[s]];
        const int v = virtual_stage(layout, {static_cast<int>(s), slot.chunk});
        const bool is_forward = slot.kind == SlotKind::forward;
        PipelineStep step{slot, static_cast<std::int16_t>(s)};
        step.sends = slot.kind != SlotKind::backward_weight && (is_forward ? v < last : v > 0);
        if (slot.kind != SlotKind::backward_weight && (is_forward ? v > 0 : v < last)) {
          step.input = is_forward ? forward.at(v - 1, slot.micro_batch) : backward.at(v + 1, slot.micro_batch);
          if (step.input == PipelineStep::kNoInput)
            break;
        }
        if (slot.kind != SlotKind::backward_weight)
          (is_forward ? forward : backward).at(v, slot.micro_batch) = static_cast<std::uint32_t>(order.size());
        order.push_back(step);
      }
    TRAINWRIGHT_ENSURES(order.size() > before, "the slot orders of the stages wait for each other");
  }
  return order;
}

std::vector<Seconds> pipeline_ends(const Layout& layout, std::int64_t micro_batches, Seconds message,
                                   PassTimer& timer) {
  const std::vector<PipelineStep> order = pipeline_order(layout, micro_batches);
  std::vector<double> results(order.size());
  std::vector<double> free_at(static_cast<std::size_t>(layout.pp), 0.0);
  std::vector<double> pass_ends = free_at;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PipelineStep& step = order[i];
    double& free = free_at[static_cast<std::size_t>(step.stage)];
    const double start =
        step.input == PipelineStep::kNoInput ? free : std::max(free, results[step.input] + message.count());
    const PassTimer::Ends ends = timer.ends_of(step.stage, step.slot, start);
    results[i] = ends.result;
    pass_ends[static_cast<std::size_t>(step.stage)] = free = ends.pass;
    if (step.sends && !layout.overlap_messages)
      free = std::max(free, ends.result + message.count());
  }
  std::vector<Seconds> ends;
  for (const double end : pass_ends)
    ends.emplace_back(end);
  return ends;
}

}  // namespace trainwright::model
