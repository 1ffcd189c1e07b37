// SPDX-License-Identifier: Apache-2.0
#include "executor/process/file_descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "model/base/error.hpp"

namespace trainwright::executor {

void FileDescriptor::reset() noexcept {
  if (fd_ >= 0)
    ::close(std::exchange(fd_, -1));
}

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw model::EnvironmentError("a pipe cannot be made: " + error_text(errno));
  Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
    throw model::EnvironmentError("a pipe cannot be set to non-blocking: " + error_text(errno));
  return pipe;
}

std::string error_text(int error_number) {
  return std::generic_category().message(error_number);
}

}  // namespace trainwright::executor
