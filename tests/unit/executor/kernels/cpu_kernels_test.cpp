// Whole programs on the CPU kernels: refused precisions, memory, no allocation while running, values that stay finite.
// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/cpu_kernels.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <new>

#include "executor/kernels/operand_plan.hpp"
#include "model/base/error.hpp"

namespace {

std::atomic<int> g_allocations{0};

}  // namespace

// Our own pair of operators; g++ 12 sees their malloc and free apart once both are inlined.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t size) {
  ++g_allocations;
  if (void* memory = std::malloc(size))
    return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace trainwright::executor {
namespace {

using model::BackwardPart;
using model::ByteCount;
using model::Pass;
using model::Precision;

model::Task task(model::Work work, Pass pass = Pass::forward, BackwardPart part = BackwardPart::none) {
  model::Task result;
  result.work = work;
  result.phase.pass = pass;
  result.phase.part = part;
  return result;
}

model::GemmWork gemm_work(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1) {
  return {m, n, k, batch, Precision::fp32};
}

model::AttentionWork attention_work(bool backward, bool fused) {
  return {2, 80, 80, 4, 2, 8, 8, true, backward, fused, Precision::fp32};
}

/// One of each kind, in each direction.
model::Program program_of_everything() {
  model::Program program;
  program.tasks = {task(gemm_work(96, 64, 32)),
                   task(gemm_work(16, 24, 8, 3)),
                   task(attention_work(false, true)),
                   task(attention_work(false, false), Pass::recompute),
                   task(model::MemoryWork{ByteCount(40004), ByteCount(20000), 2}),
                   task(model::MemoryWork{ByteCount(40004), ByteCount(20000), 2}, Pass::backward),
                   task(attention_work(true, true), Pass::backward),
                   task(attention_work(true, false), Pass::backward),
                   task(gemm_work(96, 32, 64), Pass::backward, BackwardPart::input),
                   task(gemm_work(32, 64, 96), Pass::backward, BackwardPart::weight),
                   task(model::MemoryWork{ByteCount(4000), ByteCount(4000), 1}, Pass::optimizer),
                   task(model::OptimizerWork{5000, 28}, Pass::optimizer),
                   task(model::OptimizerWork{700, 36}, Pass::optimizer),
                   task(model::OptimizerWork{700, 20}, Pass::optimizer),
                   task(model::OptimizerWork{700, 12}, Pass::optimizer),
                   task(model::FixedWork{model::Seconds(1e-6)})};
  return program;
}

TEST(CpuKernels, RunsEveryKindAndKeepsValuesFinite) {
  const model::Program program = program_of_everything();
  CpuKernels kernels(program);
  for (int step = 0; step < 100; ++step)
    for (const model::Task& each : program.tasks)
      kernels.run(each);
  EXPECT_TRUE(kernels.all_finite());
}

TEST(CpuKernels, KeepsValuesFiniteWithoutTasksThatBoundThem) {
  for (const bool fused : {true, false}) {
    model::Program program;
    program.tasks = {task(attention_work(false, fused)), task(attention_work(true, fused), Pass::backward),
                     task(gemm_work(40, 64, 32), Pass::backward, BackwardPart::input), task(gemm_work(40, 64, 32))};
    CpuKernels kernels(program);
    for (int step = 0; step < 300; ++step)
      for (const model::Task& each : program.tasks)
        kernels.run(each);
    EXPECT_TRUE(kernels.all_finite()) << fused;
  }
}

TEST(CpuKernels, AllocatesNothingWhileRunning) {
  const model::Program program = program_of_everything();
  CpuKernels kernels(program);
  const int before = g_allocations;
  for (const model::Task& each : program.tasks)
    kernels.run(each);
  EXPECT_EQ(g_allocations - before, 0);
}

TEST(CpuKernels, RefusesEachOtherPrecisionOnce) {
  model::Program program;
  model::GemmWork bf16 = gemm_work(8, 8, 8);
  bf16.precision = Precision::bf16;
  model::AttentionWork fp16 = attention_work(false, true);
  fp16.precision = Precision::fp16;
  program.tasks = {task(bf16), task(bf16), task(fp16)};
  try {
    const CpuKernels kernels(program);
    FAIL() << "bf16 was accepted";
  } catch (const model::InputError& error) {
    EXPECT_EQ(error.diagnostics().list().size(), 2U);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("compute in fp32 only, the plan asks for bf16"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("fp16"));
  }
}

TEST(CpuKernels, RefusesWhatTheMachineCannotHold) {
  model::Program program;
  program.resident = {{model::MemoryTerm::weights, ByteCount(1L << 50)}};
  EXPECT_THROW(CpuKernels{program}, model::EnvironmentError);
}

TEST(CpuKernels, MemoryIsThatOfTheProgramsTensors) {
  // Forward x[4,8] w[8,16]: activations 32 + 64 floats with room to come round (32 + 2 * 64), weights 128.
  // Adam over 1000 parameters: weights, gradients and two moments of 1008 floats (whole cache lines).
  model::Program program;
  program.tasks = {task(gemm_work(4, 16, 8)), task(model::OptimizerWork{1000, 28}, Pass::optimizer)};
  EXPECT_EQ(CpuKernels::memory_needed(program), ByteCount(4 * (160 + 4 * 1008)));
  // Tensors that the program says it holds count in full: 40,000 bytes of activations at the peak.
  program.tasks[0].allocates = ByteCount(40000);
  EXPECT_EQ(CpuKernels::memory_needed(program), ByteCount(40000 + 4 * 4 * 1008));
}

TEST(CpuKernels, FixedWorkTakesItsTime) {
  model::Program program;
  program.tasks = {task(model::FixedWork{model::Seconds(2e-3)})};
  CpuKernels kernels(program);
  const auto begin = std::chrono::steady_clock::now();
  kernels.run(program.tasks[0]);
  EXPECT_GE(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 2e-3);
}

TEST(CpuKernels, CommunicationIsNotItsBusiness) {
  EXPECT_TRUE(CpuKernels::can_run(task(gemm_work(1, 1, 1))));
  EXPECT_FALSE(CpuKernels::can_run(task(model::CollectiveWork{})));
  EXPECT_FALSE(CpuKernels::can_run(task(model::TransferWork{})));
  EXPECT_FALSE(CpuKernels::can_run(task(model::HostIoWork{})));
  const model::Program program = program_of_everything();
  EXPECT_DEATH(CpuKernels(program).run(task(model::CollectiveWork{})), "can_run");
}

}  // namespace
}  // namespace trainwright::executor
