// SPDX-License-Identifier: Apache-2.0
#include "executor/launch/machine_check.hpp"

#include <string>

#include "executor/process/cores.hpp"
#include "executor/process/memory.hpp"
#include "model/base/error.hpp"
#include "model/units/format.hpp"

namespace trainwright::executor {

MachineResources this_machine() {
  return {static_cast<int>(allowed_cores().size()), available_memory_bytes()};
}

void check_machine(const MachineResources& machine, int ranks, std::int64_t needed_bytes) {
  const int most = machine.cores * kMaxRanksPerCore;
  if (ranks > most)
    throw model::EnvironmentError(std::to_string(ranks) + " ranks are too many for " + std::to_string(machine.cores) +
                                      (machine.cores == 1 ? " core" : " cores"),
                                  "this machine runs plans of up to " + std::to_string(most) + " ranks (" +
                                      std::to_string(kMaxRanksPerCore) + " on a core)");
  const std::int64_t all = needed_bytes + ranks * kRankBaseBytes;
  if (machine.available_bytes > 0 && all > machine.available_bytes)
    throw model::EnvironmentError("the " + std::to_string(ranks) + " ranks need " +
                                      model::format(model::ByteCount(all)) + " of memory, and " +
                                      model::format(model::ByteCount(machine.available_bytes)) + " are free",
                                  "make the plan's model, micro-batch or sequence smaller, or use a larger machine");
}

}  // namespace trainwright::executor
