// Scaling efficiency by its definitions, each with its name: docs/models/validation.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace trainwright::model {

/// weak: the work of a device stays; strong: the work of all stays.
enum class Scaling { weak, strong };
inline constexpr std::array<std::pair<std::string_view, Scaling>, 2> kScalingWords{
    {{"weak", Scaling::weak}, {"strong", Scaling::strong}}};

/// Devices and samples (or tokens) a second of all of them; or for strong scaling 1 / time of the whole job.
struct ScalingPoint {
  int devices = 1;
  double throughput = 0.0;
};

/// throughput / base throughput. Below 1: adding devices made it slower ("negative scaling").
[[nodiscard]] double speed_up(const ScalingPoint& base, const ScalingPoint& point);
/// (throughput / devices) / (base throughput / base devices). The same formula for weak and strong scaling; what
/// differs is what was held still, so say which.
[[nodiscard]] double scaling_efficiency(const ScalingPoint& base, const ScalingPoint& point);

/// Weak when the batch of a device stays within 0.1 %, strong when the global batch does; weak where both hold. `known`
/// is false where neither does.
struct ScalingKind {
  bool known = true;
  Scaling kind = Scaling::weak;
};
[[nodiscard]] ScalingKind scaling_kind(int base_devices, std::int64_t base_global_batch, int devices,
                                       std::int64_t global_batch);

/// Index of the point with the largest throughput; the fewest devices among equals. Precondition: not empty.
[[nodiscard]] std::size_t best_point(const std::vector<ScalingPoint>& points);

}  // namespace trainwright::model
