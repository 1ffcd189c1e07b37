// How the software of a data-parallel row summed gradients: what its words, its address and the scripts they name say.
// Facts about programs, never about one measurement. docs/models/validation.md, "Scaling efficiency".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/validation/gradient_order.hpp"
#include "model/validation/table.hpp"

namespace trainwright::model::validation {

enum class GradientExchange : std::uint8_t {
  all_reduce,  ///< collectives between the devices
  host,        ///< to one copy of the variables and back, over the host's PCI Express
  none,        ///< every rank trains on its own: a benchmark that never wraps its network
};

struct ScalingSoftware {
  GradientExchange exchange = GradientExchange::all_reduce;
  bool crosses_nodes_beside_backward = false;  ///< gradients go to the nodes that keep the variables as they come
  double gradient_bytes = 4.0;                 ///< of one parameter, on the wire
  double bucket_bytes = 25.0 * 1024.0 * 1024.0;
  double micro_batches = 1.0;  ///< between two updates
  bool reduces_each_micro_batch = false;
  bool overlaps_backward = true;
  double copies = 0.0;               ///< times gradients are read or written to pack, scale and unpack buckets
  double host_per_operator_s = 0.0;  ///< of the host for the gradients of an operator, not hidden
  std::vector<std::string> assumptions;
};

[[nodiscard]] ScalingSoftware software_of(const ScalingRow& row, const GradientOrder& order);

}  // namespace trainwright::model::validation
