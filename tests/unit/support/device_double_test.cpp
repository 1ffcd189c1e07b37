// The double finds what it is there to find: a check that never fails proves nothing.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/device_double.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <thread>

#include "executor/cuda/device_error.hpp"
#include "executor/cuda/owners.hpp"
#include "tests/support/device_double/narrow_floats.hpp"

namespace trainwright::test {
namespace {

using namespace trainwright::executor;

class Double : public ::testing::Test {
 protected:
  void SetUp() override { current_device() = 0; }

  [[nodiscard]] std::string text_of(ApiResult result) const {
    return result.ok() ? "ok" : executor::text_of(device.api(), result);
  }
  void wait_for(const Stream& stream) const {
    while (!device.api().cuda->query_stream(stream.get()).ok())
      std::this_thread::yield();
  }
  [[nodiscard]] ApiResult clear(const DeviceBuffer& buffer, std::size_t bytes, const Stream& stream) const {
    return device.api().cuda->set_bytes(buffer.data(), 0, bytes, stream.get());
  }

  DeviceDouble device{{.devices = 2, .memory_bytes = 10'000}};
};

TEST_F(Double, KeepsCallsInsideAllocations) {
  const Stream stream(device.api());
  const DeviceBuffer buffer(device.api(), 100);
  EXPECT_EQ(text_of(clear(buffer, 100, stream)), "ok");
  EXPECT_EQ(text_of(clear(buffer, 101, stream)),
            "cudaMemsetAsync: a range of 101 bytes begins 0 bytes into an allocation of 100 (code 999)");
}

TEST_F(Double, HasAsMuchMemoryAsItSays) {
  const DeviceBuffer buffer(device.api(), 9'000);
  try {
    const DeviceBuffer more(device.api(), 2'000);
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_STREQ(error.what(), "cudaMalloc: out of memory (code 2)");
    EXPECT_EQ(error.code(), 2);
  }
}

TEST_F(Double, FindsWritesBesideAnAllocation) {
  void* memory = nullptr;
  ASSERT_TRUE(device.api().cuda->allocate(memory, 100).ok());
  static_cast<std::byte*>(memory)[100] = std::byte{1};
  EXPECT_EQ(text_of(device.api().cuda->release(memory)),
            "cudaFree: memory around an allocation was written to (code 999)");
}

TEST_F(Double, FindsUnorderedUseOfMemory) {
  const Stream one(device.api());
  const Stream other(device.api());
  const DeviceBuffer buffer(device.api(), 100);
  ASSERT_TRUE(clear(buffer, 50, one).ok());
  EXPECT_EQ(text_of(clear(buffer, 100, other)),
            "cudaMemsetAsync uses memory that cudaMemsetAsync of another stream may still be using (code 999)");
}

TEST_F(Double, EventsOrderStreams) {
  const Stream one(device.api());
  const Stream other(device.api());
  const Event event(device.api());
  const DeviceBuffer buffer(device.api(), 100);
  ASSERT_TRUE(clear(buffer, 100, one).ok());
  ASSERT_TRUE(device.api().cuda->record(event.get(), one.get()).ok());
  ASSERT_TRUE(device.api().cuda->wait(other.get(), event.get()).ok());
  EXPECT_EQ(text_of(clear(buffer, 100, other)), "ok");
  EXPECT_NE(text_of(clear(buffer, 100, one)), "ok");  // nothing orders it after the other
}

TEST_F(Double, AHostThatWaitedOrdersStreams) {
  const Stream one(device.api());
  const Stream other(device.api());
  const DeviceBuffer buffer(device.api(), 100);
  ASSERT_TRUE(clear(buffer, 100, one).ok());
  wait_for(one);
  EXPECT_EQ(text_of(clear(buffer, 100, other)), "ok");
}

TEST_F(Double, WantsTheDeviceOfTheStreamToBeCurrent) {
  current_device() = 1;
  const Stream stream(device.api());
  const DeviceBuffer buffer(device.api(), 100);
  current_device() = 0;
  EXPECT_EQ(text_of(clear(buffer, 100, stream)),
            "cudaMemsetAsync: the stream is of device 1, the thread's device is 0 (code 999)");
}

TEST_F(Double, FindsAGroupThatWasNotStarted) {
  EXPECT_EQ(text_of(device.api().nccl->group_end()), "ncclGroupEnd: no group was started (code 999)");
}

TEST_F(Double, FindsCallsWhileInProgressAndAfterTheEnd) {
  NcclUniqueId id{};
  ASSERT_TRUE(device.api().nccl->unique_id(id).ok());
  ApiCommunicator* communicator = nullptr;
  ASSERT_EQ(device.api().nccl->init_rank(communicator, 2, id, 0).code, kNcclInProgress);
  const Stream stream(device.api());
  const DeviceBuffer buffer(device.api(), 4);
  auto* const data = reinterpret_cast<float*>(buffer.data());
  EXPECT_EQ(text_of(device.api().nccl->all_reduce(data, 1, communicator, stream.get())),
            "ncclAllReduce: an earlier call is still in progress (code 999)");
  ASSERT_TRUE(device.api().nccl->abort(communicator).ok());
  EXPECT_EQ(text_of(device.api().nccl->all_reduce(data, 1, communicator, stream.get())),
            "ncclAllReduce: not a communicator, or destroyed before (code 999)");
}

TEST_F(Double, ComplainsAboutWhatWasNotGivenBack) {
  const Stream stream(device.api());
  const DeviceBuffer buffer(device.api(), 100);
  EXPECT_EQ(device.complaints(), "100 bytes of memory were not given back\n1 streams were not given back\n");
}

TEST_F(Double, FailsTheCallThatItIsToldTo) {
  device.state().faults.add(fault_from_text("cudaMalloc:2:fail:2"));
  const DeviceBuffer first(device.api(), 100);
  EXPECT_THROW(DeviceBuffer(device.api(), 100), DeviceError);
  const DeviceBuffer third(device.api(), 100);
  EXPECT_THROW(static_cast<void>(fault_from_text("cudaMalloc:2:explode")), std::invalid_argument);
}

// Bits by IEEE 754 and by the definition of bfloat16 (the upper half of fp32).
TEST(NarrowFloats, AreTheFormatsOfTheCards) {
  EXPECT_EQ(Half::from(1.0F).bits, 0x3C00);
  EXPECT_EQ(Half::from(-2.5F).bits, 0xC100);
  EXPECT_EQ(Half::from(65504.0F).bits, 0x7BFF);
  EXPECT_EQ(Half::from(1e6F).bits, 0x7C00);
  EXPECT_EQ(Half::from(5.9604645e-8F).bits, 0x0001);  // the smallest subnormal number
  EXPECT_EQ(Bfloat::from(1.0F).bits, 0x3F80);
  EXPECT_EQ(Bfloat::from(std::numbers::pi_v<float>).bits, 0x4049);
  EXPECT_EQ(Fp8::from(1.0F).bits, 0x38);
  EXPECT_EQ(Fp8::from(0.0F).bits, 0x00);
  for (unsigned bits = 0; bits < 0x7C00; ++bits)
    ASSERT_EQ(Half::from(Half{static_cast<std::uint16_t>(bits)}.value()).bits, bits);
}

}  // namespace
}  // namespace trainwright::test
