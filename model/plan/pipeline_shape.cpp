// SPDX-License-Identifier: Apache-2.0
#include "model/plan/pipeline_shape.hpp"

#include <numeric>
#include <string>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

bool is_dual(const Layout& layout) {
  return layout.schedule == PipelineSchedule::dual_pipe;
}

// The second chunk of DualPipe runs from the last stage to the first.
int step_of(const Layout& layout, ChunkPlace place) {
  return is_dual(layout) && place.chunk == 1 ? -1 : 1;
}

std::vector<int> even_split(int layers, int parts) {
  const int most = (layers + parts - 1) / parts;
  std::vector<int> sizes(static_cast<std::size_t>(parts), most);
  int missing = most * parts - layers;
  for (int distance = 0; missing > 0; ++distance)
    for (const int part : {parts - 1 - distance, distance}) {
      if (missing == 0 || sizes[static_cast<std::size_t>(part)] < most)
        continue;
      --sizes[static_cast<std::size_t>(part)];
      --missing;
    }
  return sizes;
}

}  // namespace

int chunks_per_stage(const Layout& layout) {
  return is_dual(layout) ? 2 : layout.vpp;
}

int virtual_stage_count(const Layout& layout) {
  return is_dual(layout) ? layout.pp : layout.pp * layout.vpp;
}

int virtual_stage(const Layout& layout, ChunkPlace place) {
  if (is_dual(layout))
    return place.chunk == 0 ? place.stage : layout.pp - 1 - place.stage;
  return place.chunk * layout.pp + place.stage;
}

ChunkPlace next_place(const Layout& layout, ChunkPlace place) {
  place.stage += step_of(layout, place);
  if (place.stage == layout.pp && !is_dual(layout)) {
    place.stage = 0;
    ++place.chunk;
  }
  TRAINWRIGHT_ENSURES(place.stage >= 0 && place.stage < layout.pp && place.chunk < chunks_per_stage(layout),
                      "the last virtual stage has no next");
  return place;
}

ChunkPlace previous_place(const Layout& layout, ChunkPlace place) {
  place.stage -= step_of(layout, place);
  if (place.stage < 0 && !is_dual(layout)) {
    place.stage = layout.pp - 1;
    --place.chunk;
  }
  TRAINWRIGHT_ENSURES(place.stage >= 0 && place.stage < layout.pp && place.chunk >= 0,
                      "the first virtual stage has no previous");
  return place;
}

std::int64_t micro_batches_of_chunk(const Layout& layout, std::int64_t micro_batches) {
  return is_dual(layout) ? micro_batches / 2 : micro_batches;
}

std::vector<LayerRange> layer_ranges(int layers, const Layout& layout) {
  const int parts = virtual_stage_count(layout);
  const std::vector<int> sizes = layout.stage_layers.empty() ? even_split(layers, parts) : layout.stage_layers;
  TRAINWRIGHT_EXPECTS(
      static_cast<int>(sizes.size()) == parts && std::accumulate(sizes.begin(), sizes.end(), 0) == layers,
      std::to_string(layers) + " layers on " + std::to_string(parts) + " virtual stages");
  std::vector<LayerRange> ranges;
  int begin = 0;
  for (const int size : sizes) {
    ranges.push_back({begin, begin + size});
    begin += size;
  }
  return ranges;
}

Recompute layer_recompute(const Layout& layout, const LayerRange& range, int layer) {
  const bool is_kept = layout.recompute == Recompute::full && layout.recompute_layers > 0 &&
                       layer - range.begin >= layout.recompute_layers;
  return is_kept ? Recompute::none : layout.recompute;
}

}  // namespace trainwright::model
