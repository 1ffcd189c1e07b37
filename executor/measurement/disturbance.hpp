// Was a sample disturbed? Compares the time a thread was running with the time that passed, and asks the kernel how
// much of the virtual machine's processor time the host gave to others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "executor/measurement/samples.hpp"
#include "model/units/units.hpp"

namespace trainwright::executor {

/// Readings at one moment, for the calling thread and the machine.
struct ProcessorReading {
  model::Seconds wall = model::Seconds::zero();
  model::Seconds thread = model::Seconds::zero();  ///< processor time of the calling thread
  std::optional<model::Seconds> stolen;            ///< of all processors; empty where /proc/stat has none
  int processors = 1;
};

/// The clocks are read last (first) here, so that asking the kernel for stolen time is not in the time between the two.
[[nodiscard]] ProcessorReading read_before();
[[nodiscard]] ProcessorReading read_after();

struct DisturbanceBounds {
  /// Largest share of the sample in which the thread was not running. Empty: waiting is part of what is measured
  /// (communication, storage, more ranks than cores).
  std::optional<double> waiting = 0.1;
  double stolen = 0.1;  ///< largest share of all processors' time that was stolen
};

/// The first bound that was broken between two readings, or none.
[[nodiscard]] SampleFault disturbance(const ProcessorReading& before, const ProcessorReading& after,
                                      const DisturbanceBounds& bounds);

}  // namespace trainwright::executor
