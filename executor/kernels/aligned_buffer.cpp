// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/aligned_buffer.hpp"

#include <cstdlib>

#include "model/base/contract.hpp"
#include "model/base/error.hpp"
#include "model/units/format.hpp"

namespace trainwright::executor {

void AlignedBuffer::Free::operator()(float* data) const noexcept {
  std::free(data);
}

AlignedBuffer::AlignedBuffer(std::int64_t count) : count_(count) {
  TRAINWRIGHT_EXPECTS(count >= 0, std::to_string(count));
  constexpr std::size_t kCacheLine = 64;
  const std::size_t bytes =
      (static_cast<std::size_t>(count) * sizeof(float) + kCacheLine - 1) / kCacheLine * kCacheLine;
  if (bytes == 0)
    return;
  data_.reset(static_cast<float*>(std::aligned_alloc(kCacheLine, bytes)));
  if (!data_)
    throw model::EnvironmentError(
        "no memory for a work buffer of " + model::format(model::ByteCount(static_cast<std::int64_t>(bytes))),
        "use a smaller micro-batch or model, or fewer ranks on this machine");
  fill_with_pattern(data_.get(), count);
}

void fill_with_pattern(float* data, std::int64_t count) {
  // A multiplicative generator modulo 2^32 (odd factor, odd state): never zero, both signs, the same on every machine.
  std::uint32_t state = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    state *= 2891336453U;
    const auto whole = static_cast<std::int32_t>(state | 256U);  // after the shift still not zero
    data[i] = static_cast<float>(whole >> 8) * (1.0F / 8388608.0F);
  }
}

}  // namespace trainwright::executor
