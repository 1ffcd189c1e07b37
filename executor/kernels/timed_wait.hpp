// Lets a given time pass without using the processor, as when another device computes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/units/units.hpp"

namespace trainwright::executor {

/// Returns not before `duration` has passed on the steady clock. Sleeps, and spins only for the last few microseconds,
/// so that ranks that share a core do not disturb each other. Zero and negative durations return at once.
void timed_wait(model::Seconds duration);

}  // namespace trainwright::executor
