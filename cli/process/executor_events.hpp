// What `trainwright-execute` says while it works: one JSON object a line. Words that this version does not know are
// passed over, so that either program may be newer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace trainwright::cli {

struct ExecutorEvent {
  std::string event;  ///< "start", "phase", "step", "progress", "done", "finished", "interrupted"
  std::optional<std::string> phase;
  std::optional<std::int64_t> ranks;
  std::optional<std::int64_t> step;  ///< 1 ..
  std::optional<std::int64_t> steps;
  std::optional<double> time_s;
  std::optional<double> fraction;  ///< done so far, 0 .. 1
  std::optional<std::string> what;
  std::optional<std::filesystem::path> measurement;  ///< file that was written
  std::optional<std::filesystem::path> trace;
};

/// Empty when the line is not a JSON object with a text "event".
[[nodiscard]] std::optional<ExecutorEvent> parse_event(const std::string& line);

/// "step 3 of 10, 412 ms": for a progress line; "" when there is nothing to say.
[[nodiscard]] std::string progress_text(const ExecutorEvent& event, std::int64_t steps);

}  // namespace trainwright::cli
