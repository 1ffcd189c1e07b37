// SPDX-License-Identifier: Apache-2.0
#include "executor/process/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "model/base/error.hpp"

namespace trainwright::executor {

FileDescriptor lock_run_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw model::EnvironmentError(folder.string() + ": cannot be made: " + error.message(), "choose another --run-dir");
  const std::filesystem::path file = folder / "lock";
  FileDescriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!lock.is_open())
    throw model::EnvironmentError(file.string() + ": cannot be opened: " + error_text(errno),
                                  "choose another --run-dir");
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      throw model::EnvironmentError(file.string() + ": cannot be locked: " + error_text(errno));
    std::array<char, 32> text{};
    const ssize_t got = ::pread(lock.get(), text.data(), text.size() - 1, 0);
    const std::string holder(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0);
    throw model::EnvironmentError(
        folder.string() + ": another run" + (holder.empty() ? "" : " (process " + holder + ")") + " is using it",
        "wait for it or choose another --run-dir");
  }
  const std::string self = std::to_string(::getpid());
  // Only for the message above; the lock holds without it.
  if (::ftruncate(lock.get(), 0) != 0 ||
      ::pwrite(lock.get(), self.data(), self.size(), 0) != static_cast<ssize_t>(self.size()))
    return lock;
  return lock;
}

}  // namespace trainwright::executor
