// How trainwright-simulate ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace trainwright::simulator {

enum class WorkerExit : int {
  done = 0,
  bad_request = 2,     ///< the request cannot be read or the plan cannot be built
  incomplete = 3,      ///< the simulation stopped before its end: a deadlock in the graph
  engine_refused = 4,  ///< the engine cannot run this, or failed
};

[[nodiscard]] constexpr std::string_view to_text(WorkerExit code) {
  switch (code) {
    case WorkerExit::done:
      return "done";
    case WorkerExit::bad_request:
      return "the request was refused";
    case WorkerExit::incomplete:
      return "the simulated step never came to its end";
    case WorkerExit::engine_refused:
      return "the simulation engine refused";
  }
  return "unknown exit code";
}

}  // namespace trainwright::simulator
