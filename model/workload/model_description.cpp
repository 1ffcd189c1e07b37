// SPDX-License-Identifier: Apache-2.0
#include "model/workload/model_description.hpp"

#include "model/base/contract.hpp"

namespace trainwright::model {

int layer_count(const Model& model) {
  int count = 0;
  for (const LayerRun& run : model.layers)
    count += run.count;
  return count;
}

const LayerShape& layer_at(const Model& model, int layer) {
  TRAINWRIGHT_EXPECTS(layer >= 0 && layer < layer_count(model), "layer " + std::to_string(layer));
  int first = 0;
  for (const LayerRun& run : model.layers) {
    if (layer < first + run.count)
      return run.layer;
    first += run.count;
  }
  return model.layers.back().layer;
}

}  // namespace trainwright::model
