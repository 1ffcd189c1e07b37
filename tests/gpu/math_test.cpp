// The linked libraries and our kernels on a GPU against the double on the host: the same calls on the same numbers.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <thread>

#include "executor/cuda/device.hpp"
#include "executor/cuda/linked_api.hpp"
#include "executor/cuda/owners.hpp"
#include "tests/support/device_double/device_double.hpp"
#include "tests/support/device_double/narrow_floats.hpp"

namespace trainwright::executor {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::size_t kSize = std::size_t{1} << 20U;
constexpr std::size_t kPart = kSize / 4;

// Four parts of memory filled with the pattern, one call on them, and what they hold then.
Bytes after(const DeviceApi& api, ElementType type, const std::function<ApiResult(std::byte*, ApiStream*)>& call) {
  const Stream stream(api);
  const DeviceBuffer memory(api, kSize);
  const auto count = static_cast<std::int64_t>(kSize / element_bytes(type));
  EXPECT_TRUE(api.math->fill_pattern({memory.data(), count, type, false}, stream.get()).ok());
  const ApiResult result = call(memory.data(), stream.get());
  EXPECT_TRUE(result.ok()) << result.code;
  Bytes bytes(kSize);
  EXPECT_TRUE(api.cuda->copy_to_host(bytes.data(), memory.data(), kSize, stream.get()).ok());
  while (!api.cuda->query_stream(stream.get()).ok())
    std::this_thread::yield();
  return bytes;
}

std::vector<float> values_of(const Bytes& bytes, ElementType type) {
  using body::to_float;
  std::vector<float> values;
  test::with_type(type, [&](auto element) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof element) {
      std::memcpy(&element, bytes.data() + at, sizeof element);
      values.push_back(to_float(element));
    }
  });
  return values;
}

// Units in the last place of the format's mantissa, for sums of some hundred products below 1.
float tolerance(ElementType type) {
  switch (type) {
    case ElementType::fp32:
      return 1e-4F;
    case ElementType::tf32:
    case ElementType::fp16:
      return 4e-3F;
    case ElementType::bf16:
      return 3e-2F;
    case ElementType::fp8:
      return 0.0F;  // filled, not computed in
  }
  return 0.0F;
}

class Gpu : public ::testing::TestWithParam<ElementType> {
 protected:
  void SetUp() override {
    if (find_devices(linked).empty())
      GTEST_SKIP() << "no GPU is visible to CUDA";
    test::current_device() = 0;
  }

  void expect_alike(ElementType type, const std::function<ApiResult(std::byte*, ApiStream*, const DeviceApi&)>& call) {
    const auto on = [&](const DeviceApi& api) {
      return values_of(after(api, type, [&](std::byte* memory, ApiStream* s) { return call(memory, s, api); }), type);
    };
    const std::vector<float> real = on(linked);
    const std::vector<float> expected = on(device.api());
    for (std::size_t i = 0; i < real.size(); ++i)
      ASSERT_NEAR(real[i], expected[i], tolerance(type) * (1.0F + std::fabs(expected[i]))) << i;
  }

  DeviceApi linked = linked_device_api();
  test::DeviceDouble device;
};

TEST_P(Gpu, ProductsAgree) {
  for (const bool left : {false, true})
    for (const bool right : {false, true})
      expect_alike(GetParam(), [&](std::byte* memory, ApiStream* stream, const DeviceApi& api) {
        GemmCall call;
        call.m = 64;
        call.n = 96;
        call.k = 128;
        call.batch = 2;
        call.type = GetParam();
        call.left_transposed = left;
        call.right_transposed = right;
        call.left_row = left ? call.m : call.k;
        call.right_row = right ? call.k : call.n;
        call.result_row = call.n;
        call.left_step = call.m * call.k;
        call.right_step = call.k * call.n;
        call.result_step = call.m * call.n;
        call.alpha = 0.5F;
        call.beta = 1.0F;
        call.left = memory;
        call.right = memory + kPart;
        call.result = memory + 2 * kPart;
        return api.math->gemm(call, stream);
      });
}

TEST_P(Gpu, SoftmaxesAgree) {
  for (const bool backward : {false, true})
    expect_alike(GetParam(), [&](std::byte* memory, ApiStream* stream, const DeviceApi& api) {
      return api.math->softmax_rows({memory, memory + kPart, 3, 50, 200, 10, 60, 200, true, backward, GetParam()},
                                    stream);
    });
}

INSTANTIATE_TEST_SUITE_P(Formats, Gpu,
                         ::testing::Values(ElementType::fp32, ElementType::tf32, ElementType::fp16, ElementType::bf16));

class GpuKernels : public Gpu {};

TEST_P(GpuKernels, TrafficAndUpdatesAgree) {
  expect_alike(GetParam(), [](std::byte* memory, ApiStream* stream, const DeviceApi& api) {
    return api.math->traffic({memory, 1001, memory + kPart, 77, memory + 2 * kPart, 2003, memory + 3 * kPart}, stream);
  });
  expect_alike(GetParam(), [](std::byte* memory, ApiStream* stream, const DeviceApi& api) {
    const auto floats = [&](std::size_t part) { return reinterpret_cast<float*>(memory + part * kPart); };
    OptimizerCall call;
    call.rule = UpdateRule::momentum;
    call.count = 1001;
    call.gradient = floats(0);
    call.weight = floats(1);
    call.first_moment = floats(2);
    call.second_moment = floats(3);
    call.rate = 0.1F;
    return api.math->optimizer(call, stream);
  });
}

INSTANTIATE_TEST_SUITE_P(Fp32, GpuKernels, ::testing::Values(ElementType::fp32));

}  // namespace
}  // namespace trainwright::executor
