// Single-precision matrix product on one thread, by OpenBLAS. Row-major throughout.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace trainwright::executor {

/// Whether an operand lies in memory as the product uses it, or with rows and columns exchanged.
enum class Orientation : std::uint8_t { plain, transposed };

/// An operand: first element, distance between rows as stored (in elements), and how it is stored.
struct MatrixView {
  const float* data = nullptr;
  std::int64_t row_stride = 0;
  Orientation storage = Orientation::plain;
};

/// c[m,n] = alpha a[m,k] b[k,n] + beta c[m,n]. With beta 0 the old content of c does not matter, not even if it is NaN.
/// c must not overlap a or b. Sizes above 2^31 - 1 are a broken precondition.
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const MatrixView& a, const MatrixView& b,
          float beta, float* c, std::int64_t c_row_stride);

/// Makes OpenBLAS compute on the calling thread only, for the whole process, and lets it make its working memory now,
/// so that later products allocate nothing.
void prepare_gemm();

/// Names the kernels OpenBLAS is to take, read by it while it is loaded.
inline constexpr const char* kGemmKernelsVariable = "OPENBLAS_CORETYPE";

/// OpenBLAS' own description: version, kernel chosen for this processor, threading; and the variable above, if set.
[[nodiscard]] std::string gemm_library_description();

/// OpenBLAS' name of the kernels that suit this processor, when it does not know the processor and fell back to kernels
/// without its vector units, which costs a factor of two to four. "" otherwise.
[[nodiscard]] std::string better_gemm_kernels();

}  // namespace trainwright::executor
