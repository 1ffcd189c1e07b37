// SPDX-License-Identifier: Apache-2.0
#include "model/search/pipeline_run.hpp"

#include <algorithm>

#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

// What a pass of a chunk takes and holds, close together in memory: a run asks for it thousands of times.
struct PlainChunk {
  double seconds[4];
  double tails[4];
  std::int64_t kept;
  HeldBytes peaks[2];  // forward, backward
  std::size_t kind;
  std::int64_t forwards = 0;
  std::int64_t weights = 0;
};

PlainChunk plain_chunk(const StageTable& stages, int virtual_stage) {
  const StageKind& stage = stages.at(virtual_stage);
  PlainChunk chunk{};
  for (std::size_t kind = 0; kind < 4; ++kind) {
    chunk.seconds[kind] = stage.passes.by_kind[kind].sum;
    chunk.tails[kind] = stage.passes.by_kind[kind].tail;
  }
  chunk.kept = stage.forward.net;
  chunk.peaks[0] = {stage.forward.peak_fixed, stage.forward.peak - stage.forward.peak_fixed};
  chunk.peaks[1] = {stage.backward.peak_fixed, stage.backward.peak - stage.backward.peak_fixed};
  chunk.kind = stages.of_virtual_stage[static_cast<std::size_t>(virtual_stage)];
  return chunk;
}

}  // namespace

PipelineRun pipeline_run(const StageTable& stages, const Layout& layout, std::int64_t micro_batches, double message,
                         std::span<const PipelineStep> order) {
  const auto depth = static_cast<std::size_t>(layout.pp);
  const auto chunks_each = static_cast<std::size_t>(chunks_per_stage(layout));
  std::vector<PlainChunk> chunks;
  for (int s = 0; s < layout.pp; ++s)
    for (int c = 0; c < static_cast<int>(chunks_each); ++c)
      chunks.push_back(plain_chunk(stages, virtual_stage(layout, {s, c})));
  PipelineRun run;
  run.micro_batches = micro_batches;
  run.count = micro_batches_of_chunk(layout, micro_batches);
  run.message = message;
  run.ends.assign(depth, 0.0);
  run.first_starts.assign(depth * chunks_each, 0.0);
  run.last_passes.resize(depth * chunks_each);
  run.activations.resize(depth * chunks_each * 2);
  std::vector<std::int64_t> held(depth, 0);
  std::vector<std::size_t> last_count(depth, 0);
  std::vector<double> results(order.size());
  std::vector<double> free_at(depth, 0.0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PipelineStep& step = order[i];
    const auto s = static_cast<std::size_t>(step.stage);
    const std::size_t place = s * chunks_each + static_cast<std::size_t>(step.slot.chunk);
    PlainChunk& chunk = chunks[place];
    const auto kind = static_cast<std::size_t>(step.slot.kind);
    double& free = free_at[s];
    const double start = step.input == PipelineStep::kNoInput ? free : std::max(free, results[step.input] + message);
    run.ends[s] = free = start + chunk.seconds[kind];
    results[i] = free - chunk.tails[kind];
    if (step.sends && !layout.overlap_messages)
      free = std::max(free, results[i] + message);
    const bool is_forward = step.slot.kind == SlotKind::forward;
    const HeldBytes& own = chunk.peaks[is_forward ? 0 : 1];
    HeldBytes& most = run.activations[2 * place + (is_forward ? 0 : 1)];
    most = {own.fixed, std::max(most.moving, held[s] + own.moving)};
    if (is_forward) {
      held[s] += chunk.kept;
      if (chunk.forwards++ == 0)
        run.first_starts[place] = start;
    } else if (step.slot.kind != SlotKind::backward_input) {
      held[s] -= chunk.kept;
      if (++chunk.weights == run.count)
        run.last_passes[s * chunks_each + last_count[s]++] = {chunk.kind, step.slot.kind, start};
    }
  }
  run.total = *std::max_element(run.ends.begin(), run.ends.end());
  return run;
}

}  // namespace trainwright::model
