// What our own kernels compute, one element or one row at a time, as plain functions: compiled for the device by
// kernels.cu, where a thread calls one of them, and for the host by the tests, where a loop does. So the arithmetic
// that runs on a GPU is tested where there is none. Types of elements provide to_float(T) and from_float<T>(float).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "executor/cuda/kernel_arguments.hpp"

#if defined(__CUDACC__)
#define TRAINWRIGHT_ON_DEVICE __host__ __device__
#else
#define TRAINWRIGHT_ON_DEVICE
#endif

namespace trainwright::executor::body {

TRAINWRIGHT_ON_DEVICE inline float to_float(float value) {
  return value;
}
template <class T>
TRAINWRIGHT_ON_DEVICE T from_float(float value);
template <>
TRAINWRIGHT_ON_DEVICE inline float from_float<float>(float value) {
  return value;
}

/// Element `i` of new operands: in [-1, 1], never 0, and not the same for neighbours or at powers of two.
TRAINWRIGHT_ON_DEVICE inline float pattern_at(std::int64_t i, bool positive) {
  const auto mixed = static_cast<std::uint32_t>(i * 37 + (i >> 10) * 11 + (i >> 20) * 5);
  const float value = (static_cast<float>(mixed & 255U) - 127.5F) / 128.0F;
  return positive && value < 0.0F ? -value : value;
}

/// What element-wise traffic writes for a word it has read: fp32, bf16, fp16 and fp8 in it all come out below 2 in
/// magnitude, whatever they were, since the highest bit of each exponent is cleared.
TRAINWRIGHT_ON_DEVICE inline std::uint32_t bounded_word(std::uint32_t word) {
  return word & 0xBFBFBFBFU;
}
/// What it writes where nothing was read: 0.5 as fp32 and as bf16.
inline constexpr std::uint32_t kWrittenWord = 0x3F003F00U;

/// Keys that query `row` sees.
TRAINWRIGHT_ON_DEVICE inline std::int64_t visible_keys(bool causal, std::int64_t row, std::int64_t seq_q,
                                                       std::int64_t seq_kv) {
  const std::int64_t visible = causal ? row + seq_kv - seq_q + 1 : seq_kv;
  return visible < 0 ? 0 : (visible > seq_kv ? seq_kv : visible);
}

/// Those that work on one row together: on the host one, on the device a warp. max and sum give all the joint result.
struct OneLane {
  TRAINWRIGHT_ON_DEVICE static std::int64_t index() { return 0; }
  TRAINWRIGHT_ON_DEVICE static std::int64_t count() { return 1; }
  TRAINWRIGHT_ON_DEVICE static float max(float value) { return value; }
  TRAINWRIGHT_ON_DEVICE static float sum(float value) { return value; }
};

/// One row of scores becomes probabilities; subtracting the largest keeps the exponentials finite.
template <class Lanes, class T>
TRAINWRIGHT_ON_DEVICE void softmax_row(T* row, std::int64_t visible, std::int64_t width) {
  float largest = -INFINITY;
  for (std::int64_t i = Lanes::index(); i < visible; i += Lanes::count())
    largest = fmaxf(largest, to_float(row[i]));
  largest = Lanes::max(largest);
  float sum = 0.0F;
  for (std::int64_t i = Lanes::index(); i < visible; i += Lanes::count())
    sum += expf(to_float(row[i]) - largest);
  sum = Lanes::sum(sum);
  for (std::int64_t i = Lanes::index(); i < width; i += Lanes::count())
    row[i] = from_float<T>(i < visible ? expf(to_float(row[i]) - largest) / sum : 0.0F);
}

/// Gradients of one row of probabilities become those of the scores: ds = p (dp - sum p dp).
template <class Lanes, class T>
TRAINWRIGHT_ON_DEVICE void softmax_backward_row(const T* probabilities, T* row, std::int64_t width) {
  float dot = 0.0F;
  for (std::int64_t i = Lanes::index(); i < width; i += Lanes::count())
    dot += to_float(probabilities[i]) * to_float(row[i]);
  dot = Lanes::sum(dot);
  for (std::int64_t i = Lanes::index(); i < width; i += Lanes::count())
    row[i] = from_float<T>(to_float(probabilities[i]) * (to_float(row[i]) - dot));
}

/// Row `r` of the call, over all heads.
template <class Lanes, class T>
TRAINWRIGHT_ON_DEVICE void softmax_row(const SoftmaxCall& call, std::int64_t r) {
  T* row = static_cast<T*>(call.data) + r * call.width;
  if (call.backward) {
    softmax_backward_row<Lanes>(static_cast<const T*>(call.probabilities) + r * call.width, row, call.width);
    return;
  }
  const std::int64_t query = call.first_query + r % call.queries;
  const std::int64_t visible = visible_keys(call.causal, query, call.seq_q, call.seq_kv);
  softmax_row<Lanes>(row, visible < call.width ? visible : call.width, call.width);
}

/// One parameter. Adam: Kingma and Ba, arXiv 1412.6980, algorithm 1.
TRAINWRIGHT_ON_DEVICE inline void update_parameter(const OptimizerCall& call, std::int64_t i) {
  const float gradient = call.gradient[i];
  switch (call.rule) {
    case UpdateRule::sgd:
      call.weight[i] -= call.rate * gradient;
      return;
    case UpdateRule::momentum: {
      const float momentum = call.first_decay * call.first_moment[i] + gradient;
      call.first_moment[i] = momentum;
      call.weight[i] -= call.rate * momentum;
      return;
    }
    case UpdateRule::adam: {
      const float first = call.first_decay * call.first_moment[i] + (1.0F - call.first_decay) * gradient;
      const float second = call.second_decay * call.second_moment[i] + (1.0F - call.second_decay) * gradient * gradient;
      call.first_moment[i] = first;
      call.second_moment[i] = second;
      call.weight[i] -=
          call.rate * first * call.first_correction / (sqrtf(second * call.second_correction) + call.epsilon);
      return;
    }
  }
}

}  // namespace trainwright::executor::body
