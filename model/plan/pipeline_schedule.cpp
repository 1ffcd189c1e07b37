// SPDX-License-Identifier: Apache-2.0
#include "model/plan/pipeline_schedule.hpp"

#include <algorithm>
#include <string>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

using Slots = std::vector<PipelineSlot>;

// `ahead` forwards, then forward and backward in turn, then the backwards that are left.
Slots one_forward_one_backward(std::int32_t count, std::int32_t ahead) {
  Slots slots;
  slots.reserve(2 * static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < ahead; ++i)
    slots.push_back({SlotKind::forward, i, 0});
  for (std::int32_t i = ahead; i < count; ++i) {
    slots.push_back({SlotKind::forward, i, 0});
    slots.push_back({SlotKind::backward, i - ahead, 0});
  }
  for (std::int32_t i = count - ahead; i < count; ++i)
    slots.push_back({SlotKind::backward, i, 0});
  return slots;
}

// Micro-batches pass in groups, usually of as many as there are stages; a group visits chunk after chunk.
Slots interleaved(const Layout& layout, std::int32_t stage, std::int32_t count) {
  const std::int32_t stages = layout.pp;
  const std::int32_t chunks = layout.vpp;
  const std::int32_t total = count * chunks;
  const std::int32_t group = interleave_group(layout);
  const auto slot = [&](SlotKind kind, std::int32_t index) {
    // The last group may be smaller.
    const std::int32_t first = index / (group * chunks) * group;
    const std::int32_t size = std::min(group, count - first);
    const std::int32_t in_group = index - first * chunks;
    const std::int32_t chunk = in_group / size;
    return PipelineSlot{kind, first + in_group % size,
                        static_cast<std::int16_t>(kind == SlotKind::forward ? chunk : chunks - 1 - chunk)};
  };
  const std::int32_t ahead = std::min(total, 2 * (stages - 1 - stage) + (chunks - 1) * group);
  Slots slots;
  for (std::int32_t i = 0; i < ahead; ++i)
    slots.push_back(slot(SlotKind::forward, i));
  for (std::int32_t i = ahead; i < total; ++i) {
    slots.push_back(slot(SlotKind::forward, i));
    slots.push_back(slot(SlotKind::backward, i - ahead));
  }
  for (std::int32_t i = total - ahead; i < total; ++i)
    slots.push_back(slot(SlotKind::backward, i));
  return slots;
}

// 1F1B with a weight gradient put off by as many micro-batches as the stage has predecessors: every stage then holds
// what the first one holds, and the last backward passes follow each other without weight gradients in between.
Slots zero_bubble(std::int32_t stages, std::int32_t stage, std::int32_t count) {
  Slots slots;
  std::int32_t weights = 0;
  for (const PipelineSlot& slot : one_forward_one_backward(count, std::min(count, stages - 1 - stage))) {
    if (slot.kind == SlotKind::forward) {
      slots.push_back(slot);
      continue;
    }
    slots.push_back({SlotKind::backward_input, slot.micro_batch, 0});
    if (slot.micro_batch >= stage)
      slots.push_back({SlotKind::backward_weight, weights++, 0});
  }
  while (weights < count)
    slots.push_back({SlotKind::backward_weight, weights++, 0});
  return slots;
}

// The eight parts of the schedule, for a stage at distance `near` from its end of the pipeline. Seen from the second
// half the two directions change places.
class DualPipe {
 public:
  DualPipe(std::int32_t stages, std::int32_t stage, std::int32_t count)
      : half_stages_(stages / 2),
        half_count_(count / 2),
        is_second_half_(stage >= stages / 2),
        near_(std::min(stage, stages - 1 - stage)),
        stages_(stages) {}

  Slots slots() {
    const std::int32_t far = half_stages_ - near_ - 1;
    repeat(2 * far, [&] { forward(0); });
    repeat(near_ + 1, [&] { forward(0), forward(1); });
    repeat(far, [&] { backward_input(1), weight(), forward(1); });
    for (std::int32_t i = 0; i < half_count_ - stages_ + near_ + 1; ++i) {
      forward(0), backward(1);
      forward(1), backward(0);
    }
    repeat(far, [&] { backward(1), forward(1), backward(0); });
    // In the second half of these, weight gradients are put off so that the other end gets its input earlier.
    const std::int32_t pairs = near_ + 1;
    for (std::int32_t i = 0; i < pairs; ++i) {
      if (2 * i >= pairs)
        backward_input(1);
      else
        backward(1);
      if (2 * i + 1 >= pairs)
        backward_input(0);
      else
        backward(0);
    }
    repeat(far, [&] { weight(), backward_input(0); });
    while (next_weight_ < pending_.size())
      weight();
    return std::move(slots_);
  }

 private:
  template <typename Action>
  static void repeat(std::int32_t times, Action action) {
    for (std::int32_t i = 0; i < times; ++i)
      action();
  }
  [[nodiscard]] std::int16_t chunk(int phase) const {
    return static_cast<std::int16_t>(is_second_half_ ? 1 - phase : phase);
  }
  PipelineSlot slot(SlotKind kind, int phase, std::int32_t index) const {
    return {kind, index + chunk(phase) * half_count_, chunk(phase)};
  }
  void forward(int phase) { slots_.push_back(slot(SlotKind::forward, phase, forwards_[phase]++)); }
  void backward(int phase) { slots_.push_back(slot(SlotKind::backward, phase, backwards_[phase]++)); }
  void backward_input(int phase) {
    slots_.push_back(slot(SlotKind::backward_input, phase, backwards_[phase]++));
    pending_.push_back(slots_.back());
  }
  void weight() {
    PipelineSlot next = pending_[next_weight_++];
    next.kind = SlotKind::backward_weight;
    slots_.push_back(next);
  }

  std::int32_t half_stages_;
  std::int32_t half_count_;
  bool is_second_half_;
  std::int32_t near_;
  std::int32_t stages_;
  std::int32_t forwards_[2] = {0, 0};
  std::int32_t backwards_[2] = {0, 0};
  Slots pending_;
  std::size_t next_weight_ = 0;
  Slots slots_;
};

}  // namespace

std::int32_t interleave_group(const Layout& layout) {
  return layout.interleave_group > 0 ? layout.interleave_group : layout.pp;
}

bool fits_interleave_group(const Layout& layout, std::int64_t micro_batches) {
  const std::int64_t group = interleave_group(layout);
  const std::int64_t left = micro_batches % group;
  return group >= layout.pp && (left == 0 || left >= layout.pp);
}

std::vector<PipelineSlot> pipeline_slots(const Layout& layout, int stage, std::int64_t micro_batches) {
  TRAINWRIGHT_EXPECTS(stage >= 0 && stage < layout.pp && micro_batches > 0,
                      std::to_string(stage) + " of " + std::to_string(layout.pp));
  const auto count = static_cast<std::int32_t>(micro_batches);
  switch (layout.schedule) {
    case PipelineSchedule::gpipe:
      return one_forward_one_backward(count, count);
    case PipelineSchedule::interleaved:
      TRAINWRIGHT_EXPECTS(fits_interleave_group(layout, count), "interleaved needs whole groups of micro-batches");
      return interleaved(layout, stage, count);
    case PipelineSchedule::zero_bubble_h1:
      return zero_bubble(layout.pp, stage, count);
    case PipelineSchedule::dual_pipe:
      TRAINWRIGHT_EXPECTS(layout.pp % 2 == 0 && count % 2 == 0 && count >= 2 * layout.pp,
                          "dualpipe needs an even number of stages and twice as many micro-batches, an even number");
      return DualPipe(layout.pp, stage, count).slots();
    case PipelineSchedule::one_f_one_b:
      break;
  }
  return one_forward_one_backward(count, std::min(count, static_cast<std::int32_t>(layout.pp - 1 - stage)));
}

std::int64_t held_chunks(const std::vector<PipelineSlot>& slots) {
  std::int64_t held = 0;
  std::int64_t most = 0;
  for (const PipelineSlot& slot : slots) {
    if (slot.kind == SlotKind::forward)
      most = std::max(most, ++held);
    else if (slot.kind != SlotKind::backward_input)
      --held;
  }
  return most;
}

}  // namespace trainwright::model
