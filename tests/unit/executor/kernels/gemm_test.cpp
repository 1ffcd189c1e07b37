// Matrix products against values computed by hand.
// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/gemm.hpp"

#include <gmock/gmock.h>

#include <array>
#include <limits>

namespace trainwright::executor {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// a = [1 2 3; 4 5 6], b = [7 8; 9 10; 11 12], a b = [58 64; 139 154]
constexpr std::array<float, 6> kA{1, 2, 3, 4, 5, 6};
constexpr std::array<float, 6> kATransposed{1, 4, 2, 5, 3, 6};
constexpr std::array<float, 6> kB{7, 8, 9, 10, 11, 12};
constexpr std::array<float, 6> kBTransposed{7, 9, 11, 8, 10, 12};

TEST(Gemm, MultipliesRowMajorMatrices) {
  std::array<float, 4> c{};
  gemm(2, 2, 3, 1.0F, {kA.data(), 3}, {kB.data(), 2}, 0.0F, c.data(), 2);
  EXPECT_THAT(c, ElementsAre(58, 64, 139, 154));
}

TEST(Gemm, TakesTransposedOperands) {
  std::array<float, 4> c{};
  gemm(2, 2, 3, 1.0F, {kATransposed.data(), 2, Orientation::transposed},
       {kBTransposed.data(), 3, Orientation::transposed}, 0.0F, c.data(), 2);
  EXPECT_THAT(c, ElementsAre(58, 64, 139, 154));
}

TEST(Gemm, ScalesAndAdds) {
  std::array<float, 4> c{1, 2, 3, 4};
  gemm(2, 2, 3, 2.0F, {kA.data(), 3}, {kB.data(), 2}, 10.0F, c.data(), 2);
  EXPECT_THAT(c, ElementsAre(126, 148, 308, 348));
}

TEST(Gemm, WithBetaZeroIgnoresWhatTheResultHeld) {
  std::array<float, 4> c;
  c.fill(std::numeric_limits<float>::quiet_NaN());
  gemm(2, 2, 3, 1.0F, {kA.data(), 3}, {kB.data(), 2}, 0.0F, c.data(), 2);
  EXPECT_THAT(c, ElementsAre(58, 64, 139, 154));
}

TEST(Gemm, LeavesGapsBetweenRowsAlone) {
  std::array<float, 6> c{0, 0, -1, 0, 0, -1};
  gemm(2, 2, 3, 1.0F, {kA.data(), 3}, {kB.data(), 2}, 0.0F, c.data(), 3);
  EXPECT_THAT(c, ElementsAre(58, 64, -1, 139, 154, -1));
}

TEST(Gemm, KnowsBetterKernelsOnlyWhereTheLibraryFellBack) {
  const bool fell_back = gemm_library_description().find("Prescott") != std::string::npos;
  const std::string better = better_gemm_kernels();
  EXPECT_TRUE(better.empty() || fell_back) << better;
  EXPECT_THAT(better, AnyOf(IsEmpty(), "SkylakeX", "Haswell"));
}

TEST(Gemm, NamesItsLibrary) {
  EXPECT_THAT(gemm_library_description(), HasSubstr("OpenBLAS"));
}

}  // namespace
}  // namespace trainwright::executor
