// SPDX-License-Identifier: Apache-2.0
#include "executor/device/device_engine.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <variant>

#include "executor/cuda/device_error.hpp"
#include "executor/cuda/patience.hpp"
#include "executor/device/device_attention.hpp"
#include "executor/device/device_formats.hpp"
#include "executor/device/device_memory.hpp"
#include "model/base/contract.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

using model::BackwardPart;
using model::Pass;

bool is_computed(const model::Task& task) {
  return std::holds_alternative<model::GemmWork>(task.work) ||
         std::holds_alternative<model::AttentionWork>(task.work) ||
         std::holds_alternative<model::MemoryWork>(task.work) ||
         std::holds_alternative<model::OptimizerWork>(task.work);
}

std::int64_t work_bytes(const model::Task& task) {
  const auto* attention = std::get_if<model::AttentionWork>(&task.work);
  if (attention == nullptr)
    return 0;
  return device_attention_work_bytes(attention_sizes(*attention), result_bytes(attention->precision), attention->fused,
                                     attention->backward);
}

class DeviceEngine final : public ComputeEngine {
 public:
  DeviceEngine(const model::Program& program, std::shared_ptr<const DeviceQueues> queues)
      : queues_(std::move(queues)),
        memory_(*queues_, plan_memory(checked(program), DeviceRing::kAlign, work_bytes), common_type(program)) {
    use_every_kernel(program);
  }

  void run(const model::Task& task) override {
    std::visit([&](const auto& work) { run_work(work, task); }, task.work);
  }

 private:
  const model::Program& checked(const model::Program& program) const {
    check_precisions(program, queues_->device().properties());
    return program;
  }

  // CUDA loads a kernel when it is first used, and may wait for the whole device then: beside a collective that waits
  // for another rank, whose device may wait likewise, that could be for ever. So each is used once while nothing else
  // runs.
  void use_every_kernel(const model::Program& program) {
    std::set<std::string> used;
    for (const model::Task& task : program.tasks) {
      model::Task alike = task;  // but for where in the step it stands
      alike.phase.chunk = 0;
      alike.phase.micro_batch = alike.phase.layer_begin = alike.phase.layer_end = -1;
      if (is_computed(task) && used.insert(to_text(alike)).second)
        run(task);
    }
    const Patience patience(std::chrono::minutes(10));
    while (!queues_->is_idle(model::Stream::compute)) {
      if (patience.is_exhausted())
        throw model::EnvironmentError(queues_->device().properties().name +
                                      " has not done one of each compute task within 10 minutes");
      patience.pause();
    }
  }

  [[nodiscard]] MathApi& math() const { return *queues_->api().math; }
  void call(const char* name, ApiResult result) const { check(queues_->api(), name, result); }

  void queue(GemmCall gemm, ApiStream* stream) {
    gemm.workspace = memory_.gemm_workspace.data();
    gemm.workspace_bytes = memory_.gemm_workspace.bytes();
    call("cublasLtMatmul", math().gemm(gemm, stream));
  }

  void run_work(const model::GemmWork& work, const model::Task& task) {
    const TaskDemand demand = demand_of(task);
    const DeviceOperands activations = memory_.activations.take(demand.activations);
    const DeviceOperands gradients = memory_.activation_gradients.take(demand.activation_gradients);
    GemmCall gemm;
    gemm.m = work.m;
    gemm.n = work.n;
    gemm.k = work.k;
    gemm.batch = work.batch;
    gemm.type = *element_type(work.precision);
    gemm.alpha = 1.0F / static_cast<float>(work.k);
    gemm.left = activations.recent;
    gemm.result = activations.next;
    if (task.phase.pass != Pass::backward) {
      gemm.right = memory_.weights.take(demand.weights).next;
    } else if (task.phase.part == BackwardPart::weight) {
      // dw[in,out] = x[tokens,in]^T dy[tokens,out]
      gemm.left = activations.next;
      gemm.left_transposed = true;
      gemm.right = gradients.recent;
      gemm.result = memory_.weight_gradients.take(demand.weight_gradients).next;
    } else {
      // dx[tokens,in] = dy[tokens,out] w[in,out]^T
      gemm.left = gradients.recent;
      gemm.right = memory_.weights.take(demand.weights).next;
      gemm.right_transposed = true;
      gemm.result = gradients.next;
    }
    if (gemm.type == ElementType::fp8) {  // frameworks keep a transposed copy for the cards' one layout
      gemm.left_transposed = false;
      gemm.right_transposed = true;
    }
    gemm.left_row = gemm.left_transposed ? work.m : work.k;
    gemm.right_row = gemm.right_transposed ? work.k : work.n;
    gemm.result_row = work.n;
    gemm.left_step = work.m * work.k;
    gemm.right_step = work.k * work.n;
    gemm.result_step = work.m * work.n;
    queue(gemm, queues_->of(task.stream));
  }

  void run_work(const model::AttentionWork& work, const model::Task& task) {
    const TaskDemand demand = demand_of(task);
    const DeviceOperands activations = memory_.activations.take(demand.activations);
    const DeviceOperands gradients = memory_.activation_gradients.take(demand.activation_gradients);
    AttentionSettings settings{attention_sizes(work), attention_type(work.precision), work.fused};
    const AttentionSizes& sizes = settings.sizes;
    const auto element = static_cast<std::int64_t>(element_bytes(settings.type));
    // 1/d instead of the usual 1/sqrt(d) bounds scores of arbitrary data; the cost is the same. So does a gradient
    // scale below one over the longest sum.
    settings.scale = 1.0F / static_cast<float>(sizes.head_dim);
    settings.gradient_scale =
        1.0F / (16.0F * static_cast<float>(std::max(sizes.seq_q * sizes.heads / sizes.kv_heads, sizes.seq_kv)));
    AttentionTensors tensors;
    tensors.work = memory_.work.data();
    tensors.q = work.backward ? activations.next : activations.recent;
    tensors.k = tensors.q + sizes.query_count() * element;
    tensors.v = tensors.k + sizes.key_count() * element;
    ApiStream* const stream = queues_->of(task.stream);
    const AttentionSteps steps{
        [&](const GemmCall& gemm) { queue(gemm, stream); },
        [&](const SoftmaxCall& softmax) { call("softmax_rows", math().softmax_rows(softmax, stream)); }};
    if (!work.backward) {
      tensors.o = activations.next;
      tensors.probabilities = activations.next + sizes.output_count() * element;
      attention_forward(settings, tensors, steps);
      return;
    }
    tensors.probabilities = activations.next + attention_input_count(sizes) * element;
    tensors.d_o = gradients.recent;
    tensors.dq = gradients.next;
    tensors.dk = tensors.dq + sizes.query_count() * element;
    tensors.dv = tensors.dk + sizes.key_count() * element;
    attention_backward(settings, tensors, steps);
  }

  void run_work(const model::MemoryWork& work, const model::Task& task) {
    const TaskDemand demand = demand_of(task);
    const DeviceOperands activations = memory_.activations.take(demand.activations);
    const DeviceOperands gradients = memory_.activation_gradients.take(demand.activation_gradients);
    ApiStream* const stream = queues_->of(task.stream);
    const RingDemand& down = demand.activation_gradients;
    if (task.phase.pass == Pass::backward) {
      traffic({gradients.recent, down.recent, activations.next, demand.activations.next, gradients.next, down.next},
              work.kernels, stream);
    } else if (demand.weight_gradients.next + demand.weights.next > 0) {
      traffic({memory_.weight_gradients.take(demand.weight_gradients).next, demand.weight_gradients.next, nullptr, 0,
               memory_.weights.take(demand.weights).next, demand.weights.next},
              work.kernels, stream);
    } else {
      traffic({activations.recent, demand.activations.recent, nullptr, 0, activations.next, demand.activations.next},
              work.kernels, stream);
    }
  }

  static constexpr std::int64_t kWord = sizeof(float);

  // In bytes.
  struct Traffic {
    const std::byte* in = nullptr;
    std::int64_t reads = 0;
    const std::byte* kept = nullptr;
    std::int64_t kept_reads = 0;
    std::byte* out = nullptr;
    std::int64_t writes = 0;
  };

  // In as many launches as the work has kernels, each an equal part of the traffic; at least one where there is any.
  void traffic(const Traffic& whole, int kernels, ApiStream* stream) {
    const std::int64_t parts = std::max(kernels, 1);
    for (std::int64_t part = 0; part < parts; ++part) {
      const auto begin = [&](std::int64_t bytes) { return bytes / kWord * part / parts; };
      const auto words = [&](std::int64_t bytes) { return bytes / kWord * (part + 1) / parts - begin(bytes); };
      TrafficCall launch;
      launch.in = whole.in + begin(whole.reads) * kWord;
      launch.reads = words(whole.reads);
      launch.kept = whole.kept + begin(whole.kept_reads) * kWord;
      launch.kept_reads = words(whole.kept_reads);
      launch.out = whole.out + begin(whole.writes) * kWord;
      launch.writes = words(whole.writes);
      launch.sink = memory_.sink.data();
      if (launch.reads + launch.kept_reads + launch.writes > 0)
        call("traffic", math().traffic(launch, stream));
    }
  }

  void run_work(const model::OptimizerWork& work, const model::Task& task) {
    if (work.parameters == 0)
      return;
    const TaskDemand demand = demand_of(task);
    const auto floats = [](std::byte* data) { return reinterpret_cast<float*>(data); };  // NOLINT: device memory
    OptimizerCall update;
    update.count = work.parameters;
    update.weight = floats(memory_.weights.take(demand.weights).next);
    std::byte* const gradient = memory_.weight_gradients.take(demand.weight_gradients).next;
    update.gradient = floats(gradient);
    update.first_moment = floats(memory_.first_moments.take(demand.moments).next);
    update.second_moment = floats(memory_.second_moments.take(demand.moments).next);
    update.rate = 1e-9F;  // below the resolution of the weights: they keep their range however long the run
    constexpr int kAdamBytes = 28;
    constexpr int kMomentumBytes = 20;
    constexpr int kSgdBytes = 12;
    int done = 0;
    if (work.bytes_per_parameter >= kAdamBytes)
      done = kAdamBytes;
    else if (work.bytes_per_parameter >= kMomentumBytes)
      done = kMomentumBytes;
    else if (work.bytes_per_parameter >= kSgdBytes)
      done = kSgdBytes;
    update.rule = done == kAdamBytes       ? UpdateRule::adam
                  : done == kMomentumBytes ? UpdateRule::momentum
                                           : UpdateRule::sgd;
    ApiStream* const stream = queues_->of(task.stream);
    if (done > 0)
      call("optimizer", math().optimizer(update, stream));
    // Traffic beyond that of the update itself, such as gradients set to zero, is added as whole reads of the
    // gradients.
    for (; done < work.bytes_per_parameter; done += static_cast<int>(kWord))
      traffic({gradient, work.parameters * kWord, nullptr, 0, nullptr, 0}, 1, stream);
  }

  void run_work(const model::FixedWork& work, const model::Task& task) {
    const std::int64_t nanoseconds = std::llround(work.duration.count() * 1e9);
    if (nanoseconds > 0)
      call("wait_for", math().wait_for(nanoseconds, queues_->of(task.stream)));
  }

  template <class Other>
  void run_work(const Other&, const model::Task& task) {
    TRAINWRIGHT_EXPECTS(false, "work of kind " + std::to_string(task.work.index()));
  }

  std::shared_ptr<const DeviceQueues> queues_;
  DeviceMemory memory_;
};

}  // namespace

std::unique_ptr<ComputeEngine> make_device_engine(const model::Program& program,
                                                  std::shared_ptr<const DeviceQueues> queues) {
  return std::make_unique<DeviceEngine>(program, std::move(queues));
}

}  // namespace trainwright::executor
