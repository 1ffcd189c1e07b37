// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/shared_area.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <limits>
#include <new>
#include <string>

#include "model/base/contract.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

// std::atomic's own wait() works inside one process only.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT, value, nullptr, nullptr, 0);
}

void futex_wake_all(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, std::numeric_limits<int>::max(), nullptr, nullptr, 0);
}

}  // namespace

void SharedBarrier::wait() {
  const std::uint32_t round = round_.load();
  if (arrived_.fetch_add(1) + 1 == members_) {
    arrived_.store(0);
    round_.fetch_add(1);
    futex_wake_all(round_);
    return;
  }
  if (may_spin_) {
    constexpr auto kSpin = std::chrono::microseconds(100);
    const auto end = std::chrono::steady_clock::now() + kSpin;
    while (round_.load() == round && std::chrono::steady_clock::now() < end) {
    }
  }
  while (round_.load() == round)
    futex_wait(round_, round);
}

SharedAreaPointer make_shared_area(int ranks, bool may_spin) {
  TRAINWRIGHT_EXPECTS(ranks >= 1 && ranks <= SharedArea::kMaxRanks, std::to_string(ranks));
  void* memory = mmap(nullptr, sizeof(SharedArea), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw model::EnvironmentError("cannot share memory between " + std::to_string(ranks) + " ranks");
  return SharedAreaPointer(new (memory) SharedArea(ranks, may_spin));
}

void UnmapSharedArea::operator()(SharedArea* area) const noexcept {
  area->~SharedArea();
  munmap(area, sizeof(SharedArea));
}

}  // namespace trainwright::executor
