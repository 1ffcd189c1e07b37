// What a device can be busy with (or wait for). One activity has one colour and pattern everywhere: bars, timeline,
// legend, tables (gui/theme/tokens.hpp).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/estimate/estimate.hpp"
#include "model/graph/task.hpp"

namespace trainwright::gui {

enum class Activity : std::uint8_t {
  compute,
  recompute,
  tensor,
  context,
  expert,
  data,
  pipeline,
  bubble,
  optimizer,
  host,
  data_stall,
  checkpoint_stall,
  idle,
};
inline constexpr std::size_t kActivityCount = 13;

[[nodiscard]] Activity activityOf(model::StepPart part);
[[nodiscard]] Activity activityOf(const model::Task& task);

}  // namespace trainwright::gui
