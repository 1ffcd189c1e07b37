// Attention on a device against the CPU's, which is tested against the definition: whole, in tiles, with shared keys.
// SPDX-License-Identifier: Apache-2.0
#include "executor/device/device_attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "executor/cuda/owners.hpp"
#include "tests/support/device_double/device_double.hpp"

namespace trainwright::executor {
namespace {

struct Case {
  AttentionSizes sizes;
  bool fused = true;
};

std::vector<float> random_values(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values)
    value = uniform(random);
  return values;
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    largest = std::isnan(difference) ? 1e9 : std::max(largest, difference);
  }
  return largest;
}

class DeviceAttention : public ::testing::TestWithParam<Case> {
 protected:
  DeviceAttention() : stream(device.api()) {}

  DeviceBuffer upload(const std::vector<float>& values) {
    DeviceBuffer buffer(device.api(), values.size() * sizeof(float));
    EXPECT_TRUE(device.api().cuda->copy_to_device(buffer.data(), values.data(), buffer.bytes(), stream.get()).ok());
    wait();
    return buffer;
  }
  std::vector<float> download(const DeviceBuffer& buffer) {
    std::vector<float> values(buffer.bytes() / sizeof(float));
    EXPECT_TRUE(device.api().cuda->copy_to_host(values.data(), buffer.data(), buffer.bytes(), stream.get()).ok());
    wait();
    return values;
  }
  DeviceBuffer room(std::int64_t floats) { return {device.api(), static_cast<std::size_t>(floats) * sizeof(float)}; }
  void wait() const {
    while (!device.api().cuda->query_stream(stream.get()).ok())
      std::this_thread::yield();
  }
  AttentionSteps steps() {
    return {[this](const GemmCall& gemm) { EXPECT_TRUE(device.api().math->gemm(gemm, stream.get()).ok()); },
            [this](const SoftmaxCall& softmax) {
              EXPECT_TRUE(device.api().math->softmax_rows(softmax, stream.get()).ok());
            }};
  }

  test::DeviceDouble device;
  Stream stream;
};

TEST_P(DeviceAttention, AgreesWithTheCpu) {
  const auto& [sizes, fused] = GetParam();
  const std::vector<float> q = random_values(sizes.query_count(), 1);
  const std::vector<float> k = random_values(sizes.key_count(), 2);
  const std::vector<float> v = random_values(sizes.value_count(), 3);
  const std::vector<float> d_o = random_values(sizes.output_count(), 4);
  AttentionSettings settings{sizes, ElementType::fp32, fused, 0.3F, 0.5F};
  // Several tiles: room for the scores of 64 rows, the least that is taken.
  settings.tile_bytes = 1;

  std::vector<float> o(q.size() / static_cast<std::size_t>(sizes.head_dim) *
                       static_cast<std::size_t>(sizes.value_head_dim));
  std::vector<float> probabilities(static_cast<std::size_t>(sizes.score_count()));
  std::vector<float> dq(q.size());
  std::vector<float> dk(k.size());
  std::vector<float> dv(v.size());
  std::vector<float> scratch(static_cast<std::size_t>(sizes.seq_q * sizes.seq_kv));
  attention_forward_unfused(sizes, 0.3F, q.data(), k.data(), v.data(), o.data(), probabilities.data());
  attention_backward_unfused(sizes, 0.3F, q.data(), k.data(), v.data(), probabilities.data(), d_o.data(), 0.5F,
                             dq.data(), dk.data(), dv.data(), scratch.data());

  const DeviceBuffer device_q = upload(q);
  const DeviceBuffer device_k = upload(k);
  const DeviceBuffer device_v = upload(v);
  const DeviceBuffer device_d_o = upload(d_o);
  const DeviceBuffer device_o = room(sizes.output_count());
  const DeviceBuffer device_p = room(fused ? 1 : sizes.score_count());
  const DeviceBuffer device_dq = room(sizes.query_count());
  const DeviceBuffer device_dk = room(sizes.key_count());
  const DeviceBuffer device_dv = room(sizes.value_count());
  const DeviceBuffer work(device.api(), static_cast<std::size_t>(device_attention_work_bytes(
                                            sizes, sizeof(float), fused, true, settings.tile_bytes)));
  AttentionTensors tensors{device_q.data(),   device_k.data(),  device_v.data(),  device_o.data(),  device_p.data(),
                           device_d_o.data(), device_dq.data(), device_dk.data(), device_dv.data(), work.data()};
  attention_forward(settings, tensors, steps());
  EXPECT_LT(largest_difference(download(device_o), o), 1e-5);
  attention_backward(settings, tensors, steps());
  EXPECT_LT(largest_difference(download(device_dq), dq), 1e-5);
  EXPECT_LT(largest_difference(download(device_dk), dk), 1e-5);
  EXPECT_LT(largest_difference(download(device_dv), dv), 1e-5);
  EXPECT_EQ(device.state().misuses(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Sizes, DeviceAttention,
                         ::testing::Values(Case{{2, 16, 16, 2, 2, 8, 8, true}}, Case{{1, 200, 200, 2, 2, 8, 4, true}},
                                           Case{{2, 150, 150, 4, 2, 8, 8, false}},
                                           Case{{1, 130, 200, 4, 1, 8, 8, true}},
                                           Case{{2, 40, 40, 4, 2, 8, 8, true}, false},
                                           Case{{1, 24, 40, 2, 2, 8, 8, false}, false}),
                         [](const auto& test) { return "Case" + std::to_string(test.index); });

// What the engine reserves is what is used at most: the sizes of a tile times one or two.
TEST(DeviceAttentionWork, IsASmallPartOfTheScores) {
  const AttentionSizes sizes{1, 4096, 4096, 32, 32, 128, 128, true};
  EXPECT_EQ(device_attention_work_bytes(sizes, 2, true, false), 32 * 64 * 4096 * 2);
  EXPECT_EQ(device_attention_work_bytes(sizes, 2, true, true), 2 * 32 * 64 * 4096 * 2);
  EXPECT_EQ(device_attention_work_bytes(sizes, 2, false, false), 0);
  EXPECT_EQ(device_attention_work_bytes(sizes, 2, false, true), std::int64_t{32} * 4096 * 4096 * 2);
}

}  // namespace
}  // namespace trainwright::executor
