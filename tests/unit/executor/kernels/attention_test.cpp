// Attention against a loop-by-loop implementation in double, itself held to values by hand; gradients against
// differences.
// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/attention.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace trainwright::executor {
namespace {

using Values = std::vector<float>;

Values random_values(std::int64_t count, unsigned seed) {
  std::mt19937 generator(seed);
  Values values(static_cast<std::size_t>(count));
  for (float& value : values)
    value = static_cast<float>(static_cast<double>(generator()) / 2147483648.0 - 1.0);
  return values;
}

struct Inputs {
  Values q;
  Values k;
  Values v;
};

Inputs random_inputs(const AttentionSizes& sizes) {
  return {random_values(sizes.query_count(), 1), random_values(sizes.key_count(), 2),
          random_values(sizes.value_count(), 3)};
}

std::size_t at(std::int64_t row, std::int64_t heads, std::int64_t head, std::int64_t width, std::int64_t i) {
  return static_cast<std::size_t>((row * heads + head) * width + i);
}

Values naive_forward(const AttentionSizes& s, double scale, const Inputs& in) {
  Values o(static_cast<std::size_t>(s.output_count()), 0.0F);
  for (std::int64_t b = 0; b < s.batch; ++b) {
    for (std::int64_t h = 0; h < s.heads; ++h) {
      const std::int64_t kv_head = h * s.kv_heads / s.heads;
      for (std::int64_t i = 0; i < s.seq_q; ++i) {
        std::vector<double> p;
        double sum = 0.0;
        for (std::int64_t j = 0; j < s.seq_kv; ++j) {
          double score = 0.0;
          for (std::int64_t x = 0; x < s.head_dim; ++x)
            score += static_cast<double>(in.q[at(b * s.seq_q + i, s.heads, h, s.head_dim, x)]) *
                     static_cast<double>(in.k[at(b * s.seq_kv + j, s.kv_heads, kv_head, s.head_dim, x)]);
          const bool hidden = s.causal && j > i + s.seq_kv - s.seq_q;
          p.push_back(hidden ? 0.0 : std::exp(scale * score));
          sum += p.back();
        }
        for (std::int64_t x = 0; x < s.value_head_dim; ++x) {
          double out = 0.0;
          for (std::int64_t j = 0; j < s.seq_kv && sum > 0.0; ++j)
            out += p[static_cast<std::size_t>(j)] / sum *
                   static_cast<double>(in.v[at(b * s.seq_kv + j, s.kv_heads, kv_head, s.value_head_dim, x)]);
          o[at(b * s.seq_q + i, s.heads, h, s.value_head_dim, x)] = static_cast<float>(out);
        }
      }
    }
  }
  return o;
}

Values fused_forward(const AttentionSizes& s, float scale, const Inputs& in, Values& row_log_sum) {
  Values o(static_cast<std::size_t>(s.output_count()), 99.0F);
  row_log_sum.assign(static_cast<std::size_t>(s.row_count()), 99.0F);
  Values work(static_cast<std::size_t>(attention_work_count(s)));
  attention_forward_fused(s, scale, in.q.data(), in.k.data(), in.v.data(), o.data(), row_log_sum.data(), work.data());
  return o;
}

Values unfused_forward(const AttentionSizes& s, float scale, const Inputs& in, Values& probabilities) {
  Values o(static_cast<std::size_t>(s.output_count()), 99.0F);
  probabilities.assign(static_cast<std::size_t>(s.score_count()), 99.0F);
  attention_forward_unfused(s, scale, in.q.data(), in.k.data(), in.v.data(), o.data(), probabilities.data());
  return o;
}

void expect_near(const Values& actual, const Values& expected, float tolerance, const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    ASSERT_NEAR(actual[i], expected[i], tolerance) << what << " at " << i;
}

class Attention : public ::testing::TestWithParam<AttentionSizes> {};

TEST(AttentionByHand, TwoTokensCausal) {
  // Scores of token 2: q2.k1 = 0, q2.k2 = ln 3 -> probabilities 1/4, 3/4. Token 1 sees itself only.
  const AttentionSizes sizes{1, 2, 2, 1, 1, 1, 1, true};
  const Inputs in{{5.0F, 1.0F}, {0.0F, 1.0986123F}, {8.0F, 4.0F}};
  Values kept;
  const Values fused = fused_forward(sizes, 1.0F, in, kept);
  EXPECT_FLOAT_EQ(fused[0], 8.0F);
  EXPECT_FLOAT_EQ(fused[1], 5.0F);
  EXPECT_FLOAT_EQ(kept[1], std::log(4.0F));
  const Values unfused = unfused_forward(sizes, 1.0F, in, kept);
  EXPECT_FLOAT_EQ(unfused[1], 5.0F);
  EXPECT_FLOAT_EQ(kept[2], 0.25F);
}

TEST_P(Attention, ForwardAgreesWithNaiveLoops) {
  const AttentionSizes sizes = GetParam();
  const Inputs in = random_inputs(sizes);
  const Values expected = naive_forward(sizes, 0.7, in);
  Values kept;
  expect_near(fused_forward(sizes, 0.7F, in, kept), expected, 2e-6F * 8, "fused");
  expect_near(unfused_forward(sizes, 0.7F, in, kept), expected, 2e-6F * 8, "unfused");
}

TEST_P(Attention, BothBackwardsAgree) {
  const AttentionSizes sizes = GetParam();
  const Inputs in = random_inputs(sizes);
  const Values d_o = random_values(sizes.output_count(), 4);
  const auto zeros = [](const Values& like) { return Values(like.size(), 99.0F); };

  Values row_log_sum;
  const Values o = fused_forward(sizes, 0.7F, in, row_log_sum);
  Inputs fused{zeros(in.q), zeros(in.k), zeros(in.v)};
  Values work(static_cast<std::size_t>(attention_work_count(sizes)));
  attention_backward_fused(sizes, 0.7F, in.q.data(), in.k.data(), in.v.data(), o.data(), row_log_sum.data(), d_o.data(),
                           2.0F, fused.q.data(), fused.k.data(), fused.v.data(), work.data());

  Values probabilities;
  unfused_forward(sizes, 0.7F, in, probabilities);
  Inputs unfused{zeros(in.q), zeros(in.k), zeros(in.v)};
  Values head(static_cast<std::size_t>(sizes.seq_q * sizes.seq_kv));
  attention_backward_unfused(sizes, 0.7F, in.q.data(), in.k.data(), in.v.data(), probabilities.data(), d_o.data(), 2.0F,
                             unfused.q.data(), unfused.k.data(), unfused.v.data(), head.data());

  expect_near(fused.q, unfused.q, 2e-4F, "dq");
  expect_near(fused.k, unfused.k, 2e-4F, "dk");
  expect_near(fused.v, unfused.v, 2e-4F, "dv");
}

// Sizes around the tile limits (64 rows, 512 keys), grouped heads, unequal widths and lengths, rows that see nothing.
INSTANTIATE_TEST_SUITE_P(
    Sizes, Attention,
    ::testing::Values(AttentionSizes{2, 5, 5, 2, 2, 4, 4, true}, AttentionSizes{1, 70, 70, 4, 2, 8, 8, true},
                      AttentionSizes{1, 64, 64, 2, 1, 8, 6, false}, AttentionSizes{1, 3, 600, 2, 2, 5, 3, true},
                      AttentionSizes{1, 65, 1030, 1, 1, 8, 8, false}, AttentionSizes{1, 9, 4, 1, 1, 3, 3, true}));

TEST(AttentionGradient, AgreesWithDifferences) {
  const AttentionSizes sizes{1, 4, 4, 2, 1, 3, 2, true};
  const Inputs in = random_inputs(sizes);
  const Values d_o = random_values(sizes.output_count(), 4);
  Values row_log_sum;
  const Values o = fused_forward(sizes, 0.7F, in, row_log_sum);
  Inputs gradient{Values(in.q.size()), Values(in.k.size()), Values(in.v.size())};
  Values work(static_cast<std::size_t>(attention_work_count(sizes)));
  attention_backward_fused(sizes, 0.7F, in.q.data(), in.k.data(), in.v.data(), o.data(), row_log_sum.data(), d_o.data(),
                           1.0F, gradient.q.data(), gradient.k.data(), gradient.v.data(), work.data());

  const auto loss = [&](const Inputs& input) {
    const Values out = naive_forward(sizes, 0.7, input);
    double sum = 0.0;
    for (std::size_t i = 0; i < out.size(); ++i)
      sum += static_cast<double>(out[i]) * static_cast<double>(d_o[i]);
    return sum;
  };
  constexpr float kStep = 1e-2F;
  for (Values Inputs::*tensor : {&Inputs::q, &Inputs::k, &Inputs::v}) {
    for (std::size_t i = 0; i < (in.*tensor).size(); ++i) {
      Inputs up = in;
      Inputs down = in;
      (up.*tensor)[i] += kStep;
      (down.*tensor)[i] -= kStep;
      EXPECT_NEAR((gradient.*tensor)[i], (loss(up) - loss(down)) / (2.0 * kStep), 1e-3) << i;
    }
  }
}

}  // namespace
}  // namespace trainwright::executor
