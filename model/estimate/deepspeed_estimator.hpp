// The figures that DeepSpeed's own memory estimator prints, to compare with. They leave out activations, buckets and
// context. deepspeed.runtime.zero.stage_1_and_2 and stage3, documented in "Memory Requirements" of its documentation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/units/byte_count.hpp"

namespace trainwright::model {

enum class DeepSpeedOffload { none, optimizer, all };  ///< all: optimizer and parameters, stage 3 only

struct DeepSpeedFigures {
  ByteCount device;  ///< of one GPU; DeepSpeed prints GiB and calls them GB
  ByteCount host;    ///< of one node
};

/// `gpus` of all nodes, `nodes` of equal size. Pinned buffers count half again as much host memory.
[[nodiscard]] DeepSpeedFigures deepspeed_zero2(std::int64_t parameters, int gpus, int nodes, DeepSpeedOffload offload);
/// `largest_layer`: parameters of the largest layer, gathered whole.
[[nodiscard]] DeepSpeedFigures deepspeed_zero3(std::int64_t parameters, std::int64_t largest_layer, int gpus, int nodes,
                                               DeepSpeedOffload offload);

}  // namespace trainwright::model
