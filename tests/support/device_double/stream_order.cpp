// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/stream_order.hpp"

#include <algorithm>

namespace trainwright::test {
namespace {

void raise(StreamOrder::Clock& clock, const StreamOrder::Clock& other) {
  for (const auto& [stream, step] : other)
    clock[stream] = std::max(clock[stream], step);
}

bool overlap(const MemoryUse& a, const MemoryUse& b) {
  return a.begin < b.begin + b.bytes && b.begin < a.begin + a.bytes;
}

std::uint64_t reached(const StreamOrder::Clock& clock, int stream) {
  const auto found = clock.find(stream);
  return found == clock.end() ? 0 : found->second;
}

}  // namespace

std::string StreamOrder::add(int stream, const std::string& name, const std::vector<MemoryUse>& uses) {
  Clock& clock = clocks_[stream];
  raise(clock, host_);
  const std::uint64_t step = ++clock[stream];
  // What the host has seen the end of cannot conflict any more.
  std::erase_if(past_, [&](const Past& past) { return past.step <= reached(host_, past.stream); });
  std::string conflict;
  for (const Past& past : past_)
    for (const MemoryUse& use : uses)
      if (conflict.empty() && past.stream != stream && (past.use.writes || use.writes) && overlap(past.use, use) &&
          past.step > reached(clock, past.stream))
        conflict = name + " uses memory that " + past.name + " of another stream may still be using";
  for (const MemoryUse& use : uses)
    if (use.bytes > 0)
      past_.push_back({stream, step, name, use});
  return conflict;
}

void StreamOrder::wait(int stream, const Clock& event) {
  raise(clocks_[stream], event);
}

void StreamOrder::host_saw(const Clock& event) {
  raise(host_, event);
}

void StreamOrder::forget(const std::byte* begin, std::size_t bytes) {
  std::erase_if(past_, [&](const Past& past) { return overlap(past.use, {begin, bytes, true}); });
}

}  // namespace trainwright::test
