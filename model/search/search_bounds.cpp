// SPDX-License-Identifier: Apache-2.0
#include "model/search/search_bounds.hpp"

#include <algorithm>

#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {

double busiest_seconds(const StageTable& stages, const Layout& layout, std::int64_t count, bool weights_off) {
  double most = 0.0;
  for (int s = 0; s < layout.pp; ++s) {
    double seconds = 0.0;
    for (int c = 0; c < chunks_per_stage(layout); ++c) {
      const ChunkPasses& passes = stages.at(virtual_stage(layout, {s, c})).passes;
      seconds += passes.of(SlotKind::forward).sum +
                 (weights_off ? passes.of(SlotKind::backward_input).sum + passes.of(SlotKind::backward_weight).sum
                              : passes.of(SlotKind::backward).sum);
    }
    most = std::max(most, seconds);
  }
  return most * static_cast<double>(count);
}

double message_seconds(const StageTable& stages, const Layout& layout, const ShardTable& shards, std::int64_t count) {
  const ClockRules& rules = shards.rules;
  double most = 0.0;
  for (int s = 0; s < layout.pp; ++s) {
    double seconds = 0.0;
    for (int c = 0; c < chunks_per_stage(layout); ++c) {
      const int v = virtual_stage(layout, {s, c});
      const ChunkMessages& messages = shards.messages[stages.of_virtual_stage[static_cast<std::size_t>(v)]];
      double reductions = 0.0;
      double gathers = 0.0;
      double largest = 0.0;
      for (const ChunkMessages::Bucket& bucket : messages.buckets) {
        reductions += bucket.reduction;
        gathers += rules.gathers_first ? bucket.gather : 0.0;
      }
      double units = 0.0;
      double backward_units = 0.0;
      for (const double gather : messages.unit_gathers)
        units += gather;
      for (const double gather : messages.backward_unit_gathers) {
        backward_units += gather;
        largest = std::max(largest, gather);
      }
      const double passes = static_cast<double>(count);
      seconds += reductions * (rules.reduces_every_pass ? passes : 1.0) + gathers + units * passes +
                 (rules.reshards ? (backward_units - largest) * passes : 0.0);
    }
    most = std::max(most, seconds);
  }
  return most;
}

}  // namespace trainwright::model
