// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/cpu_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <variant>

#include "executor/kernels/elementwise.hpp"
#include "executor/kernels/float_mode.hpp"
#include "executor/kernels/gemm.hpp"
#include "executor/kernels/operand_plan.hpp"
#include "executor/kernels/operand_ring.hpp"
#include "executor/kernels/timed_wait.hpp"
#include "executor/process/memory.hpp"
#include "model/base/contract.hpp"
#include "model/base/error.hpp"
#include "model/units/format.hpp"

namespace trainwright::executor {
namespace {

using model::BackwardPart;
using model::Pass;

const model::Program& checked(const model::Program& program) {
  std::array<bool, model::kPrecisionWords.size()> seen{};
  model::Diagnostics diagnostics;
  for (const model::Task& task : program.tasks) {
    model::Precision precision = model::Precision::fp32;
    if (const auto* gemm_work = std::get_if<model::GemmWork>(&task.work))
      precision = gemm_work->precision;
    else if (const auto* attention = std::get_if<model::AttentionWork>(&task.work))
      precision = attention->precision;
    bool& reported = seen[static_cast<std::size_t>(precision)];
    if (precision == model::Precision::fp32 || reported)
      continue;
    reported = true;
    diagnostics.add_error("plan", "/job/precision",
                          "the CPU kernels compute in fp32 only, the plan asks for " + std::string(to_word(precision)),
                          "plan with precision fp32, or run on a backend that has " + std::string(to_word(precision)));
  }
  model::throw_if_errors(diagnostics);
  return program;
}

constexpr std::int64_t kFloat = sizeof(float);

RingDemand floats_of(const RingDemand& bytes) {
  return {bytes.recent / kFloat, bytes.next / kFloat};
}

// Everything here is computed in fp32.
TaskDemand floats_of(const TaskDemand& bytes) {
  return {floats_of(bytes.activations), floats_of(bytes.activation_gradients),
          floats_of(bytes.weights),     floats_of(bytes.weight_gradients),
          floats_of(bytes.moments),     bytes.row_statistics / kFloat};
}

std::int64_t work_bytes(const model::Task& task) {
  const auto* attention = std::get_if<model::AttentionWork>(&task.work);
  if (attention == nullptr)
    return 0;
  const AttentionSizes sizes = attention_sizes(*attention);
  if (attention->fused)
    return attention_work_count(sizes) * kFloat;
  return attention->backward ? sizes.seq_q * sizes.seq_kv * kFloat : 0;
}

MemoryPlan memory_plan(const model::Program& program) {
  return plan_memory(program, OperandRing::kAlign * kFloat, work_bytes);
}

/// Linux hands out more memory than there is and kills the process on first use, so the check comes before.
MemoryPlan affordable(const MemoryPlan& plan) {
  const model::ByteCount available(available_memory_bytes());
  if (available.count() > 0 && plan.total() > available)
    throw model::EnvironmentError("the tasks of this rank need " + model::format(plan.total()) + " of memory, " +
                                      model::format(available) + " are available",
                                  "use a smaller micro-batch or model, more stages, or fewer ranks on this machine");
  return plan;
}

void make_positive(AlignedBuffer& buffer) {
  for (std::int64_t i = 0; i < buffer.count(); ++i)
    buffer.data()[i] = std::fabs(buffer.data()[i]);
}

bool all_finite_in(const AlignedBuffer& buffer) {
  return std::all_of(buffer.data(), buffer.data() + buffer.count(), [](float x) { return std::isfinite(x); });
}

}  // namespace

class CpuKernels::Impl {
 public:
  explicit Impl(const MemoryPlan& plan)
      : activations_(plan.activations / kFloat),
        activation_gradients_(plan.activation_gradients / kFloat),
        weights_(plan.weights / kFloat),
        weight_gradients_(plan.weight_gradients / kFloat),
        first_moments_(plan.moments / kFloat),
        second_moments_(plan.moments / kFloat),
        row_statistics_(plan.row_statistics / kFloat),
        work_(plan.work / kFloat) {
    // Products of weights below 1 with the factor 1/k stay bounded by their inputs; all of one sign, they do not
    // vanish.
    make_positive(weights_.buffer());
    make_positive(second_moments_.buffer());
    prepare_gemm();
  }

  void run(const model::Task& task) {
    const DenormalsOff denormals_off;
    std::visit([&](const auto& work) { run_work(work, task); }, task.work);
  }

  [[nodiscard]] bool all_finite() const {
    return all_finite_in(activations_.buffer()) && all_finite_in(activation_gradients_.buffer()) &&
           all_finite_in(weights_.buffer()) && all_finite_in(weight_gradients_.buffer()) &&
           all_finite_in(first_moments_.buffer()) && all_finite_in(second_moments_.buffer()) &&
           all_finite_in(row_statistics_);
  }

 private:
  void run_work(const model::GemmWork& work, const model::Task& task) {
    const TaskDemand demand = floats_of(demand_of(task));
    const RingOperands activations = activations_.take(demand.activations);
    const RingOperands gradients = activation_gradients_.take(demand.activation_gradients);
    MatrixView left{activations.recent, work.k};
    MatrixView right;
    float* result = activations.next;
    if (task.phase.pass != Pass::backward) {
      right = {weights_.take(demand.weights).next, work.n};
    } else if (task.phase.part == BackwardPart::weight) {
      // dw[in,out] = x[tokens,in]^T dy[tokens,out]
      left = {activations.next, work.m, Orientation::transposed};
      right = {gradients.recent, work.n};
      result = weight_gradients_.take(demand.weight_gradients).next;
    } else {
      // dx[tokens,in] = dy[tokens,out] w[in,out]^T
      left = {gradients.recent, work.k};
      right = {weights_.take(demand.weights).next, work.k, Orientation::transposed};
      result = gradients.next;
    }
    const float alpha = 1.0F / static_cast<float>(work.k);
    for (std::int64_t i = 0; i < work.batch; ++i) {
      gemm(work.m, work.n, work.k, alpha, left, right, 0.0F, result, work.n);
      left.data += work.m * work.k;
      right.data += work.k * work.n;
      result += work.m * work.n;
    }
  }

  void run_work(const model::AttentionWork& work, const model::Task& task) {
    const TaskDemand demand = floats_of(demand_of(task));
    const AttentionSizes sizes = attention_sizes(work);
    const RingOperands activations = activations_.take(demand.activations);
    const RingOperands gradients = activation_gradients_.take(demand.activation_gradients);
    // 1/d instead of the usual 1/sqrt(d) bounds scores of arbitrary data; the cost is the same.
    const float scale = 1.0F / static_cast<float>(sizes.head_dim);
    const float* q = work.backward ? activations.next : activations.recent;
    const float* k = q + sizes.query_count();
    const float* v = k + sizes.key_count();
    if (!work.backward) {
      float* o = activations.next;
      if (work.fused)
        attention_forward_fused(sizes, scale, q, k, v, o, row_statistics_.data(), work_.data());
      else
        attention_forward_unfused(sizes, scale, q, k, v, o, o + sizes.output_count());
      return;
    }
    const float* kept = v + sizes.value_count();  // the output (fused), or the probabilities (unfused)
    const float* d_o = gradients.recent;
    float* dq = gradients.next;
    float* dk = dq + sizes.query_count();
    float* dv = dk + sizes.key_count();
    const float gradient_scale = bounded_gradient_scale(sizes, work.fused);
    if (work.fused)
      attention_backward_fused(sizes, scale, q, k, v, kept, row_statistics_.data(), d_o, gradient_scale, dq, dk, dv,
                               work_.data());
    else
      attention_backward_unfused(sizes, scale, q, k, v, kept, d_o, gradient_scale, dq, dk, dv, work_.data());
  }

  /// Small enough that no gradient of the inputs exceeds the one of the output, whatever the data are. Unfused, what is
  /// read as probabilities need not sum to 1, which costs another factor of the row length.
  static float bounded_gradient_scale(const AttentionSizes& sizes, bool fused) {
    const std::int64_t heads_per_group = sizes.heads / sizes.kv_heads;
    const auto queries = static_cast<float>(sizes.seq_q * heads_per_group);
    const auto longest = std::max(queries, static_cast<float>(sizes.seq_kv));
    return 1.0F / (16.0F * longest * (fused ? 1.0F : static_cast<float>(sizes.seq_kv)));
  }

  void run_work(const model::MemoryWork& work, const model::Task& task) {
    static_cast<void>(work);  // its sizes are in the demand
    const TaskDemand demand = floats_of(demand_of(task));
    const RingOperands activations = activations_.take(demand.activations);
    const RingOperands gradients = activation_gradients_.take(demand.activation_gradients);
    if (task.phase.pass == Pass::backward) {
      const std::int64_t first_half = demand.activation_gradients.next / 2;
      stream(gradients.recent, demand.activation_gradients.recent, gradients.next, first_half);
      stream(activations.next, demand.activations.next, gradients.next + first_half,
             demand.activation_gradients.next - first_half);
    } else if (demand.weight_gradients.next + demand.weights.next > 0) {
      stream(weight_gradients_.take(demand.weight_gradients).next, demand.weight_gradients.next,
             weights_.take(demand.weights).next, demand.weights.next);
    } else {
      stream(activations.recent, demand.activations.recent, activations.next, demand.activations.next);
    }
  }

  void run_work(const model::OptimizerWork& work, const model::Task& task) {
    const TaskDemand demand = floats_of(demand_of(task));
    float* weight = weights_.take(demand.weights).next;
    float* gradient = weight_gradients_.take(demand.weight_gradients).next;
    float* first = first_moments_.take(demand.moments).next;
    float* second = second_moments_.take(demand.moments).next;
    // A rate below the resolution of the weights: they keep their range however long the run.
    constexpr float kRate = 1e-9F;
    constexpr int kAdamBytes = 28;
    constexpr int kMomentumBytes = 20;
    constexpr int kSgdBytes = 12;
    int done = 0;
    if (work.bytes_per_parameter >= kAdamBytes) {
      AdamSettings settings;
      settings.learning_rate = kRate;
      // Far from the first steps, where the corrections of the moments are 1.
      constexpr std::int64_t kLateStep = 100000;
      adam(settings, kLateStep, gradient, work.parameters, weight, first, second);
      done = kAdamBytes;
    } else if (work.bytes_per_parameter >= kMomentumBytes) {
      sgd_momentum(kRate, 0.9F, gradient, work.parameters, weight, first);
      done = kMomentumBytes;
    } else if (work.bytes_per_parameter >= kSgdBytes) {
      sgd(kRate, gradient, work.parameters, weight);
      done = kSgdBytes;
    }
    // Traffic beyond that of the update itself, such as gradients set to zero, is added as whole reads of the
    // gradients.
    for (; done < work.bytes_per_parameter; done += static_cast<int>(sizeof(float)))
      stream(gradient, work.parameters, nullptr, 0);
  }

  void run_work(const model::FixedWork& work, const model::Task&) { timed_wait(work.duration); }

  template <class Other>
  void run_work(const Other&, const model::Task& task) {
    TRAINWRIGHT_EXPECTS(CpuKernels::can_run(task), "work of kind " + std::to_string(task.work.index()));
  }

  OperandRing activations_;
  OperandRing activation_gradients_;
  OperandRing weights_;
  OperandRing weight_gradients_;
  OperandRing first_moments_;
  OperandRing second_moments_;
  AlignedBuffer row_statistics_;
  AlignedBuffer work_;
};

CpuKernels::CpuKernels(const model::Program& program)
    : impl_(std::make_unique<Impl>(affordable(memory_plan(checked(program))))) {}

CpuKernels::~CpuKernels() = default;

void CpuKernels::run(const model::Task& task) {
  impl_->run(task);
}

model::ByteCount CpuKernels::memory_needed(const model::Program& program) {
  return memory_plan(program).total();
}

bool CpuKernels::can_run(const model::Task& task) {
  return !std::holds_alternative<model::CollectiveWork>(task.work) &&
         !std::holds_alternative<model::TransferWork>(task.work) &&
         !std::holds_alternative<model::HostIoWork>(task.work);
}

bool CpuKernels::all_finite() const {
  return impl_->all_finite();
}

}  // namespace trainwright::executor
