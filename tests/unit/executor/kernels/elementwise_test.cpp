// Element-wise kernels against values computed by hand or by the standard library in double.
// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/elementwise.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace trainwright::executor {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::FloatNear;
using ::testing::Pointwise;

// A length that is no multiple of any vector width, so that loops and their remainders both run.
constexpr std::int64_t kOdd = 77;

std::vector<float> ramp(std::int64_t count, float begin, float step) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = begin + step * static_cast<float>(i);
  return values;
}

TEST(Exponential, AgreesWithTheStandardLibrary) {
  for (float x = -86.9F; x <= 88.0F; x += 0.37F) {
    const double exact = std::exp(static_cast<double>(x));
    EXPECT_NEAR(static_cast<double>(exponential(x)) / exact, 1.0, 3e-7) << x;
  }
}

TEST(Exponential, IsZeroFarBelow) {
  EXPECT_EQ(exponential(-87.5F), 0.0F);
  EXPECT_EQ(exponential(-std::numeric_limits<float>::infinity()), 0.0F);
}

TEST(Exponentials, ShiftsAndSums) {
  const std::vector<float> x = ramp(kOdd, -3.0F, 0.05F);
  std::vector<float> y(x.size());
  const float sum = exponentials(x.data(), 0.8F, kOdd, y.data());
  double exact_sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(static_cast<double>(x[i]) - 0.8);
    EXPECT_NEAR(y[i], exact, 1e-6 * exact);
    exact_sum += exact;
  }
  EXPECT_NEAR(sum, exact_sum, 1e-5 * exact_sum);
}

TEST(Largest, FindsTheMaximumWhereverItIs) {
  for (std::size_t at : {std::size_t{0}, std::size_t{31}, std::size_t{40}, std::size_t{76}}) {
    std::vector<float> x(kOdd, -5.0F);
    x[at] = -1.0F;
    EXPECT_EQ(largest(x.data(), kOdd), -1.0F) << at;
  }
}

TEST(Dot, SumsProducts) {
  const std::vector<float> a = ramp(kOdd, 0.0F, 1.0F);
  const std::vector<float> twos(kOdd, 2.0F);
  EXPECT_EQ(dot(a.data(), twos.data(), kOdd), 2.0F * 76.0F * 77.0F / 2.0F);
}

TEST(ScaleBy, MultipliesEach) {
  std::array<float, 3> x{1, 2, 3};
  scale_by(x.data(), 2.0F, 3);
  EXPECT_THAT(x, ElementsAre(2, 4, 6));
}

TEST(SoftmaxBackward, FollowsItsDefinition) {
  const std::array<float, 2> p{0.25F, 0.75F};
  const std::array<float, 2> dp{4.0F, 8.0F};
  std::array<float, 2> ds{};
  softmax_backward(p.data(), dp.data(), 7.0F, 2, ds.data());  // 0.25 * 4 + 0.75 * 8 = 7
  EXPECT_THAT(ds, ElementsAre(-0.75F, 0.75F));
}

TEST(LayerNorm, NormalizesEachRow) {
  // Row 1: mean 2, variance 1; row 2: mean 0, variance 4. The epsilon of 1e-5 is below the tolerance.
  const std::array<float, 4> x{1, 3, -2, 2};
  const std::array<float, 2> gain{1, 10};
  const std::array<float, 2> bias{0, 5};
  std::array<float, 4> y{};
  std::array<float, 2> mean{};
  std::array<float, 2> inverse{};
  layer_norm_forward(x.data(), gain.data(), bias.data(), 2, 2, y.data(), mean.data(), inverse.data());
  EXPECT_THAT(y, Pointwise(FloatNear(1e-4F), {-1.0F, 15.0F, -1.0F, 15.0F}));
  EXPECT_THAT(mean, ElementsAre(2, 0));
  EXPECT_THAT(inverse, Pointwise(FloatNear(1e-4F), {1.0F, 0.5F}));
}

TEST(LayerNorm, BackwardAgreesWithDifferences) {
  constexpr std::int64_t kWidth = 5;
  const std::vector<float> x{0.3F, -1.2F, 2.0F, 0.7F, -0.4F};
  const std::vector<float> gain{1.1F, 0.9F, -0.5F, 2.0F, 1.0F};
  const std::vector<float> bias{0.1F, 0.2F, 0.3F, 0.4F, 0.5F};
  const std::vector<float> dy{0.5F, -1.0F, 0.25F, 2.0F, 1.5F};
  std::vector<float> y(kWidth);
  float mean = 0;
  float inverse = 0;
  const auto loss = [&](const std::vector<float>& input, const std::vector<float>& g) {
    layer_norm_forward(input.data(), g.data(), bias.data(), 1, kWidth, y.data(), &mean, &inverse);
    double sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i)
      sum += static_cast<double>(y[i]) * static_cast<double>(dy[i]);
    return sum;
  };
  static_cast<void>(loss(x, gain));
  std::vector<float> dx(kWidth);
  std::vector<float> dgain(kWidth, 1.0F);  // is added to
  std::vector<float> dbias(kWidth, 2.0F);
  layer_norm_backward(x.data(), gain.data(), &mean, &inverse, dy.data(), 1, kWidth, dx.data(), dgain.data(),
                      dbias.data());
  constexpr float kStep = 1e-2F;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<float> up = x;
    std::vector<float> down = x;
    up[i] += kStep;
    down[i] -= kStep;
    EXPECT_NEAR(dx[i], (loss(up, gain) - loss(down, gain)) / (2.0 * kStep), 2e-3) << i;
    std::vector<float> gain_up = gain;
    gain_up[i] += kStep;
    EXPECT_NEAR(dgain[i] - 1.0F, (loss(x, gain_up) - loss(x, gain)) / kStep, 2e-3) << i;
    EXPECT_FLOAT_EQ(dbias[i] - 2.0F, dy[i]);
  }
}

TEST(Gelu, HasKnownValues) {
  // 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))): 1 -> 0.841192, -1 -> -0.158808, large -> x or 0.
  const std::array<float, 5> x{0.0F, 1.0F, -1.0F, 50.0F, -50.0F};
  std::array<float, 5> y{};
  gelu_forward(x.data(), 5, y.data());
  EXPECT_THAT(y, Pointwise(FloatNear(2e-6F), {0.0F, 0.841192F, -0.158808F, 50.0F, 0.0F}));
}

TEST(Gelu, BackwardAgreesWithDifferences) {
  constexpr float kStep = 1e-2F;
  for (float x = -3.0F; x < 3.1F; x += 0.25F) {
    const std::array<float, 2> around{x - kStep, x + kStep};
    std::array<float, 2> y{};
    gelu_forward(around.data(), 2, y.data());
    const float dy = 3.0F;
    float dx = 0.0F;
    gelu_backward(&x, &dy, 1, &dx);
    EXPECT_NEAR(dx, dy * (y[1] - y[0]) / (2.0F * kStep), 2e-3) << x;
  }
}

TEST(Adam, FirstStepMovesByTheRate) {
  // Bias correction makes m / sqrt(v) the sign of the gradient in step 1.
  AdamSettings settings;
  settings.learning_rate = 0.5F;
  settings.epsilon = 0.0F;
  std::vector<float> weight(kOdd, 1.0F);
  std::vector<float> m(kOdd, 0.0F);
  std::vector<float> v(kOdd, 0.0F);
  std::vector<float> gradient = ramp(kOdd, -38.5F, 1.0F);  // never zero
  adam(settings, 1, gradient.data(), kOdd, weight.data(), m.data(), v.data());
  for (std::size_t i = 0; i < weight.size(); ++i) {
    EXPECT_NEAR(weight[i], gradient[i] < 0 ? 1.5F : 0.5F, 1e-5F);
    EXPECT_NEAR(m[i], 0.1F * gradient[i], 1e-5F);
    // 1 - 0.999F differs from 0.001 by 1.3e-5 of it.
    EXPECT_NEAR(v[i] / (gradient[i] * gradient[i]), 0.001F, 2e-8F);
  }
}

TEST(Adam, SecondStepFollowsTheRecurrence) {
  // m = 0.9 * 1 + 0.1 * 2 = 1.1, corrected by 1 / (1 - 0.81): 5.789474; v = 0.999 * 4 + 0.001 * 4 = 4, corrected by
  // 1 / (1 - 0.998001): 2001.000; step = 5.789474 / sqrt(2001) = 0.1294240; decay 0.1 * 0.1 * 3 = 0.03.
  AdamSettings settings;
  settings.learning_rate = 0.1F;
  settings.weight_decay = 0.1F;
  settings.epsilon = 0.0F;
  float weight = 3.0F;
  float m = 1.0F;
  float v = 4.0F;
  const float gradient = 2.0F;
  adam(settings, 2, &gradient, 1, &weight, &m, &v);
  EXPECT_FLOAT_EQ(m, 1.1F);
  EXPECT_FLOAT_EQ(v, 4.0F);
  EXPECT_NEAR(weight, 3.0F - 0.03F - 0.01294240F, 2e-6F);
}

TEST(Sgd, StepsAgainstTheGradient) {
  float weight = 1.0F;
  const float gradient = 4.0F;
  sgd(0.5F, &gradient, 1, &weight);
  EXPECT_FLOAT_EQ(weight, -1.0F);
  float momentum = 10.0F;
  sgd_momentum(0.5F, 0.9F, &gradient, 1, &weight, &momentum);
  EXPECT_FLOAT_EQ(momentum, 13.0F);
  EXPECT_FLOAT_EQ(weight, -7.5F);
}

TEST(Stream, WritesEveryPlaceAndNothingBeyond) {
  for (const auto& [reads, writes] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {0, 5000}, {5000, 5000}, {10000, 3}, {3, 10000}, {4097, 2049}}) {
    const std::vector<float> in(static_cast<std::size_t>(reads), 1.0F);
    std::vector<float> out(static_cast<std::size_t>(writes) + 1, 99.0F);
    stream(in.data(), reads, out.data(), writes);
    EXPECT_EQ(out.back(), 99.0F);
    out.pop_back();
    EXPECT_THAT(out, Each(::testing::AllOf(::testing::Ge(-1.0F), ::testing::Le(1.0F)))) << reads << ' ' << writes;
  }
}

TEST(Stream, UsesWhatItReads) {
  // out = 0.5 (0.5 * 0 + 1) + 0.25
  const std::vector<float> in(100, 1.0F);
  std::vector<float> out(100);
  stream(in.data(), 100, out.data(), 100);
  EXPECT_THAT(out, Each(FloatEq(0.75F)));
}

TEST(Stream, KeepsBadValuesFromSpreading) {
  std::vector<float> in(100, std::numeric_limits<float>::quiet_NaN());
  std::fill_n(in.begin(), 50, std::numeric_limits<float>::infinity());
  std::vector<float> out(100);
  stream(in.data(), 100, out.data(), 100);
  EXPECT_EQ(out.front(), 1.0F);
  EXPECT_EQ(out.back(), -1.0F);
}

}  // namespace
}  // namespace trainwright::executor
