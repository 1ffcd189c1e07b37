// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/model/search/allocation_count.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> count{0};

}  // namespace

// Sanitizers have allocators of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRAINWRIGHT_COUNTS_ALLOCATIONS 0
#else
#define TRAINWRIGHT_COUNTS_ALLOCATIONS 1
void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size == 0 ? 1 : size))
    return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
#endif

namespace trainwright::test {

bool counts_allocations() {
  return TRAINWRIGHT_COUNTS_ALLOCATIONS != 0;
}

std::int64_t allocations() {
  return count;
}

}  // namespace trainwright::test
