// What a rank tells its launcher, as frames on a pipe: the phase it is in, the stamps of each measured step, its end.
// Both ends are the same program on the same machine, so numbers travel in native form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "executor/session/stream_session.hpp"

namespace trainwright::executor {

enum class RankPhase : std::uint32_t { connecting, verifying, warming_up, measuring };
[[nodiscard]] std::string_view to_word(RankPhase phase);

struct PhaseReport {
  RankPhase phase = RankPhase::connecting;
  friend bool operator==(const PhaseReport&, const PhaseReport&) = default;
};

struct StepReport {
  std::int64_t step = 0;         ///< measured steps from 0
  SteadyNs common_start = 0;     ///< the same on all ranks
  std::vector<TaskStamp> tasks;  ///< by task of the rank's program
  friend bool operator==(const StepReport&, const StepReport&) = default;
};

/// The rank has done all its steps.
struct FinishedReport {
  std::int64_t peak_memory_bytes = 0;
  friend bool operator==(const FinishedReport&, const FinishedReport&) = default;
};

struct FailureReport {
  bool in_communication = false;  ///< perhaps only the consequence of another rank's failure
  std::string text;
  friend bool operator==(const FailureReport&, const FailureReport&) = default;
};

using RankReport = std::variant<PhaseReport, StepReport, FinishedReport, FailureReport>;

[[nodiscard]] std::string encode(const RankReport& report);

/// Blocking. Throws EnvironmentError when the launcher is gone.
void write_report(int fd, const RankReport& report);

/// Cuts the bytes of one rank into reports.
class ReportReader {
 public:
  void append(std::string_view bytes) { buffer_ += bytes; }
  /// The next whole report; empty when more bytes are needed. Throws EnvironmentError on what no rank writes.
  [[nodiscard]] std::optional<RankReport> next();

 private:
  std::string buffer_;
};

}  // namespace trainwright::executor
