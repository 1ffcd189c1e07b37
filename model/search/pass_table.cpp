// SPDX-License-Identifier: Apache-2.0
#include "model/search/pass_table.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/stage_model.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

PartCost::Pass pass_of(const std::vector<ChainTime>& parts, std::size_t i) {
  return {parts[i].total.count(), parts[i].after_output.count()};
}

ChainBytes bytes_of(const ChainMemory& memory) {
  ChainBytes bytes;
  for (const ByteCount term : memory.net)
    bytes.net += term.count();
  bytes.peak = memory.peak.count();
  HeldBytes held;
  for (std::size_t term = 0; term < kMemoryTermCount; ++term)
    held.add(static_cast<MemoryTerm>(term), memory.at_peak[term]);
  bytes.peak_fixed = held.fixed;
  return bytes;
}

void follow(ChainBytes& chain, const ChainBytes& next) {
  if (chain.net + next.peak > chain.peak) {
    chain.peak = chain.net + next.peak;
    chain.peak_fixed = next.peak_fixed;
  }
  chain.net += next.net;
}

PassParts& parts_of(ChunkPasses& passes, SlotKind kind) {
  return passes.by_kind[static_cast<std::size_t>(kind)];
}

StageKind stage_kind(const PassTable& table, std::span<const std::size_t> parts) {
  StageKind stage;
  const auto put = [&](SlotKind kind, std::size_t part) {
    const PartCost::Pass& pass = table.parts[part].passes[static_cast<std::size_t>(kind)];
    PassParts& list = parts_of(stage.passes, kind);
    list.seconds.push_back(pass.seconds);
    list.sum += pass.seconds;
    list.tail = pass.tail;
    stage.part_ends[static_cast<std::size_t>(kind)].push_back(list.sum);
  };
  for (const std::size_t part : parts) {
    put(SlotKind::forward, part);
    follow(stage.forward, table.parts[part].forward);
  }
  for (std::size_t i = parts.size(); i-- > 0;) {
    for (const SlotKind kind : {SlotKind::backward, SlotKind::backward_input, SlotKind::backward_weight})
      put(kind, parts[i]);
    follow(stage.backward, table.parts[parts[i]].backward);
    stage.parameters.push_back(table.parts[parts[i]].parameters);
    stage.all += stage.parameters.back();
  }
  return stage;
}

}  // namespace

PassTable pass_table(const Plan& plan, bool puts_weights_off) {
  Plan plain = plan;
  plain.layout.vpp = 1;
  plain.layout.stage_layers.clear();
  plain.layout.schedule = puts_weights_off ? PipelineSchedule::zero_bubble_h1 : PipelineSchedule::one_f_one_b;
  const LoweredPlan lowered(plain);
  const StageModels models = stage_models(plain, lowered);
  PassTable table;
  table.parts.resize(lowered.parts().size());
  for (std::size_t stage = 0; stage < lowered.stages().size(); ++stage) {
    const std::vector<std::size_t>& indices = lowered.stages()[stage];
    const StageModel& model = models.distinct[stage];
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const LoweredPlan::Part& source = lowered.parts()[indices[i]];
      const std::size_t backward = indices.size() - 1 - i;
      PartCost& part = table.parts[indices[i]];
      part.passes = {pass_of(model.forward_parts, i), pass_of(model.backward_parts, backward),
                     pass_of(model.backward_input_parts, backward), pass_of(model.backward_weight_parts, backward)};
      part.forward = bytes_of(source.forward_memory);
      part.backward = bytes_of(source.backward_memory);
      part.parameters = source.parameters;
    }
  }
  for (const std::size_t stage : lowered.of_virtual_stage())
    table.sequence.insert(table.sequence.end(), lowered.stages()[stage].begin(), lowered.stages()[stage].end());
  return table;
}

StageTable stage_table(const PassTable& passes, const Layout& layout) {
  const std::span<const std::size_t> sequence(passes.sequence);
  const std::vector<LayerRange> ranges = layer_ranges(static_cast<int>(sequence.size()) - 2, layout);
  StageTable table;
  std::vector<std::span<const std::size_t>> seen;
  for (std::size_t v = 0; v < ranges.size(); ++v) {
    // Layer i is the part after i others; the ends of the model belong to the first and the last virtual stage.
    const std::size_t begin = v == 0 ? 0 : static_cast<std::size_t>(ranges[v].begin) + 1;
    const std::size_t end = v + 1 == ranges.size() ? sequence.size() : static_cast<std::size_t>(ranges[v].end) + 1;
    const std::span<const std::size_t> parts = sequence.subspan(begin, end - begin);
    const auto same = std::find_if(seen.begin(), seen.end(), [&](std::span<const std::size_t> other) {
      return std::equal(other.begin(), other.end(), parts.begin(), parts.end());
    });
    table.of_virtual_stage.push_back(static_cast<std::size_t>(same - seen.begin()));
    if (same != seen.end())
      continue;
    seen.push_back(parts);
    table.kinds.push_back(stage_kind(passes, parts));
  }
  return table;
}

}  // namespace trainwright::model
