// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/disturbance.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <ctime>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace trainwright::executor {
namespace {

model::Seconds read_clock(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return model::Seconds(static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9);
}

/// Eighth number of the first line of /proc/stat, "cpu user nice system idle iowait irq softirq steal ...", in ticks.
std::optional<model::Seconds> stolen_time() {
  const int file = open("/proc/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return std::nullopt;
  std::array<char, 256> buffer{};
  const ssize_t length = read(file, buffer.data(), buffer.size());
  close(file);
  std::string_view line(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  line = line.substr(0, line.find('\n'));
  constexpr int kStealColumn = 8;
  for (int column = 1; column <= kStealColumn; ++column) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos)
      return std::nullopt;
    const std::size_t next = line.find_first_not_of(' ', blank);
    if (next == std::string_view::npos)
      return std::nullopt;
    line.remove_prefix(next);
  }
  long long ticks = 0;
  if (std::from_chars(line.data(), line.data() + line.size(), ticks).ec != std::errc())
    return std::nullopt;
  return model::Seconds(static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK)));
}

int processor_count() {
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

ProcessorReading read_before() {
  ProcessorReading reading;
  reading.processors = processor_count();
  reading.stolen = stolen_time();
  reading.thread = read_clock(CLOCK_THREAD_CPUTIME_ID);
  reading.wall = read_clock(CLOCK_MONOTONIC);
  return reading;
}

ProcessorReading read_after() {
  ProcessorReading reading;
  reading.wall = read_clock(CLOCK_MONOTONIC);
  reading.thread = read_clock(CLOCK_THREAD_CPUTIME_ID);
  reading.stolen = stolen_time();
  reading.processors = processor_count();
  return reading;
}

SampleFault disturbance(const ProcessorReading& before, const ProcessorReading& after,
                        const DisturbanceBounds& bounds) {
  const model::Seconds wall = after.wall - before.wall;
  if (!(wall > model::Seconds::zero()))
    return SampleFault::no_time;
  if (bounds.waiting && 1.0 - (after.thread - before.thread) / wall > *bounds.waiting)
    return SampleFault::preempted;
  if (before.stolen && after.stolen && (*after.stolen - *before.stolen) / (wall * after.processors) > bounds.stolen)
    return SampleFault::stolen;
  return SampleFault::none;
}

}  // namespace trainwright::executor
