// Device memory of the double: host memory that remembers what was handed out. New memory is full of NaN, its
// surroundings are watched, and every range that a call touches must lie inside one allocation that is alive.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace trainwright::test {

class HostMemory {
 public:
  explicit HostMemory(std::size_t capacity) : capacity_(capacity) {}
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  ~HostMemory();

  /// Null when there is no room.
  [[nodiscard]] void* allocate(std::size_t bytes);
  /// "" or what is wrong: not ours, freed before, written beyond its end.
  [[nodiscard]] std::string release(void* memory);
  /// "" or why the range must not be touched.
  [[nodiscard]] std::string objection(const void* begin, std::size_t bytes) const;
  [[nodiscard]] std::size_t used() const;
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  struct Block {
    std::size_t bytes = 0;
    std::byte* raw = nullptr;
  };
  std::size_t capacity_;
  mutable std::mutex mutex_;
  std::map<const std::byte*, Block> blocks_;
};

}  // namespace trainwright::test
