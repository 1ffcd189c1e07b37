// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/disturbance.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>

namespace trainwright::executor {
namespace {

model::Seconds read_clock(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return model::Seconds(static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9);
}

/// The number in a column (from 0) of the first line of a file of /proc.
std::optional<std::int64_t> number_in(const char* path, int column) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  std::array<char, 256> buffer{};
  const ssize_t length = read(file, buffer.data(), buffer.size());
  close(file);
  std::string_view line(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  line = line.substr(0, line.find('\n'));
  for (; column > 0; --column) {
    line.remove_prefix(std::min(line.find(' '), line.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  }
  std::int64_t number = 0;
  if (std::from_chars(line.data(), line.data() + line.size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

/// "cpu user nice system idle iowait irq softirq steal ...", in ticks.
std::optional<model::Seconds> stolen_time() {
  constexpr int kStealColumn = 8;
  const std::optional<std::int64_t> ticks = number_in("/proc/stat", kStealColumn);
  if (!ticks)
    return std::nullopt;
  return model::Seconds(static_cast<double>(*ticks) / static_cast<double>(sysconf(_SC_CLK_TCK)));
}

/// Sum over the threads of "running waiting timeslices", in nanoseconds.
std::optional<model::Seconds> queued_time() {
  const std::unique_ptr<DIR, int (*)(DIR*)> threads(opendir("/proc/self/task"), closedir);
  if (!threads)
    return std::nullopt;
  std::int64_t total = 0;
  bool any = false;
  while (const dirent* entry = readdir(threads.get())) {
    if (entry->d_name[0] == '.')
      continue;
    const std::string path = std::string("/proc/self/task/") + entry->d_name + "/schedstat";
    if (const std::optional<std::int64_t> waited = number_in(path.c_str(), 1)) {
      total += *waited;
      any = true;
    }
  }
  return any ? std::optional(model::Seconds(static_cast<double>(total) * 1e-9)) : std::nullopt;
}

void read_kernel(ProcessorReading& reading, const DisturbanceBounds& bounds) {
  if (bounds.stolen)
    reading.stolen = stolen_time();
  if (bounds.queued)
    reading.queued = queued_time();
  reading.processors = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

ProcessorReading read_before(const DisturbanceBounds& bounds) {
  ProcessorReading reading;
  read_kernel(reading, bounds);
  reading.thread = read_clock(CLOCK_THREAD_CPUTIME_ID);
  reading.wall = read_clock(CLOCK_MONOTONIC);
  return reading;
}

ProcessorReading read_after(const DisturbanceBounds& bounds) {
  ProcessorReading reading;
  reading.wall = read_clock(CLOCK_MONOTONIC);
  reading.thread = read_clock(CLOCK_THREAD_CPUTIME_ID);
  read_kernel(reading, bounds);
  return reading;
}

SampleFault disturbance(const ProcessorReading& before, const ProcessorReading& after,
                        const DisturbanceBounds& bounds) {
  const model::Seconds wall = after.wall - before.wall;
  if (!(wall > model::Seconds::zero()))
    return SampleFault::no_time;
  if (bounds.waiting && 1.0 - (after.thread - before.thread) / wall > *bounds.waiting)
    return SampleFault::preempted;
  if (bounds.queued && before.queued && after.queued && (*after.queued - *before.queued) / wall > *bounds.queued)
    return SampleFault::preempted;
  if (bounds.stolen && before.stolen && after.stolen &&
      (*after.stolen - *before.stolen) / (wall * after.processors) > *bounds.stolen)
    return SampleFault::stolen;
  return SampleFault::none;
}

}  // namespace trainwright::executor
