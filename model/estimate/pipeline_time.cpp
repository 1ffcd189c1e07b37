// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/pipeline_time.hpp"

#include <algorithm>

#include "model/base/contract.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

constexpr double kUnknown = -1.0;

// Ends of the passes of all micro-batches on all virtual stages.
class PassEnds {
 public:
  PassEnds(int virtual_stages, std::int64_t micro_batches)
      : micro_batches_(static_cast<std::size_t>(micro_batches)),
        ends_(static_cast<std::size_t>(virtual_stages) * micro_batches_, kUnknown) {}
  double& at(int virtual_stage, std::int32_t micro_batch) {
    return ends_[static_cast<std::size_t>(virtual_stage) * micro_batches_ + static_cast<std::size_t>(micro_batch)];
  }

 private:
  std::size_t micro_batches_;
  std::vector<double> ends_;
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

std::vector<Seconds> pipeline_ends(const Layout& layout, std::int64_t micro_batches, Seconds message,
                                   PassTimer& timer) {
  const int last = virtual_stage_count(layout) - 1;
  const auto depth = static_cast<std::size_t>(layout.pp);
  std::vector<std::vector<PipelineSlot>> slots;
  for (int stage = 0; stage < layout.pp; ++stage)
    slots.push_back(pipeline_slots(layout, stage, micro_batches));
  PassEnds forward(last + 1, micro_batches);
  PassEnds backward(last + 1, micro_batches);
  std::vector<std::size_t> next(depth, 0);
  std::vector<double> free_at(depth, 0.0);
  std::vector<double> pass_ends(depth, 0.0);
  std::size_t done = 0;
  while (done < depth) {
    bool moved = false;
    for (std::size_t s = 0; s < depth; ++s)
      while (next[s] < slots[s].size()) {
        const PipelineSlot& slot = slots[s][next[s]];
        const int v = virtual_stage(layout, {static_cast<int>(s), slot.chunk});
        const bool is_forward = slot.kind == SlotKind::forward;
        const bool has_message = slot.kind != SlotKind::backward_weight && (is_forward ? v > 0 : v < last);
        double start = free_at[s];
        if (has_message) {
          const double sent = is_forward ? forward.at(v - 1, slot.micro_batch) : backward.at(v + 1, slot.micro_batch);
          if (sent < 0.0)
            break;
          start = std::max(start, sent + message.count());
        }
        const PassTimer::Ends ends = timer.ends_of(static_cast<int>(s), slot, start);
        if (slot.kind != SlotKind::backward_weight)
          (is_forward ? forward : backward).at(v, slot.micro_batch) = ends.result;
        pass_ends[s] = free_at[s] = ends.pass;
        const bool sends = slot.kind != SlotKind::backward_weight && (is_forward ? v < last : v > 0);
        if (sends && !layout.overlap_messages)
          free_at[s] = std::max(ends.pass, ends.result + message.count());
        moved = true;
        if (++next[s] == slots[s].size())
          ++done;
      }
    TRAINWRIGHT_ENSURES(moved, "the slot orders of the stages wait for each other");
  }
  std::vector<Seconds> ends;
  for (const double end : pass_ends)
    ends.emplace_back(end);
  return ends;
}

}  // namespace trainwright::model
