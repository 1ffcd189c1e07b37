// SPDX-License-Identifier: Apache-2.0
#include "cli/output/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "model/base/error.hpp"
#include "model/units/format.hpp"

namespace trainwright::cli {
namespace {

/// 0, or the error number.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

}  // namespace

Console::Console() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) != -1)
      continue;
    if (fd == STDOUT_FILENO)
      output_came_closed_ = true;
    static_cast<void>(::open("/dev/null", O_RDWR));  // the lowest free number, which is `fd`
  }
  is_terminal_ = ::isatty(STDERR_FILENO) == 1;
}

void Console::result(std::string_view text) {
  end_progress();
  if (const int error = output_came_closed_ ? EBADF : write_all(STDOUT_FILENO, text))
    throw model::EnvironmentError("standard output cannot be written: " + std::string(std::strerror(error)));
}

void Console::remark(const std::string& line) {
  if (!quiet_)
    error(line);
}

void Console::warnings(const model::Diagnostics& diagnostics) {
  for (const model::Diagnostic& diagnostic : diagnostics.list())
    if (diagnostic.severity != model::Severity::error)
      remark(model::to_text(diagnostic));
}

void Console::error(const std::string& line) {
  end_progress();
  to_stderr(line + "\n");
}

void Console::progress(const std::string& what, double fraction) {
  const double percent = std::clamp(100.0 * fraction, 0.0, 100.0);
  status(what + " " + model::format_fixed(percent, 0) + " %");
}

void Console::status(const std::string& line) {
  if (!shows_progress())
    return;
  const std::size_t padding = progress_width_ > line.size() ? progress_width_ - line.size() : 0;
  to_stderr("\r" + line + std::string(padding, ' '));
  progress_width_ = line.size();
}

void Console::end_progress() {
  if (progress_width_ == 0)
    return;
  to_stderr("\r" + std::string(progress_width_, ' ') + "\r");
  progress_width_ = 0;
}

void Console::to_stderr(std::string_view text) {
  // Nobody is left to be told when standard error is gone.
  static_cast<void>(write_all(STDERR_FILENO, text));
}

}  // namespace trainwright::cli
