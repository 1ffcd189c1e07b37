// The device engine on the double: every compute task of real graphs inside its memory and in order, in each format.
// SPDX-License-Identifier: Apache-2.0
#include "executor/device/device_engine.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "executor/device/device_formats.hpp"
#include "model/base/error.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/device_double/device_double.hpp"

namespace trainwright::executor {
namespace {

using model::Precision;
using model::RankId;

bool computes(const model::Task& task) {
  return !std::holds_alternative<model::CollectiveWork>(task.work) &&
         !std::holds_alternative<model::TransferWork>(task.work) &&
         !std::holds_alternative<model::HostIoWork>(task.work);
}

model::Program small_program(Precision precision, bool fused = true) {
  model::Plan plan = test::small_plan({}, 1);
  plan.model = test::small_llama(1, 32);
  plan.job.seq_len = 32;
  plan.job.precision = precision;
  model::Program program = model::build_execution_graph(plan).program_of_rank(RankId(0));
  for (model::Task& task : program.tasks) {
    if (auto* gemm = std::get_if<model::GemmWork>(&task.work))
      gemm->precision = precision;
    if (auto* attention = std::get_if<model::AttentionWork>(&task.work)) {
      attention->precision = precision;
      attention->fused = fused;
    }
  }
  return program;
}

class DeviceEngine : public ::testing::Test {
 protected:
  void SetUp() override { test::current_device() = 0; }

  // Runs all compute tasks twice; "" or what was done wrong.
  static std::string run(test::DeviceDouble& device, const model::Program& program) {
    {
      const auto queues = std::make_shared<const DeviceQueues>(device.api(), 0);
      const auto engine = make_device_engine(program, queues);
      for (int round = 0; round < 2; ++round)
        for (const model::Task& task : program.tasks)
          if (computes(task))
            engine->run(task);
      while (!queues->is_idle(model::Stream::compute))
        std::this_thread::yield();
    }
    return device.complaints();
  }
};

class DeviceEngineFormats : public DeviceEngine, public ::testing::WithParamInterface<Precision> {};

TEST_P(DeviceEngineFormats, StayInsideTheirMemory) {
  for (const bool fused : {true, false}) {
    test::DeviceDouble device;
    EXPECT_EQ(run(device, small_program(GetParam(), fused)), "");
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeviceEngineFormats,
                         ::testing::Values(Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16,
                                           Precision::fp8),
                         [](const auto& test) { return std::string(to_word(test.param)); });

TEST_F(DeviceEngine, RefusesFormatsThatItDoesNotCompute) {
  test::DeviceDouble device;
  const auto queues = std::make_shared<const DeviceQueues>(device.api(), 0);
  try {
    static_cast<void>(make_device_engine(small_program(Precision::nvfp4), queues));
    FAIL();
  } catch (const model::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "plan: /job/precision: the device engine does not compute nvfp4; allowed: fp32, tf32, fp16, bf16, "
                 "fp8\n");
  }
}

TEST_F(DeviceEngine, RefusesFormatsThatTheCardLacks) {
  test::DeviceDouble device({.major = 8, .minor = 0});
  const auto queues = std::make_shared<const DeviceQueues>(device.api(), 0);
  try {
    static_cast<void>(make_device_engine(small_program(Precision::fp8), queues));
    FAIL();
  } catch (const model::EnvironmentError& error) {
    EXPECT_STREQ(error.what(),
                 "Test card has compute capability 8.0; fp8 needs compute capability 8.9; plan with a precision that "
                 "the card has");
  }
}

TEST_F(DeviceEngine, SaysHowMuchMemoryIsMissing) {
  test::DeviceDouble device({.memory_bytes = 1000});
  const auto queues = std::make_shared<const DeviceQueues>(device.api(), 0);
  try {
    static_cast<void>(make_device_engine(small_program(Precision::bf16), queues));
    FAIL();
  } catch (const model::EnvironmentError& error) {
    EXPECT_NE(std::string(error.what()).find(" of memory of Test card, 1 kB are free"), std::string::npos)
        << error.what();
  }
}

TEST_F(DeviceEngine, NamesWhatIsDoneInAnotherWay) {
  EXPECT_EQ(device_modes(model::build_execution_graph(test::small_plan({.dp = 2}, 1))),
            std::vector<std::string>{"bf16 collectives move as many bytes, summed in fp32"});
}

// Pages of memory are counted once: two runs of one task use places one after another.
TEST_F(DeviceEngine, ProductsOfGivenNumbersAreRight) {
  test::DeviceDouble device;
  const Stream stream(device.api());
  const DeviceBuffer memory(device.api(), 1024);
  // [1 2; 3 4] [5 6; 7 8]^T = [17 23; 39 53], right stored transposed
  const std::vector<float> numbers{1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<float> result(4);
  GemmCall call;
  call.m = call.n = call.k = 2;
  call.right_transposed = true;
  call.left_row = call.right_row = call.result_row = 2;
  call.left = memory.data();
  call.right = memory.data() + 16;
  call.result = memory.data() + 512;
  ASSERT_TRUE(device.api().cuda->copy_to_device(memory.data(), numbers.data(), 32, stream.get()).ok());
  ASSERT_TRUE(device.api().math->gemm(call, stream.get()).ok());
  ASSERT_TRUE(device.api().cuda->copy_to_host(result.data(), memory.data() + 512, 16, stream.get()).ok());
  while (!device.api().cuda->query_stream(stream.get()).ok())
    std::this_thread::yield();
  EXPECT_EQ(result, (std::vector<float>{17, 23, 39, 53}));
}

}  // namespace
}  // namespace trainwright::executor
