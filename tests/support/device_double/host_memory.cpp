// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/host_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace trainwright::test {
namespace {

constexpr std::size_t kGuard = 256;
constexpr std::byte kGuardByte{0xA5};
constexpr std::byte kPoison{0xFF};  // NaN as fp32, fp16, bf16 and fp8

bool is_intact(const std::byte* guard) {
  return std::all_of(guard, guard + kGuard, [](std::byte b) { return b == kGuardByte; });
}

}  // namespace

HostMemory::~HostMemory() {
  for (const auto& [data, block] : blocks_)
    std::free(block.raw);
}

void* HostMemory::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  std::size_t used = 0;
  for (const auto& [data, block] : blocks_)
    used += block.bytes;
  if (bytes > capacity_ - used)
    return nullptr;
  const std::size_t padded = (bytes + kGuard - 1) / kGuard * kGuard;
  auto* const raw = static_cast<std::byte*>(std::aligned_alloc(kGuard, padded + 2 * kGuard));
  if (raw == nullptr)
    return nullptr;
  std::byte* const data = raw + kGuard;
  std::fill_n(raw, kGuard, kGuardByte);
  std::fill_n(data, bytes, kPoison);
  std::fill_n(data + bytes, kGuard, kGuardByte);
  blocks_[data] = {bytes, raw};
  return data;
}

std::string HostMemory::release(void* memory) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(static_cast<std::byte*>(memory));
  if (found == blocks_.end())
    return "memory is released that was not allocated, or twice";
  const bool intact = is_intact(found->second.raw) && is_intact(found->first + found->second.bytes);
  std::free(found->second.raw);
  blocks_.erase(found);
  return intact ? "" : "memory around an allocation was written to";
}

std::string HostMemory::objection(const void* begin, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto* const first = static_cast<const std::byte*>(begin);
  auto after = blocks_.upper_bound(first);
  if (after == blocks_.begin())
    return "a range of " + std::to_string(bytes) + " bytes lies in no allocation";
  const auto& [data, block] = *std::prev(after);
  if (first + bytes <= data + block.bytes)
    return "";
  return "a range of " + std::to_string(bytes) + " bytes begins " + std::to_string(first - data) +
         " bytes into an allocation of " + std::to_string(block.bytes);
}

std::size_t HostMemory::used() const {
  const std::lock_guard lock(mutex_);
  std::size_t used = 0;
  for (const auto& [data, block] : blocks_)
    used += block.bytes;
  return used;
}

}  // namespace trainwright::test
