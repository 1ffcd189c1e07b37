// Small kernels of a training step besides matrix products: softmax, layer norm, GELU, Adam, and a stream of given
// traffic. Each is a plain function over float arrays, one thread, no allocation. All sizes may be zero unless said
// otherwise.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::executor {

/// e^x for x <= 88, relative error below 3e-7; 0 below -87 (where the result would be denormal), also for -infinity.
[[nodiscard]] float exponential(float x);

/// y[i] = e^(x[i] - shift) and returns the sum of y. In place is allowed.
float exponentials(const float* x, float shift, std::int64_t count, float* y);

/// The largest of x; count must be at least 1.
[[nodiscard]] float largest(const float* x, std::int64_t count);

void scale_by(float* x, float factor, std::int64_t count);

[[nodiscard]] float dot(const float* a, const float* b, std::int64_t count);

/// ds[i] = p[i] (dp[i] - row_dot), the derivative of softmax. ds may be dp.
void softmax_backward(const float* p, const float* dp, float row_dot, std::int64_t count, float* ds);

/// Rows of `width` >= 1: y = (x - mean) / sqrt(variance + 1e-5) gain + bias, with the biased variance. mean and inverse
/// deviation of each row are kept for the backward pass.
void layer_norm_forward(const float* x, const float* gain, const float* bias, std::int64_t rows, std::int64_t width,
                        float* y, float* row_mean, float* row_inverse_deviation);

/// dx is written; dgain and dbias are added to.
void layer_norm_backward(const float* x, const float* gain, const float* row_mean, const float* row_inverse_deviation,
                         const float* dy, std::int64_t rows, std::int64_t width, float* dx, float* dgain, float* dbias);

/// GELU with the tanh approximation (Hendrycks and Gimpel, arXiv 1606.08415, section 2).
void gelu_forward(const float* x, std::int64_t count, float* y);
void gelu_backward(const float* x, const float* dy, std::int64_t count, float* dx);

struct AdamSettings {
  float learning_rate = 1e-3F;
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
  float weight_decay = 0.0F;  ///< decoupled (AdamW)
};

/// Step `step` (from 1) of Adam (Kingma and Ba, arXiv 1412.6980, algorithm 1) in one pass: reads weight, gradient and
/// both moments, writes weight and moments: 28 bytes of traffic for each parameter.
void adam(const AdamSettings& settings, std::int64_t step, const float* gradient, std::int64_t count, float* weight,
          float* first_moment, float* second_moment);

/// weight -= rate * gradient: 12 bytes of traffic for each parameter.
void sgd(float rate, const float* gradient, std::int64_t count, float* weight);

/// momentum = factor momentum + gradient, weight -= rate momentum: 20 bytes of traffic for each parameter.
void sgd_momentum(float rate, float factor, const float* gradient, std::int64_t count, float* weight, float* momentum);

/// Reads `reads` and writes `writes` floats, interleaved as an element-wise operator would, with next to no arithmetic.
/// What is written lies in [-1, 1] whatever was read, NaN included.
void stream(const float* in, std::int64_t reads, float* out, std::int64_t writes);

}  // namespace trainwright::executor
