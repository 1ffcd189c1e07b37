// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/device_double.hpp"

#include "tests/support/device_double/cuda_double.hpp"
#include "tests/support/device_double/math_double.hpp"
#include "tests/support/device_double/nccl_double.hpp"

namespace trainwright::test {

DeviceDouble::DeviceDouble(const DoubleOptions& options)
    : state_(std::make_shared<DeviceState>(options)),
      api_{make_cuda_double(state_), make_math_double(state_), make_nccl_double(state_)} {}

std::string DeviceDouble::complaints() const {
  std::string text;
  for (const std::string& misuse : state_->misuses())
    text += misuse + "\n";
  if (state_->memory.used() > 0)
    text += std::to_string(state_->memory.used()) + " bytes of memory were not given back\n";
  if (state_->stream_count() > 0)
    text += std::to_string(state_->stream_count()) + " streams were not given back\n";
  if (state_->events > 0)
    text += std::to_string(state_->events) + " events were not given back\n";
  return text;
}

}  // namespace trainwright::test
