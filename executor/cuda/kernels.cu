// Our own kernels: how elements and rows are shared out over threads. What is computed is in kernel_bodies.hpp.
// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/kernels.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include "executor/cuda/kernel_bodies.hpp"

namespace trainwright::executor::body {

template <>
__host__ __device__ inline __half from_float<__half>(float value) {
  return __float2half(value);
}
template <>
__host__ __device__ inline __nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16(value);
}
template <>
__host__ __device__ inline __nv_fp8_e4m3 from_float<__nv_fp8_e4m3>(float value) {
  return __nv_fp8_e4m3(value);
}

}  // namespace trainwright::executor::body

// Found by the element's type.
__host__ __device__ inline float to_float(__half value) {
  return __half2float(value);
}
__host__ __device__ inline float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
__host__ __device__ inline float to_float(__nv_fp8_e4m3 value) {
  return static_cast<float>(value);
}

namespace trainwright::executor {
namespace {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
// Enough blocks to fill any card of today several times over; threads walk on from there.
constexpr std::int64_t kMaxBlocks = 4096;

struct WarpLanes {
  __device__ static std::int64_t index() { return threadIdx.x % kWarp; }
  __device__ static std::int64_t count() { return kWarp; }
  __device__ static float max(float value) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2)
      value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFU, value, offset));
    return value;
  }
  __device__ static float sum(float value) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2)
      value += __shfl_xor_sync(0xFFFFFFFFU, value, offset);
    return value;
  }
};

__device__ std::int64_t first_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::int64_t index_step() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

template <class T>
__global__ void fill_kernel(FillCall call) {
  for (std::int64_t i = first_index(); i < call.count; i += index_step())
    static_cast<T*>(call.data)[i] = body::from_float<T>(body::pattern_at(i, call.positive));
}

// Whole uint4 where the memory is aligned for them, which it is but for the parts of a split operator.
struct Span {
  const uint4* wide = nullptr;
  std::int64_t wide_count = 0;
  const std::uint32_t* words = nullptr;  ///< all of them
  std::int64_t count = 0;
};

__device__ Span span_of(const void* data, std::int64_t count) {
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(uint4) == 0;
  return {static_cast<const uint4*>(data), is_aligned ? count / 4 : 0, static_cast<const std::uint32_t*>(data), count};
}

__device__ std::uint32_t mixed(uint4 value) {
  return value.x ^ value.y ^ value.z ^ value.w;
}

// Reads what has no written counterpart; the outcome must be used, or the reads would be left out.
__device__ std::uint32_t read_span(const Span& span, std::int64_t wide_begin) {
  std::uint32_t all = 0;
  for (std::int64_t i = wide_begin + first_index(); i < span.wide_count; i += index_step())
    all ^= mixed(span.wide[i]);
  for (std::int64_t i = 4 * span.wide_count + first_index(); i < span.count; i += index_step())
    all ^= span.words[i];
  return all;
}

__global__ void traffic_kernel(TrafficCall call) {
  const Span in = span_of(call.in, call.reads);
  const Span kept = span_of(call.kept, call.kept_reads);
  const Span out = span_of(call.out, call.writes);
  auto* const wide_out = static_cast<uint4*>(call.out);
  auto* const words_out = static_cast<std::uint32_t*>(call.out);
  for (std::int64_t i = first_index(); i < out.wide_count; i += index_step()) {
    uint4 value = {body::kWrittenWord, body::kWrittenWord, body::kWrittenWord, body::kWrittenWord};
    if (i < in.wide_count) {
      const uint4 read = in.wide[i];
      value = {body::bounded_word(read.x), body::bounded_word(read.y), body::bounded_word(read.z),
               body::bounded_word(read.w)};
    }
    wide_out[i] = value;
  }
  for (std::int64_t i = 4 * out.wide_count + first_index(); i < out.count; i += index_step())
    words_out[i] = body::kWrittenWord;
  const std::uint32_t rest =
      read_span(in, out.wide_count < in.wide_count ? out.wide_count : in.wide_count) ^ read_span(kept, 0);
  if (rest == 0x9E3779B9U)  // as good as never, which the compiler does not know
    *static_cast<std::uint32_t*>(call.sink) = rest;
}

template <class T>
__global__ void softmax_kernel(SoftmaxCall call) {
  const std::int64_t rows = call.heads * call.queries;
  for (std::int64_t row = first_index() / kWarp; row < rows; row += index_step() / kWarp)
    body::softmax_row<WarpLanes, T>(call, row);
}

__global__ void optimizer_kernel(OptimizerCall call) {
  for (std::int64_t i = first_index(); i < call.count; i += index_step())
    body::update_parameter(call, i);
}

__device__ unsigned long long nanoseconds_now() {
  unsigned long long now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void wait_kernel(unsigned long long nanoseconds) {
  const unsigned long long begin = nanoseconds_now();
  while (nanoseconds_now() - begin < nanoseconds) {
  }
}

unsigned blocks_for(std::int64_t threads) {
  const std::int64_t blocks = (threads + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < 1 ? 1 : (blocks > kMaxBlocks ? kMaxBlocks : blocks));
}

cudaStream_t cuda(ApiStream* stream) {
  return reinterpret_cast<cudaStream_t>(stream);
}

}  // namespace

int launch_fill(const FillCall& call, ApiStream* stream) {
  const unsigned blocks = blocks_for(call.count);
  switch (call.type) {
    case ElementType::fp32:
    case ElementType::tf32:
      fill_kernel<float><<<blocks, kThreads, 0, cuda(stream)>>>(call);
      break;
    case ElementType::fp16:
      fill_kernel<__half><<<blocks, kThreads, 0, cuda(stream)>>>(call);
      break;
    case ElementType::bf16:
      fill_kernel<__nv_bfloat16><<<blocks, kThreads, 0, cuda(stream)>>>(call);
      break;
    case ElementType::fp8:
      fill_kernel<__nv_fp8_e4m3><<<blocks, kThreads, 0, cuda(stream)>>>(call);
      break;
  }
  return cudaGetLastError();
}

int launch_traffic(const TrafficCall& call, ApiStream* stream) {
  const std::int64_t most = call.reads > call.writes ? call.reads : call.writes;
  const std::int64_t words = most > call.kept_reads ? most : call.kept_reads;
  traffic_kernel<<<blocks_for((words + 3) / 4), kThreads, 0, cuda(stream)>>>(call);
  return cudaGetLastError();
}

int launch_softmax(const SoftmaxCall& call, ApiStream* stream) {
  const unsigned blocks = blocks_for(call.heads * call.queries * kWarp);
  switch (call.type) {
    case ElementType::fp32:
    case ElementType::tf32:
      softmax_kernel<float><<<blocks, kThreads, 0, cuda(stream)>>>(call);
      break;
    case ElementType::fp16:
      softmax_kernel<__half><<<blocks, kThreads, 0, cuda(stream)>>>(call);
      break;
    case ElementType::bf16:
      softmax_kernel<__nv_bfloat16><<<blocks, kThreads, 0, cuda(stream)>>>(call);
      break;
    case ElementType::fp8:
      return cudaErrorInvalidValue;
  }
  return cudaGetLastError();
}

int launch_optimizer(const OptimizerCall& call, ApiStream* stream) {
  optimizer_kernel<<<blocks_for(call.count), kThreads, 0, cuda(stream)>>>(call);
  return cudaGetLastError();
}

int launch_wait(std::int64_t nanoseconds, ApiStream* stream) {
  wait_kernel<<<1, 1, 0, cuda(stream)>>>(static_cast<unsigned long long>(nanoseconds));
  return cudaGetLastError();
}

}  // namespace trainwright::executor
