// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/gemm.hpp"

#include <cblas.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

blasint to_blas_size(std::int64_t size) {
  TRAINWRIGHT_EXPECTS(size >= 0 && size <= std::numeric_limits<blasint>::max(), std::to_string(size));
  return static_cast<blasint>(size);
}

CBLAS_TRANSPOSE to_blas(Orientation storage) {
  return storage == Orientation::plain ? CblasNoTrans : CblasTrans;
}

}  // namespace

void gemm(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const MatrixView& a, const MatrixView& b,
          float beta, float* c, std::int64_t c_row_stride) {
  cblas_sgemm(CblasRowMajor, to_blas(a.storage), to_blas(b.storage), to_blas_size(m), to_blas_size(n), to_blas_size(k),
              alpha, a.data, to_blas_size(a.row_stride), b.data, to_blas_size(b.row_stride), beta, c,
              to_blas_size(c_row_stride));
}

void prepare_gemm() {
  openblas_set_num_threads(1);
  // Large enough for OpenBLAS to take the path with packed panels, which needs its working memory.
  constexpr std::int64_t kSide = 64;
  std::array<float, kSide * kSide> a{};
  std::array<float, kSide * kSide> c{};
  gemm(kSide, kSide, kSide, 1.0F, {a.data(), kSide}, {a.data(), kSide}, 0.0F, c.data(), kSide);
}

std::string gemm_library_description() {
  std::string description = openblas_get_config();
  if (const char* chosen = ::getenv(kGemmKernelsVariable); chosen != nullptr)
    description += std::string(" ") + kGemmKernelsVariable + "=" + chosen;
  return description;
}

std::string better_gemm_kernels() {
#if defined(__x86_64__)
  // The kernels of 2004 that OpenBLAS takes for every processor newer than itself.
  constexpr std::string_view kFallback = "Prescott";
  if (openblas_get_corename() != kFallback || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return {};
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return wide ? "SkylakeX" : "Haswell";
#else
  return {};
#endif
}

}  // namespace trainwright::executor
