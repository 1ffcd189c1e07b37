// SPDX-License-Identifier: Apache-2.0
#include "model/workload/model_description.hpp"

#include "model/base/contract.hpp"

namespace trainwright::model {

int layer_count(const Model& model) {
  int layers = 0;
  for (const LayerRun& run : model.layers)
    layers += run.count;
  return layers;
}

const LayerShape& layer_at(const Model& model, int layer) {
  int first = 0;
  for (const LayerRun& run : model.layers) {
    if (layer < first + run.count)
      return run.layer;
    first += run.count;
  }
  TRAINWRIGHT_EXPECTS(false, "layer " + std::to_string(layer) + " of " + std::to_string(first));
}

}  // namespace trainwright::model
