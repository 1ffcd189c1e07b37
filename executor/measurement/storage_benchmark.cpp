// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/storage_benchmark.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>

#include "executor/measurement/point_budget.hpp"
#include "executor/measurement/sweep.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

constexpr std::size_t kBlock = 1U << 20;  // one call's worth, as checkpoint writers use
constexpr std::size_t kSector = 4096;     // direct access wants memory and offsets at multiples of the device's sector

[[noreturn]] void fail(const std::string& what) {
  const int code = errno;
  throw model::EnvironmentError(what + ": " + std::generic_category().message(code),
                                code == ENOSPC ? "free some space, or choose another folder with --run-dir"
                                               : "choose a folder you may write to with --run-dir");
}

class OpenFile {
 public:
  explicit OpenFile(int fd) : fd_(fd) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (fd_ >= 0)
      close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// A file without a name in the folder.
int open_nameless(const std::filesystem::path& folder) {
  const int direct = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (direct >= 0)
    return direct;
  // File systems without O_TMPFILE: with a name for a moment.
  std::string name = (folder / ".trainwright-measure-XXXXXX").string();
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named < 0)
    fail("cannot make a file in " + folder.string());
  unlink(name.c_str());
  return named;
}

/// The same file, opened again past the page cache; -1 where the file system has no such access.
int open_direct(int fd) {
  return open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
}

std::string file_system_of(const std::filesystem::path& folder) {
  struct statfs info {};
  if (statfs(folder.c_str(), &info) != 0)
    return "unknown";
  // linux/magic.h and the file systems' own sources
  switch (static_cast<unsigned long>(info.f_type)) {
    case 0xEF53:
      return "ext4";
    case 0x58465342:
      return "xfs";
    case 0x9123683E:
      return "btrfs";
    case 0x01021994:
      return "tmpfs (memory, not a device)";
    case 0x794C7630:
      return "overlayfs";
    case 0x6969:
      return "nfs";
    case 0x0BD00BD0:
      return "lustre";
    case 0x47504653:
      return "gpfs";
    default:
      return "type " + std::to_string(info.f_type);
  }
}

class StorageFile {
 public:
  StorageFile(const std::filesystem::path& folder, std::int64_t largest)
      : file_(open_nameless(folder)),
        direct_(open_direct(file_.get())),
        block_(static_cast<std::byte*>(std::aligned_alloc(kSector, kBlock))),
        length_(largest) {
    if (!block_)
      throw model::EnvironmentError("no memory for a storage block");
    // Not zeros: some devices and file systems do not store those.
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < kBlock; ++i) {
      state = state * 1664525U + 1013904223U;
      block_.get()[i] = static_cast<std::byte>(state >> 24);
    }
    prepare_write();
    write_file(largest);
  }

  /// Outside the timed part: a checkpoint is a new file.
  void prepare_write() {
    if (ftruncate(file_.get(), 0) != 0)
      fail("cannot empty the test file");
  }

  /// Written and flushed to the device.
  void write_file(std::int64_t bytes) {
    for (std::int64_t done = 0; done < bytes;) {
      const ssize_t written = pwrite(file_.get(), block_.get(),
                                     static_cast<std::size_t>(std::min<std::int64_t>(bytes - done, kBlock)), done);
      if (written <= 0)
        fail("cannot write the test file");
      done += written;
    }
    if (fsync(file_.get()) != 0)
      fail("cannot flush the test file");
    length_ = bytes;
  }

  /// Outside the timed part: makes sure there is something to read, and nothing of it in memory.
  void prepare_read(std::int64_t bytes) {
    if (length_ < bytes) {
      prepare_write();
      write_file(bytes);
    }
    if (direct_.get() < 0)
      posix_fadvise(file_.get(), 0, 0, POSIX_FADV_DONTNEED);
  }

  void read_file(std::int64_t bytes) {
    const int fd = direct_.get() >= 0 ? direct_.get() : file_.get();
    for (std::int64_t done = 0; done < bytes;) {
      const ssize_t got =
          pread(fd, block_.get(), static_cast<std::size_t>(std::min<std::int64_t>(bytes - done, kBlock)), done);
      if (got <= 0)
        fail("cannot read the test file");
      done += got;
    }
  }

  [[nodiscard]] std::string method() const {
    return direct_.get() >= 0 ? "reads past the page cache (O_DIRECT)"
                              : "reads after dropping the file from the page cache (posix_fadvise)";
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept { std::free(memory); }
  };
  OpenFile file_;
  OpenFile direct_;
  std::unique_ptr<std::byte[], Free> block_;
  std::int64_t length_;
};

struct StoragePointKey {
  bool is_write;
  std::int64_t bytes;
};

std::string name_of(const StoragePointKey& point) {
  return std::string(point.is_write ? "write " : "read ") + size_text(point.bytes) +
         (point.is_write ? " to storage" : " from storage");
}

}  // namespace

std::vector<std::int64_t> storage_sizes(bool quick) {
  constexpr std::int64_t kFirst = 64LL << 10;
  constexpr std::int64_t kLast = 32LL << 20;
  return quick ? std::vector<std::int64_t>{1LL << 20, 8LL << 20} : log_spaced(kFirst, kLast, 4, kSector);
}

void measure_storage(RankContext& context, const StoragePlan& plan) {
  std::vector<StoragePointKey> points;
  for (const std::int64_t bytes : plan.bytes)
    for (const bool is_write : {false, true})
      points.push_back({is_write, bytes});
  if (points.empty())
    return;
  StorageFile file(plan.folder, *std::max_element(plan.bytes.begin(), plan.bytes.end()));
  context.report(Record(RemarkRecord{
      FixedText<480>("storage: " + file_system_of(plan.folder) + "; writes include fsync; " + file.method())}));
  PointBudget budget(plan.end, static_cast<double>(points.size()));
  int done = 0;
  int left_out = 0;
  for (const std::size_t index : shuffled_order(points.size(), plan.seed)) {
    const StoragePointKey& point = points[index];
    report_progress(context, static_cast<double>(done++) / static_cast<double>(points.size()), name_of(point));
    const model::Seconds limit = budget.next(context.clock().now(), 1.0);
    if (!(limit > model::Seconds::zero())) {
      ++left_out;
      continue;
    }
    PointTask task;
    task.bounds = communicating_bounds();
    task.max_repeats = 1;  // each repetition needs its own preparation
    if (point.is_write) {
      task.before_sample = [&] { file.prepare_write(); };
      task.operation = [&] { file.write_file(point.bytes); };
    } else {
      task.before_sample = [&] { file.prepare_read(point.bytes); };
      task.operation = [&] { file.read_file(point.bytes); };
    }
    std::string faults;
    model::StoragePoint result{point.is_write, point.bytes, {}};
    result.time = sample_point(context, task, plan.rules, limit, &faults);
    report_point(context, name_of(point), result, faults);
  }
  if (left_out > 0)
    context.report(Record(RemarkRecord{FixedText<480>(
        std::to_string(left_out) + " of " + std::to_string(points.size()) + " storage points left out: time was up")}));
}

}  // namespace trainwright::executor
