// Products by cuBLASLt. It is column-major, and what is row-major is its transpose: result^T = right^T left^T, so left
// and right change places and everything else stays as it lies. What cuBLASLt chooses for a shape is kept.
// SPDX-License-Identifier: Apache-2.0
#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <tuple>

#include "executor/cuda/kernels.hpp"
#include "executor/cuda/linked_api.hpp"

namespace trainwright::executor {
namespace {

// NVIDIA's documentation of cublasSetWorkspace recommends 32 MiB for Hopper; earlier cards need less.
constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20U;

cudaDataType_t data_type(ElementType type) {
  switch (type) {
    case ElementType::fp16:
      return CUDA_R_16F;
    case ElementType::bf16:
      return CUDA_R_16BF;
    case ElementType::fp8:
      return CUDA_R_8F_E4M3;
    case ElementType::fp32:
    case ElementType::tf32:
      return CUDA_R_32F;
  }
  return CUDA_R_32F;
}

// The first failure stays.
class Outcome {
 public:
  Outcome& operator<<(cublasStatus_t status) {
    if (code_ == CUBLAS_STATUS_SUCCESS)
      code_ = status;
    return *this;
  }
  [[nodiscard]] bool ok() const { return code_ == CUBLAS_STATUS_SUCCESS; }
  [[nodiscard]] cublasStatus_t code() const { return code_; }

 private:
  cublasStatus_t code_ = CUBLAS_STATUS_SUCCESS;
};

// What cuBLASLt assumes of buffers unless told otherwise.
constexpr std::uint32_t kBestAlignment = 256;

std::uint32_t alignment_of(const void* memory) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);  // NOLINT: looked at, not used
  return address % kBestAlignment == 0 ? kBestAlignment : static_cast<std::uint32_t>(address & (~address + 1));
}

struct Alignments {
  std::uint32_t first = kBestAlignment;
  std::uint32_t second = kBestAlignment;
  std::uint32_t result = kBestAlignment;
};

// Everything about a product but its place in memory, of which the alignment counts.
using Shape = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, ElementType, bool, bool, std::int64_t,
                         std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::uint32_t,
                         std::uint32_t, std::uint32_t>;

Alignments alignments_of(const GemmCall& call) {
  return {alignment_of(call.right), alignment_of(call.left), alignment_of(call.result)};
}

Shape shape_of(const GemmCall& call) {
  const Alignments align = alignments_of(call);
  return {call.m,
          call.n,
          call.k,
          call.batch,
          call.type,
          call.left_transposed,
          call.right_transposed,
          call.left_row,
          call.right_row,
          call.result_row,
          call.left_step,
          call.right_step,
          call.result_step,
          align.first,
          align.second,
          align.result};
}

struct Product {
  cublasLtMatmulDesc_t operation = nullptr;
  cublasLtMatrixLayout_t first = nullptr;
  cublasLtMatrixLayout_t second = nullptr;
  cublasLtMatrixLayout_t result = nullptr;
  cublasLtMatmulAlgo_t algorithm{};
};

void release(const Product& product) {
  static_cast<void>(cublasLtMatmulDescDestroy(product.operation));
  for (cublasLtMatrixLayout_t layout : {product.first, product.second, product.result})
    static_cast<void>(cublasLtMatrixLayoutDestroy(layout));
}

template <class Value>
cublasStatus_t set(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute, Value value) {
  return cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value);
}

// A matrix that lies in memory as `rows` rows of `columns`, seen as the column-major matrix that it is to cuBLASLt.
cublasStatus_t make_layout(cublasLtMatrixLayout_t& layout, ElementType type, std::int64_t rows, std::int64_t columns,
                           std::int64_t row, std::int64_t batch, std::int64_t step) {
  const auto count = static_cast<std::int32_t>(batch);
  Outcome outcome;
  outcome << cublasLtMatrixLayoutCreate(&layout, data_type(type), static_cast<std::uint64_t>(columns),
                                        static_cast<std::uint64_t>(rows), row);
  if (outcome.ok())
    outcome << cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count)
            << cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step,
                                                sizeof step);
  return outcome.code();
}

cublasStatus_t describe(Product& product, const GemmCall& call) {
  const cublasComputeType_t compute =
      call.type == ElementType::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  Outcome outcome;
  outcome << cublasLtMatmulDescCreate(&product.operation, compute, CUDA_R_32F);
  if (outcome.ok())
    outcome << set(product.operation, CUBLASLT_MATMUL_DESC_TRANSA, call.right_transposed ? CUBLAS_OP_T : CUBLAS_OP_N)
            << set(product.operation, CUBLASLT_MATMUL_DESC_TRANSB, call.left_transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  outcome << make_layout(product.first, call.type, call.right_transposed ? call.n : call.k,
                         call.right_transposed ? call.k : call.n, call.right_row, call.batch, call.right_step)
          << make_layout(product.second, call.type, call.left_transposed ? call.k : call.m,
                         call.left_transposed ? call.m : call.k, call.left_row, call.batch, call.left_step)
          << make_layout(product.result, result_type(call.type), call.m, call.n, call.result_row, call.batch,
                         call.result_step);
  return outcome.code();
}

cublasStatus_t choose(cublasLtHandle_t library, Product& product, const GemmCall& call) {
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulHeuristicResult_t found{};
  int count = 0;
  Outcome outcome;
  outcome << cublasLtMatmulPreferenceCreate(&preference);
  if (!outcome.ok())
    return outcome.code();
  const Alignments align = alignments_of(call);
  const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
    return cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value);
  };
  outcome << prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{call.workspace_bytes})
          << prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, align.first)
          << prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, align.second)
          << prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, align.result)
          << prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, align.result)
          << cublasLtMatmulAlgoGetHeuristic(library, product.operation, product.first, product.second, product.result,
                                            product.result, preference, 1, &found, &count);
  static_cast<void>(cublasLtMatmulPreferenceDestroy(preference));
  if (outcome.ok() && count == 0)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  product.algorithm = found.algo;
  return outcome.code();
}

class LinkedMath final : public MathApi {
 public:
  LinkedMath() = default;
  LinkedMath(const LinkedMath&) = delete;
  LinkedMath& operator=(const LinkedMath&) = delete;
  ~LinkedMath() override {
    for (const auto& [shape, product] : products_)
      release(product);
    if (library_ != nullptr)
      static_cast<void>(cublasLtDestroy(library_));
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> versions() override {
    const std::size_t version = cublasLtGetVersion();
    return {{"cublaslt", std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
                             std::to_string(version % 100)}};
  }
  // Launches of our kernels answer with codes of CUDA, told apart by the library of the result.
  [[nodiscard]] std::string text(int code) override {
    return cublasLtGetStatusString(static_cast<cublasStatus_t>(code));
  }
  [[nodiscard]] std::size_t gemm_workspace_bytes() const override { return kWorkspaceBytes; }

  ApiResult gemm(const GemmCall& call, ApiStream* stream) override {
    Product product;
    if (const cublasStatus_t code = product_for(call, product); code != CUBLAS_STATUS_SUCCESS)
      return {ApiLibrary::cublas, code};
    return {ApiLibrary::cublas,
            cublasLtMatmul(library_, product.operation, &call.alpha, call.right, product.first, call.left,
                           product.second, &call.beta, call.result, product.result, call.result, product.result,
                           &product.algorithm, call.workspace, call.workspace_bytes,
                           reinterpret_cast<cudaStream_t>(stream))};  // NOLINT: an opaque handle on both sides
  }

  ApiResult fill_pattern(const FillCall& call, ApiStream* stream) override {
    return launched(launch_fill(call, stream));
  }
  ApiResult traffic(const TrafficCall& call, ApiStream* stream) override {
    return launched(launch_traffic(call, stream));
  }
  ApiResult softmax_rows(const SoftmaxCall& call, ApiStream* stream) override {
    return launched(launch_softmax(call, stream));
  }
  ApiResult optimizer(const OptimizerCall& call, ApiStream* stream) override {
    return launched(launch_optimizer(call, stream));
  }
  ApiResult wait_for(std::int64_t nanoseconds, ApiStream* stream) override {
    return launched(launch_wait(nanoseconds, stream));
  }

 private:
  static ApiResult launched(int code) { return {ApiLibrary::cuda, code}; }

  cublasStatus_t product_for(const GemmCall& call, Product& product) {
    const std::lock_guard lock(mutex_);
    const auto known = products_.find(shape_of(call));
    if (known != products_.end()) {
      product = known->second;
      return CUBLAS_STATUS_SUCCESS;
    }
    Outcome outcome;
    if (library_ == nullptr)
      outcome << cublasLtCreate(&library_);
    if (outcome.ok())
      outcome << describe(product, call);
    if (outcome.ok())
      outcome << choose(library_, product, call);
    if (outcome.ok())
      products_.emplace(shape_of(call), product);
    else
      release(product);
    return outcome.code();
  }

  std::mutex mutex_;
  cublasLtHandle_t library_ = nullptr;
  std::map<Shape, Product> products_;
};

}  // namespace

std::shared_ptr<MathApi> make_linked_math() {
  return std::make_shared<LinkedMath>();
}

}  // namespace trainwright::executor
