// SPDX-License-Identifier: Apache-2.0
#include "model/io/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "model/base/error.hpp"

namespace trainwright::model {
namespace {

std::string reason(int error_number) {
  return std::generic_category().message(error_number);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (fd_ >= 0)
      ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] int close() {
    const int result = ::close(fd_);
    fd_ = -1;
    return result;
  }

 private:
  int fd_;
};

}  // namespace

std::string read_file(const std::filesystem::path& path, Diagnostics& diagnostics, std::size_t max_bytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    diagnostics.add_error(path.string(), "", "cannot be opened: " + reason(errno));
    return {};
  }
  struct stat info {};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) {
    diagnostics.add_error(path.string(), "", "is a folder", "a file is needed");
    return {};
  }
  std::string content;
  std::string chunk(1U << 16, '\0');
  while (true) {
    const ssize_t got = ::read(file.get(), chunk.data(), chunk.size());
    if (got < 0) {
      if (errno == EINTR)
        continue;
      diagnostics.add_error(path.string(), "", "cannot be read: " + reason(errno));
      return {};
    }
    if (got == 0)
      return content;
    content.append(chunk, 0, static_cast<std::size_t>(got));
    if (content.size() > max_bytes) {
      diagnostics.add_error(path.string(), "", "is larger than " + std::to_string(max_bytes) + " bytes");
      return {};
    }
  }
}

void write_file_atomically(const std::filesystem::path& named, std::string_view content) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(named, error);
  // A device or pipe is written to, never replaced; of a link, the file that it leads to is replaced.
  const bool is_special = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
  std::filesystem::path path = named;
  if (!is_special && std::filesystem::exists(status))
    if (std::filesystem::path target = std::filesystem::canonical(named, error); !error)
      path = std::move(target);
  std::filesystem::path temporary = path;
  if (!is_special)
    temporary += ".tmp." + std::to_string(::getpid());
  const auto fail = [&](const std::string& action) {
    const std::string text = named.string() + ": " + action + ": " + reason(errno);
    if (!is_special)
      ::unlink(temporary.c_str());
    throw EnvironmentError(text, "nothing was written");
  };
  FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (file.get() < 0)
    fail("cannot be created");
  for (std::string_view rest = content; !rest.empty();) {
    const ssize_t written = ::write(file.get(), rest.data(), rest.size());
    if (written < 0) {
      if (errno == EINTR)
        continue;
      fail("cannot be written");
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file.get()) != 0 && errno != EINVAL)  // EINVAL: a pipe or device, which has nothing to flush
    fail("cannot be flushed to disk");
  if (file.close() != 0)
    fail("cannot be closed");
  if (!is_special && ::rename(temporary.c_str(), path.c_str()) != 0)
    fail("cannot be renamed into place");
}

}  // namespace trainwright::model
