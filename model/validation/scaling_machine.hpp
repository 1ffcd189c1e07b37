// The machine of a data-parallel row and how fast its devices reach each other and the host.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/calibration/calibration.hpp"
#include "model/units/units.hpp"
#include "model/validation/table.hpp"

namespace trainwright::model::validation {

struct ScalingMachine {
  Cluster cluster;
  CostConstants constants;
  std::vector<std::string> assumptions;

  [[nodiscard]] const NodeGroup& group() const { return cluster.groups.front(); }
  /// An all-reduce of `bytes` over the first `devices` devices, node by node. Zero for one device.
  [[nodiscard]] Seconds all_reduce(double bytes, std::int64_t devices) const;
  /// Devices behind one root port of the host that copy at the same time.
  [[nodiscard]] std::int64_t port_sharers(std::int64_t devices) const;
  /// Compute of a device beside `devices` - 1 others / of a device alone: boards that share their power.
  [[nodiscard]] double crowding(std::int64_t devices) const;
};

/// Empty, with the reason in `problem`, when neither row nor profiles say enough.
[[nodiscard]] std::optional<ScalingMachine> machine_of(const ScalingRow& row,
                                                       const std::optional<Calibration>& calibration,
                                                       std::string& problem);

}  // namespace trainwright::model::validation
