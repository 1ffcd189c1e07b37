// SPDX-License-Identifier: Apache-2.0
#include "executor/session/host_io.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "executor/process/file_descriptor.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

constexpr std::size_t kChunk = 4U << 20U;

[[noreturn]] void fail(const std::filesystem::path& path, const char* what) {
  throw model::EnvironmentError(path.string() + ": " + what + ": " + error_text(errno));
}

FileDescriptor open_file(const std::filesystem::path& path, int flags) {
  FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC, 0644));
  if (!file.is_open())
    fail(path, "cannot be opened");
  return file;
}

void write_bytes(const std::filesystem::path& path, std::int64_t bytes, const std::vector<char>& chunk) {
  const FileDescriptor file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  while (bytes > 0) {
    const auto part = static_cast<std::size_t>(std::min<std::int64_t>(bytes, static_cast<std::int64_t>(chunk.size())));
    const ssize_t written = ::write(file.get(), chunk.data(), part);
    if (written < 0 && errno != EINTR)
      fail(path, "cannot be written");
    bytes -= std::max<ssize_t>(written, 0);
  }
  if (::fsync(file.get()) != 0)
    fail(path, "cannot be flushed to disk");
}

}  // namespace

HostIo::HostIo(const std::filesystem::path& prefix, const model::Program& program)
    : read_path_(prefix), write_path_(prefix) {
  read_path_ += ".read";
  write_path_ += ".write";
  std::int64_t largest_read = 0;
  bool used = false;
  for (const model::Task& task : program.tasks) {
    if (const auto* io = std::get_if<model::HostIoWork>(&task.work)) {
      used = true;
      if (!io->is_write)
        largest_read = std::max(largest_read, io->bytes.count());
    }
  }
  if (used)
    chunk_.assign(kChunk, 'x');
  if (largest_read > 0)
    write_bytes(read_path_, largest_read, chunk_);
}

HostIo::~HostIo() {
  std::error_code ignored;  // they may never have been made
  std::filesystem::remove(read_path_, ignored);
  std::filesystem::remove(write_path_, ignored);
}

void HostIo::run(const model::HostIoWork& work) {
  if (work.is_write) {
    write_bytes(write_path_, work.bytes.count(), chunk_);
    return;
  }
  const FileDescriptor file = open_file(read_path_, O_RDONLY);
  for (std::int64_t left = work.bytes.count(); left > 0;) {
    const auto part = static_cast<std::size_t>(std::min<std::int64_t>(left, static_cast<std::int64_t>(chunk_.size())));
    const ssize_t got = ::read(file.get(), chunk_.data(), part);
    if (got == 0)
      throw model::EnvironmentError(read_path_.string() + ": is shorter than it was written");
    if (got < 0 && errno != EINTR)
      fail(read_path_, "cannot be read");
    left -= std::max<ssize_t>(got, 0);
  }
}

}  // namespace trainwright::executor
