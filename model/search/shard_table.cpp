// SPDX-License-Identifier: Apache-2.0
#include "model/search/shard_table.hpp"

#include <algorithm>

#include "model/estimate/step_time.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

// The kinds of the chunks of a stage: stages with the same ones are alike.
std::vector<std::size_t> kinds_of(const StageTable& stages, const Layout& layout, int stage) {
  std::vector<std::size_t> kinds;
  for (int c = 0; c < chunks_per_stage(layout); ++c)
    kinds.push_back(stages.of_virtual_stage[static_cast<std::size_t>(virtual_stage(layout, {stage, c}))]);
  return kinds;
}

}  // namespace

ShardTable shard_table(const Plan& plan, const StageTable& stages, const DataParallelGroups& groups) {
  const Layout& layout = plan.layout;
  const DataParallelTimes times(plan, groups);
  const Sharding sharding = sharding_of(layout);
  const bool gathers_at_end = sharding.optimizer && !sharding.parameters && !layout.overlap_parameters;
  ShardTable table;
  table.rules = clock_rules(plan);
  table.communicates = sharding.communicates();
  table.is_fragmented = has_caching_allocator(plan);
  for (const StageKind& kind : stages.kinds)
    table.messages.push_back(chunk_messages(plan, times, kind.parameters));
  table.shared_embedding = shared_embedding_time(plan).count();
  std::vector<std::size_t> before;
  for (int s = 0; s < layout.pp; ++s) {
    const std::vector<std::size_t> kinds = kinds_of(stages, layout, s);
    PartParameters all;
    for (const std::size_t kind : kinds)
      all += stages.kinds[kind].all;
    if (layout.schedule == PipelineSchedule::dual_pipe && s < layout.pp / 2)
      table.mirrors.push_back(mirror_time(plan, s, all).count());
    if (kinds == before) {
      table.updates.push_back(table.updates.back());
      table.resident.push_back(table.resident.back());
      continue;
    }
    before = kinds;
    table.updates.push_back(optimizer_time(plan, all).count() + (gathers_at_end ? times.gather(all) : 0.0));
    std::vector<PartParameters> parts;
    for (const std::size_t kind : kinds)
      parts.insert(parts.end(), stages.kinds[kind].parameters.rbegin(), stages.kinds[kind].parameters.rend());
    const std::vector<ResidentMemory> resident = resident_memory(plan, parts);
    ShardTable::Resident own;
    for (const ResidentMemory& item : resident)
      own.held.add(item.term, item.bytes);
    own.outside_passes = peak_outside_passes(resident, update_memory(plan, parts), table.is_fragmented);
    table.resident.push_back(own);
  }
  return table;
}

}  // namespace trainwright::model
