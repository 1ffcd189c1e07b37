// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/math_double.hpp"

#include <algorithm>
#include <thread>

#include "tests/support/device_double/narrow_floats.hpp"

namespace trainwright::test {
namespace {

using executor::ApiLibrary;
using executor::ApiResult;
using executor::ApiStream;
using executor::ElementType;

MemoryUse use_of(const void* begin, std::int64_t bytes, bool writes) {
  return {static_cast<const std::byte*>(begin), static_cast<std::size_t>(bytes), writes};
}

// From the first element to behind the last one of a batch of matrices.
std::int64_t extent(std::int64_t rows, std::int64_t columns, std::int64_t row, std::int64_t batch, std::int64_t step) {
  return (batch - 1) * step + (rows - 1) * row + columns;
}

// A matrix as floats, row by row, whichever way it lies in memory.
template <class T>
std::vector<float> plain_matrix(const T* data, std::int64_t rows, std::int64_t columns, std::int64_t row,
                                bool is_transposed) {
  using executor::body::to_float;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      values.push_back(to_float(data[is_transposed ? j * row + i : i * row + j]));
  return values;
}

template <class In, class Out>
void multiply(const executor::GemmCall& call) {
  using executor::body::to_float;
  std::vector<float> sums(static_cast<std::size_t>(call.n));
  for (std::int64_t b = 0; b < call.batch; ++b) {
    const std::vector<float> left = plain_matrix(static_cast<const In*>(call.left) + b * call.left_step, call.m, call.k,
                                                 call.left_row, call.left_transposed);
    const std::vector<float> right = plain_matrix(static_cast<const In*>(call.right) + b * call.right_step, call.k,
                                                  call.n, call.right_row, call.right_transposed);
    Out* result = static_cast<Out*>(call.result) + b * call.result_step;
    for (std::int64_t i = 0; i < call.m; ++i, result += call.result_row) {
      std::fill(sums.begin(), sums.end(), 0.0F);
      for (std::int64_t l = 0; l < call.k; ++l) {
        const float a = left[static_cast<std::size_t>(i * call.k + l)];
        const float* row = right.data() + l * call.n;
        for (std::size_t j = 0; j < sums.size(); ++j)
          sums[j] += a * row[j];
      }
      for (std::size_t j = 0; j < sums.size(); ++j) {
        // With beta 0 the old content does not matter, not even if it is NaN.
        const float old = call.beta == 0.0F ? 0.0F : call.beta * to_float(result[j]);
        result[j] = executor::body::from_float<Out>(call.alpha * sums[j] + old);
      }
    }
  }
}

class MathDouble final : public executor::MathApi {
 public:
  explicit MathDouble(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> versions() override { return {{"cublas", "double"}}; }
  [[nodiscard]] std::string text(int code) override {
    return code == kMisuse ? state_->last_misuse() : "the function failed to launch";
  }
  [[nodiscard]] std::size_t gemm_workspace_bytes() const override { return 1024; }

  ApiResult gemm(const executor::GemmCall& call, ApiStream* stream) override {
    const auto in = static_cast<std::int64_t>(element_bytes(call.type));
    const auto out = static_cast<std::int64_t>(element_bytes(result_type(call.type)));
    if (call.type == ElementType::fp8 && (call.left_transposed || !call.right_transposed))
      return {ApiLibrary::cublas, state_->misuse("cublasLtMatmul: fp8 has one layout")};
    const std::int64_t left = call.left_transposed ? extent(call.k, call.m, call.left_row, call.batch, call.left_step)
                                                   : extent(call.m, call.k, call.left_row, call.batch, call.left_step);
    const std::int64_t right = call.right_transposed
                                   ? extent(call.n, call.k, call.right_row, call.batch, call.right_step)
                                   : extent(call.k, call.n, call.right_row, call.batch, call.right_step);
    const std::int64_t result = extent(call.m, call.n, call.result_row, call.batch, call.result_step);
    return queue("cublasLtMatmul", stream,
                 {use_of(call.left, left * in, false), use_of(call.right, right * in, false),
                  use_of(call.result, result * out, true),
                  use_of(call.workspace, static_cast<std::int64_t>(call.workspace_bytes), true)},
                 [call] {
                   with_type(call.type, [&](auto type) {
                     if constexpr (std::is_same_v<decltype(type), Fp8>)
                       multiply<Fp8, Bfloat>(call);
                     else
                       multiply<decltype(type), decltype(type)>(call);
                   });
                 });
  }

  ApiResult fill_pattern(const executor::FillCall& call, ApiStream* stream) override {
    return queue("fill_pattern", stream,
                 {use_of(call.data, call.count * static_cast<std::int64_t>(element_bytes(call.type)), true)}, [call] {
                   with_type(call.type, [&](auto type) {
                     auto* data = static_cast<decltype(type)*>(call.data);
                     for (std::int64_t i = 0; i < call.count; ++i)
                       data[i] =
                           executor::body::from_float<decltype(type)>(executor::body::pattern_at(i, call.positive));
                   });
                 });
  }

  ApiResult traffic(const executor::TrafficCall& call, ApiStream* stream) override {
    return queue("traffic", stream,
                 {use_of(call.in, call.reads * 4, false), use_of(call.kept, call.kept_reads * 4, false),
                  use_of(call.out, call.writes * 4, true), use_of(call.sink, 4, false)},
                 [call] {
                   const auto* in = static_cast<const std::uint32_t*>(call.in);
                   auto* out = static_cast<std::uint32_t*>(call.out);
                   for (std::int64_t i = 0; i < call.writes; ++i)
                     out[i] = i < call.reads ? executor::body::bounded_word(in[i]) : executor::body::kWrittenWord;
                 });
  }

  ApiResult softmax_rows(const executor::SoftmaxCall& call, ApiStream* stream) override {
    const std::int64_t rows = call.heads * call.queries;
    const std::int64_t bytes = rows * call.width * static_cast<std::int64_t>(element_bytes(call.type));
    return queue("softmax_rows", stream,
                 {use_of(call.data, bytes, true), use_of(call.probabilities, call.backward ? bytes : 0, false)},
                 [call, rows] {
                   with_type(call.type, [&](auto type) {
                     for (std::int64_t r = 0; r < rows; ++r)
                       executor::body::softmax_row<executor::body::OneLane, decltype(type)>(call, r);
                   });
                 });
  }

  ApiResult optimizer(const executor::OptimizerCall& call, ApiStream* stream) override {
    const std::int64_t bytes = call.count * static_cast<std::int64_t>(sizeof(float));
    const bool has_first = call.rule != executor::UpdateRule::sgd;
    const bool has_second = call.rule == executor::UpdateRule::adam;
    return queue("optimizer", stream,
                 {use_of(call.gradient, bytes, false), use_of(call.weight, bytes, true),
                  use_of(call.first_moment, has_first ? bytes : 0, true),
                  use_of(call.second_moment, has_second ? bytes : 0, true)},
                 [call] {
                   for (std::int64_t i = 0; i < call.count; ++i)
                     executor::body::update_parameter(call, i);
                 });
  }

  ApiResult wait_for(std::int64_t nanoseconds, ApiStream* stream) override {
    return queue("wait_for", stream, {},
                 [nanoseconds] { std::this_thread::sleep_for(std::chrono::nanoseconds(nanoseconds)); });
  }

 private:
  ApiResult queue(const char* call, ApiStream* stream, const std::vector<MemoryUse>& uses, std::function<void()> work) {
    if (const Fault fault = state_->faults.next(call); fault.code != 0)
      return {ApiLibrary::cublas, fault.code};
    return {ApiLibrary::cublas, state_->queue(call, stream, uses, std::move(work))};
  }

  std::shared_ptr<DeviceState> state_;
};

}  // namespace

std::shared_ptr<executor::MathApi> make_math_double(std::shared_ptr<DeviceState> state) {
  return std::make_shared<MathDouble>(std::move(state));
}

}  // namespace trainwright::test
