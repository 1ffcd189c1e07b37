// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/deepspeed_estimator.hpp"

#include <algorithm>

namespace trainwright::model {
namespace {

constexpr double kBuffers = 1.5;
constexpr std::int64_t kStates = 16;         // fp32 weights, gradients and two moments
constexpr std::int64_t kStatesAndCopy = 18;  // and the 16-bit weights

ByteCount bytes(double value) {
  return ByteCount(static_cast<std::int64_t>(value));
}

}  // namespace

DeepSpeedFigures deepspeed_zero2(std::int64_t parameters, int gpus, int nodes, DeepSpeedOffload offload) {
  const auto p = static_cast<double>(parameters);
  const double share_of_node = 1.0 / nodes;
  if (offload == DeepSpeedOffload::none) {
    const double gpus_of_node = static_cast<double>(gpus) / nodes;
    return {bytes(4.0 * p + static_cast<double>(kStates) * p / gpus), bytes(4.0 * p * gpus_of_node * kBuffers)};
  }
  const std::int64_t of_parameter = std::max<std::int64_t>(std::int64_t{4} * gpus, kStates);
  return {bytes(2.0 * p), bytes(p * static_cast<double>(of_parameter) * share_of_node * kBuffers)};
}

DeepSpeedFigures deepspeed_zero3(std::int64_t parameters, std::int64_t largest_layer, int gpus, int nodes,
                                 DeepSpeedOffload offload) {
  const auto p = static_cast<double>(parameters);
  const double gathered = 4.0 * static_cast<double>(largest_layer);
  const double of_node = p / nodes * kBuffers;
  switch (offload) {
    case DeepSpeedOffload::all:
      return {bytes(gathered), bytes(static_cast<double>(kStatesAndCopy) * of_node)};
    case DeepSpeedOffload::optimizer:
      return {bytes(gathered + 2.0 * p / gpus), bytes(static_cast<double>(kStates) * of_node)};
    case DeepSpeedOffload::none:
      break;
  }
  const double gpus_of_node = static_cast<double>(gpus) / nodes;
  return {bytes(gathered + static_cast<double>(kStatesAndCopy) * p / gpus),
          bytes(4.0 * static_cast<double>(largest_layer) * gpus_of_node * kBuffers)};
}

}  // namespace trainwright::model
