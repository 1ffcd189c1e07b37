// SPDX-License-Identifier: Apache-2.0
#include "executor/verify/pattern.hpp"

#include <gtest/gtest.h>

#include <set>

namespace trainwright::executor {
namespace {

using model::CollectiveKind;

constexpr int kMembers = 3;
constexpr std::uint32_t kSalt = 17;
constexpr std::size_t kBlock = 5;

// What member `own` must hold after the operation, by the operation's definition.
std::vector<float> right_result(CollectiveKind kind, int own) {
  std::vector<std::vector<float>> inputs(kMembers, std::vector<float>(kMembers * kBlock));
  for (int member = 0; member < kMembers; ++member)
    fill(inputs[static_cast<std::size_t>(member)], member, kSalt);
  std::vector<float> result = inputs[static_cast<std::size_t>(own)];
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t block = i / kBlock;
    const float sum = inputs[0][i] + inputs[1][i] + inputs[2][i];
    switch (kind) {
      case CollectiveKind::all_reduce:
        result[i] = sum;
        break;
      case CollectiveKind::reduce:
        result[i] = own == 0 ? sum : result[i];
        break;
      case CollectiveKind::reduce_scatter:
        result[i] = block == static_cast<std::size_t>(own) ? sum : result[i];
        break;
      case CollectiveKind::broadcast:
        result[i] = inputs[0][i];
        break;
      case CollectiveKind::all_gather:
        result[i] = inputs[block][i];
        break;
      case CollectiveKind::all_to_all:
        result[i] = inputs[block][static_cast<std::size_t>(own) * kBlock + i % kBlock];
        break;
      case CollectiveKind::ring_shift:
        result[i] = inputs[static_cast<std::size_t>((own + kMembers - 1) % kMembers)][i];
        break;
    }
  }
  return result;
}

class Pattern : public ::testing::TestWithParam<CollectiveKind> {};

TEST_P(Pattern, AcceptsTheRightResult) {
  for (int own = 0; own < kMembers; ++own)
    EXPECT_EQ(check_collective(GetParam(), right_result(GetParam(), own), {kMembers, own, kSalt}), std::nullopt);
}

TEST_P(Pattern, SeesOneWrongElement) {
  std::vector<float> data = right_result(GetParam(), 0);
  data[2] += 1.0F;  // within the own block of member 0
  const auto problem = check_collective(GetParam(), data, {kMembers, 0, kSalt});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->rfind("element 2 is ", 0), 0U) << *problem;
}

TEST_P(Pattern, SeesAnotherOperationsData) {
  EXPECT_TRUE(check_collective(GetParam(), right_result(GetParam(), 0), {kMembers, 0, kSalt + 1}));
}

INSTANTIATE_TEST_SUITE_P(AllKinds, Pattern,
                         ::testing::Values(CollectiveKind::all_reduce, CollectiveKind::all_gather,
                                           CollectiveKind::reduce_scatter, CollectiveKind::broadcast,
                                           CollectiveKind::reduce, CollectiveKind::all_to_all,
                                           CollectiveKind::ring_shift),
                         [](const auto& test) { return std::string(to_word(test.param)); });

TEST(PatternMessage, KnowsTheSender) {
  std::vector<float> data(100);
  fill(data, 1, kSalt);
  EXPECT_EQ(check_message(data, 1, kSalt), std::nullopt);
  EXPECT_TRUE(check_message(data, 0, kSalt));
  EXPECT_TRUE(check_message(data, 1, kSalt + 1));
}

TEST(PatternValue, IsAWholeNumberBelow1024AndMovesWithEverything) {
  std::set<float> starts;
  for (std::size_t segment = 0; segment < 8; ++segment)
    starts.insert(pattern_value(0, 0, segment << 18U));  // segments of 1 MiB
  EXPECT_EQ(starts.size(), 8U);
  for (std::size_t i = 0; i < 5000; ++i) {
    const float value = pattern_value(3, 5, i * 7919);
    EXPECT_GE(value, 0.0F);
    EXPECT_LT(value, 1024.0F);
    EXPECT_EQ(value, static_cast<float>(static_cast<int>(value)));
  }
}

}  // namespace
}  // namespace trainwright::executor
