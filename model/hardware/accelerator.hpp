// One kind of device as its data sheet describes it. What it achieves in practice is CostConstants' business.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/hardware/precision.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

enum class AcceleratorKind { gpu, cpu, tpu, npu };

inline constexpr std::array<std::pair<std::string_view, AcceleratorKind>, 4> kAcceleratorKindWords{
    {{"gpu", AcceleratorKind::gpu},
     {"cpu", AcceleratorKind::cpu},
     {"tpu", AcceleratorKind::tpu},
     {"npu", AcceleratorKind::npu}}};

/// Where numbers of a profile come from; `covers` names their keys.
struct SourceNote {
  std::vector<std::string> covers;
  std::string text;

  friend bool operator==(const SourceNote&, const SourceNote&) = default;
};

struct Accelerator {
  std::string id;
  std::string name;
  AcceleratorKind kind = AcceleratorKind::gpu;
  std::string family;  ///< key of the shipped constants: "volta", "ampere", "hopper", "cpu" ...
  ByteCount memory;
  BytesPerSecond memory_bandwidth = BytesPerSecond::zero();
  std::array<std::optional<FlopsPerSecond>, 8> dense_peak{};  ///< by Precision; empty: the card cannot do it
  int multiprocessors = 1;
  std::optional<double> power_watts;
  std::vector<SourceNote> sources;

  [[nodiscard]] std::optional<FlopsPerSecond> peak(Precision precision) const {
    return dense_peak[static_cast<std::size_t>(precision)];
  }

  friend bool operator==(const Accelerator&, const Accelerator&) = default;
};

}  // namespace trainwright::model
