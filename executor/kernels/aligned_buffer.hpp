// A block of floats for kernels: aligned to cache lines, every page touched, never resized.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace trainwright::executor {

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  /// Filled with a fixed pattern in [-1, 1] without zeros, by the calling thread, so that the pages lie near it.
  /// Throws EnvironmentError when there is no memory.
  explicit AlignedBuffer(std::int64_t count);

  [[nodiscard]] float* data() { return data_.get(); }
  [[nodiscard]] const float* data() const { return data_.get(); }
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  struct Free {
    void operator()(float* data) const noexcept;
  };
  std::unique_ptr<float[], Free> data_;
  std::int64_t count_ = 0;
};

/// Writes the pattern that new buffers hold.
void fill_with_pattern(float* data, std::int64_t count);

}  // namespace trainwright::executor
