// Which work is ordered before which: by stream, by events, and by the host having waited. Work on memory that other
// work of another stream may still be using is a fault that no run on real hardware would show for sure. Vector clocks
// (Fidge and Mattern, 1988): a step of a stream is before another when the other's clock has reached it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainwright::test {

struct MemoryUse {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;
  bool writes = false;
};

/// Not for several threads at once.
class StreamOrder {
 public:
  using Clock = std::map<int, std::uint64_t>;  ///< by stream: how many of its steps are before

  /// The next step of a stream, named for messages. Gives "" or the first conflict with unordered work.
  [[nodiscard]] std::string add(int stream, const std::string& name, const std::vector<MemoryUse>& uses);
  /// What an event recorded now stands for.
  [[nodiscard]] Clock now(int stream) { return clocks_[stream]; }
  void wait(int stream, const Clock& event);
  /// The host has seen that everything up to `event` has ended; all later steps come after it.
  void host_saw(const Clock& event);
  /// Memory was given back: who used it before does not matter for who gets it next.
  void forget(const std::byte* begin, std::size_t bytes);

 private:
  struct Past {
    int stream = 0;
    std::uint64_t step = 0;
    std::string name;
    MemoryUse use;
  };
  std::map<int, Clock> clocks_;
  Clock host_;
  std::vector<Past> past_;
};

}  // namespace trainwright::test
