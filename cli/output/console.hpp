// Where the program talks: the result on standard output, everything else on standard error, progress only on a
// terminal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "model/base/diagnostic.hpp"

namespace trainwright::cli {

class Console {
 public:
  /// The first thing a program does: standard descriptors that came closed are taken, so that no other file gets their
  /// numbers.
  Console();

  /// No progress, no warnings, no remarks; results and errors stay.
  void set_quiet(bool quiet) { quiet_ = quiet; }

  /// Writes to standard output at once. Throws EnvironmentError when it is closed or full.
  void result(std::string_view text);
  /// A line on standard error; nothing when quiet.
  void remark(const std::string& line);
  void warnings(const model::Diagnostics& diagnostics);
  /// A line on standard error, always.
  void error(const std::string& line);

  /// One line that is overwritten, on a terminal only. `fraction` of 1 and the next other output end it.
  void progress(const std::string& what, double fraction);
  /// The same with a text of the caller's.
  void status(const std::string& line);
  /// Whether progress would be seen.
  [[nodiscard]] bool shows_progress() const { return is_terminal_ && !quiet_; }
  void end_progress();

 private:
  void to_stderr(std::string_view text);

  bool is_terminal_ = false;
  bool output_came_closed_ = false;
  bool quiet_ = false;
  std::size_t progress_width_ = 0;
};

}  // namespace trainwright::cli
