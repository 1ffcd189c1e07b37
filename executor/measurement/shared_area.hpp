// Memory that forked ranks of one machine share, and a barrier in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace trainwright::executor {

/// All of a fixed number of processes wait for each other. Spins for a moment before it sleeps where every process has
/// a core of its own, since being woken up takes longer than most waits.
class SharedBarrier {
 public:
  SharedBarrier(int members, bool may_spin) : members_(static_cast<std::uint32_t>(members)), may_spin_(may_spin) {}
  void wait();

 private:
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free, "only lock-free atomics work between processes");
  std::uint32_t members_;
  bool may_spin_;
  std::atomic<std::uint32_t> arrived_{0};
  std::atomic<std::uint32_t> round_{0};
};

/// What one rank shows the others between two barriers.
struct RankSlot {
  double value = 0.0;
  double elapsed_s = 0.0;
  int fault = 0;
  bool active = false;
};

struct SharedArea {
  static constexpr int kMaxRanks = 1024;
  SharedArea(int ranks, bool may_spin) : barrier(ranks, may_spin) {}

  SharedBarrier barrier;
  std::array<RankSlot, kMaxRanks> slots{};
  std::array<char, 256> text{};
};

struct UnmapSharedArea {
  void operator()(SharedArea* area) const noexcept;
};
using SharedAreaPointer = std::unique_ptr<SharedArea, UnmapSharedArea>;

/// To be made before the ranks are forked. Throws EnvironmentError.
[[nodiscard]] SharedAreaPointer make_shared_area(int ranks, bool may_spin);

}  // namespace trainwright::executor
