// An owned file descriptor: closed when it goes out of scope. Linux only, as the whole executor is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

namespace trainwright::executor {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) noexcept : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }
  void reset() noexcept;

 private:
  int fd_ = -1;
};

struct Pipe {
  FileDescriptor read_end;   ///< does not block
  FileDescriptor write_end;  ///< blocks
};

/// Both ends are closed in programs started later unless they are handed over. Throws EnvironmentError.
[[nodiscard]] Pipe make_pipe();

/// "No space left on device"
[[nodiscard]] std::string error_text(int error_number);

}  // namespace trainwright::executor
