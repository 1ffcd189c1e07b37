// Was a sample disturbed? Compares the time a thread was running with the time that passed, asks the kernel how long
// the threads of this process stood in line for a core, and how much processor time the host of a virtual machine took
// away.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "executor/measurement/samples.hpp"
#include "model/units/units.hpp"

namespace trainwright::executor {

/// Largest shares of a sample's time. Empty: does not matter, and is not read.
struct DisturbanceBounds {
  std::optional<double> waiting;       ///< in which the calling thread was not running, for whatever reason
  std::optional<double> queued;        ///< that threads of the process stood in line for a core, all threads together
  std::optional<double> stolen = 0.1;  ///< that the host took, of all processors' time
};

/// Computing alone on a core: what counts is the time the thread was running (TimeBase::running), so some waiting does
/// no harm; beyond this bound other programs have used the caches too much.
[[nodiscard]] constexpr DisturbanceBounds computing_bounds() {
  return {0.6, std::nullopt, 0.1};
}
/// Waiting for other ranks or a device is what is measured, standing in line for a core is not. The threads of one rank
/// take turns on its core, which alone makes some of it.
[[nodiscard]] constexpr DisturbanceBounds communicating_bounds() {
  return {std::nullopt, 0.5, 0.1};
}
/// Several ranks on a core: waiting for it is part of the matter.
[[nodiscard]] constexpr DisturbanceBounds sharing_bounds() {
  return {std::nullopt, std::nullopt, 0.1};
}

/// Readings at one moment. Empty: not asked for, or the kernel does not say.
struct ProcessorReading {
  model::Seconds wall = model::Seconds::zero();
  model::Seconds thread = model::Seconds::zero();  ///< processor time of the calling thread
  std::optional<model::Seconds> queued;            ///< of all threads of the process
  std::optional<model::Seconds> stolen;            ///< of all processors
  int processors = 1;
};

/// Which time a sample is.
enum class TimeBase {
  wall,     ///< that has passed
  running,  ///< in which the calling thread was running: the same on a quiet machine, and unmoved by other programs
};

/// The clocks are read last (first) here, so that asking the kernel for the rest is not in the time between the two.
[[nodiscard]] ProcessorReading read_before(const DisturbanceBounds& bounds);
[[nodiscard]] ProcessorReading read_after(const DisturbanceBounds& bounds);

/// The first bound that was broken between two readings, or none.
[[nodiscard]] SampleFault disturbance(const ProcessorReading& before, const ProcessorReading& after,
                                      const DisturbanceBounds& bounds);

}  // namespace trainwright::executor
