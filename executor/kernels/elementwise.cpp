// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/elementwise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "executor/kernels/vector_clones.hpp"
#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

// Partial sums: enough independent ones to fill a vector unit without asking the compiler to reorder additions.
constexpr std::int64_t kLanes = 32;
using Lanes = std::array<float, kLanes>;

inline float sum_of(const Lanes& lanes) {
  float sum = 0.0F;
  for (const float lane : lanes)
    sum += lane;
  return sum;
}

// e^x = 2^n e^r with n whole and |r| <= ln(2) / 2; Taylor series of e^r to the 6th power.
inline float exponential_inline(float x) {
  constexpr float kLowest = -87.0F;
  constexpr float kHighest = 88.0F;
  constexpr float kLog2E = 1.44269504F;
  constexpr float kLn2High = 0.693359375F;  // 9 bits, so that n times it is exact
  constexpr float kLn2Low = -2.12194440e-4F;
  constexpr float kRounder = 12582912.0F;  // 1.5 * 2^23: adding it rounds to a whole number
  const float clamped = x < kLowest ? kLowest : (x > kHighest ? kHighest : x);
  const float n = (clamped * kLog2E + kRounder) - kRounder;
  const float r = (clamped - n * kLn2High) - n * kLn2Low;
  float series = 1.0F / 720.0F;
  series = series * r + 1.0F / 120.0F;
  series = series * r + 1.0F / 24.0F;
  series = series * r + 1.0F / 6.0F;
  series = series * r + 0.5F;
  series = series * r + 1.0F;
  series = series * r + 1.0F;
  const float power = std::bit_cast<float>((static_cast<std::int32_t>(n) + 127) << 23);
  return x < kLowest ? 0.0F : series * power;
}

inline float tanh_inline(float x) {
  return 1.0F - 2.0F / (exponential_inline(2.0F * x) + 1.0F);
}

constexpr float kGeluScale = 0.797884561F;  // sqrt(2 / pi)
constexpr float kGeluCubic = 0.044715F;

}  // namespace

float exponential(float x) {
  return exponential_inline(x);
}

TRAINWRIGHT_VECTOR_CLONES
float exponentials(const float* x, float shift, std::int64_t count, float* y) {
  Lanes lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const float value = exponential_inline(x[i + lane] - shift);
      y[i + lane] = value;
      lanes[static_cast<std::size_t>(lane)] += value;
    }
  }
  float sum = sum_of(lanes);
  for (; i < count; ++i) {
    y[i] = exponential_inline(x[i] - shift);
    sum += y[i];
  }
  return sum;
}

TRAINWRIGHT_VECTOR_CLONES
float largest(const float* x, std::int64_t count) {
  TRAINWRIGHT_EXPECTS(count >= 1, std::to_string(count));
  Lanes lanes;
  lanes.fill(x[0]);
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      float& best = lanes[static_cast<std::size_t>(lane)];
      best = x[i + lane] > best ? x[i + lane] : best;
    }
  }
  float best = *std::max_element(lanes.begin(), lanes.end());
  for (; i < count; ++i)
    best = std::max(best, x[i]);
  return best;
}

TRAINWRIGHT_VECTOR_CLONES
void scale_by(float* x, float factor, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    x[i] *= factor;
}

TRAINWRIGHT_VECTOR_CLONES
float dot(const float* a, const float* b, std::int64_t count) {
  Lanes lanes{};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::int64_t lane = 0; lane < kLanes; ++lane)
      lanes[static_cast<std::size_t>(lane)] += a[i + lane] * b[i + lane];
  float sum = sum_of(lanes);
  for (; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

TRAINWRIGHT_VECTOR_CLONES
void softmax_backward(const float* p, const float* dp, float row_dot, std::int64_t count, float* ds) {
  for (std::int64_t i = 0; i < count; ++i)
    ds[i] = p[i] * (dp[i] - row_dot);
}

TRAINWRIGHT_VECTOR_CLONES
void layer_norm_forward(const float* x, const float* gain, const float* bias, std::int64_t rows, std::int64_t width,
                        float* y, float* row_mean, float* row_inverse_deviation) {
  constexpr float kEpsilon = 1e-5F;
  const float inverse_width = 1.0F / static_cast<float>(width);
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* in = x + row * width;
    float* out = y + row * width;
    Lanes sums{};
    for (std::int64_t i = 0; i < width; ++i)
      sums[static_cast<std::size_t>(i % kLanes)] += in[i];
    const float mean = sum_of(sums) * inverse_width;
    Lanes squares{};
    for (std::int64_t i = 0; i < width; ++i)
      squares[static_cast<std::size_t>(i % kLanes)] += (in[i] - mean) * (in[i] - mean);
    const float inverse_deviation = 1.0F / std::sqrt(sum_of(squares) * inverse_width + kEpsilon);
    for (std::int64_t i = 0; i < width; ++i)
      out[i] = (in[i] - mean) * inverse_deviation * gain[i] + bias[i];
    row_mean[row] = mean;
    row_inverse_deviation[row] = inverse_deviation;
  }
}

TRAINWRIGHT_VECTOR_CLONES
void layer_norm_backward(const float* x, const float* gain, const float* row_mean, const float* row_inverse_deviation,
                         const float* dy, std::int64_t rows, std::int64_t width, float* dx, float* dgain,
                         float* dbias) {
  const float inverse_width = 1.0F / static_cast<float>(width);
  for (std::int64_t row = 0; row < rows; ++row) {
    const float* in = x + row * width;
    const float* grad = dy + row * width;
    float* out = dx + row * width;
    const float mean = row_mean[row];
    const float inverse_deviation = row_inverse_deviation[row];
    Lanes sums{};
    Lanes products{};
    for (std::int64_t i = 0; i < width; ++i) {
      const float normalized = (in[i] - mean) * inverse_deviation;
      const float inner = grad[i] * gain[i];
      sums[static_cast<std::size_t>(i % kLanes)] += inner;
      products[static_cast<std::size_t>(i % kLanes)] += inner * normalized;
      dgain[i] += grad[i] * normalized;
      dbias[i] += grad[i];
    }
    const float mean_inner = sum_of(sums) * inverse_width;
    const float mean_product = sum_of(products) * inverse_width;
    for (std::int64_t i = 0; i < width; ++i) {
      const float normalized = (in[i] - mean) * inverse_deviation;
      out[i] = inverse_deviation * (grad[i] * gain[i] - mean_inner - normalized * mean_product);
    }
  }
}

TRAINWRIGHT_VECTOR_CLONES
void gelu_forward(const float* x, std::int64_t count, float* y) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float v = x[i];
    y[i] = 0.5F * v * (1.0F + tanh_inline(kGeluScale * (v + kGeluCubic * v * v * v)));
  }
}

TRAINWRIGHT_VECTOR_CLONES
void gelu_backward(const float* x, const float* dy, std::int64_t count, float* dx) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float v = x[i];
    const float t = tanh_inline(kGeluScale * (v + kGeluCubic * v * v * v));
    const float inner_slope = kGeluScale * (1.0F + 3.0F * kGeluCubic * v * v);
    dx[i] = dy[i] * (0.5F * (1.0F + t) + 0.5F * v * (1.0F - t * t) * inner_slope);
  }
}

TRAINWRIGHT_VECTOR_CLONES
void adam(const AdamSettings& settings, std::int64_t step, const float* gradient, std::int64_t count, float* weight,
          float* first_moment, float* second_moment) {
  TRAINWRIGHT_EXPECTS(step >= 1, std::to_string(step));
  const auto power = static_cast<double>(step);
  const auto first_correction = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(settings.beta1), power)));
  const auto second_correction = static_cast<float>(1.0 / (1.0 - std::pow(static_cast<double>(settings.beta2), power)));
  const float beta1 = settings.beta1;
  const float beta2 = settings.beta2;
  const float keep = 1.0F - settings.learning_rate * settings.weight_decay;
  const float rate = settings.learning_rate * first_correction;
  const float epsilon = settings.epsilon;
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = gradient[i];
    const float m = beta1 * first_moment[i] + (1.0F - beta1) * g;
    const float v = beta2 * second_moment[i] + (1.0F - beta2) * g * g;
    first_moment[i] = m;
    second_moment[i] = v;
    weight[i] = keep * weight[i] - rate * m / (std::sqrt(v * second_correction) + epsilon);
  }
}

TRAINWRIGHT_VECTOR_CLONES
void sgd(float rate, const float* gradient, std::int64_t count, float* weight) {
  for (std::int64_t i = 0; i < count; ++i)
    weight[i] -= rate * gradient[i];
}

TRAINWRIGHT_VECTOR_CLONES
void sgd_momentum(float rate, float factor, const float* gradient, std::int64_t count, float* weight, float* momentum) {
  for (std::int64_t i = 0; i < count; ++i) {
    momentum[i] = factor * momentum[i] + gradient[i];
    weight[i] -= rate * momentum[i];
  }
}

TRAINWRIGHT_VECTOR_CLONES
void stream(const float* in, std::int64_t reads, float* out, std::int64_t writes) {
  constexpr std::int64_t kTile = 2048;  // 8 KiB: stays in the first-level cache, so it adds no memory traffic
  alignas(64) std::array<float, kTile> tile{};
  const std::int64_t parts = (std::max(reads, writes) + kTile - 1) / kTile;
  for (std::int64_t part = 0; part < parts; ++part) {
    // Equal shares, largest at most kTile; the quotient is split so that the product cannot overflow.
    const auto boundary = [parts](std::int64_t total, std::int64_t index) {
      return total / parts * index + total % parts * index / parts;
    };
    const float* source = in + boundary(reads, part);
    const std::int64_t source_count = boundary(reads, part + 1) - boundary(reads, part);
    for (std::int64_t i = 0; i < source_count; ++i)
      tile[static_cast<std::size_t>(i)] = 0.5F * tile[static_cast<std::size_t>(i)] + source[i];
    float* target = out + boundary(writes, part);
    const std::int64_t target_count = boundary(writes, part + 1) - boundary(writes, part);
    for (std::int64_t i = 0; i < target_count; ++i) {
      const float value = 0.5F * tile[static_cast<std::size_t>(i)] + 0.25F;
      target[i] = value > -1.0F ? (value < 1.0F ? value : 1.0F) : -1.0F;
    }
    // Without writes nobody uses the tile; the reads must happen all the same.
    asm volatile("" : : "r"(tile.data()) : "memory");
  }
}

}  // namespace trainwright::executor
