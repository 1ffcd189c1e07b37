// SPDX-License-Identifier: Apache-2.0
#include "model/plan/lowering.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/base/contract.hpp"
#include "model/plan/chain_builder.hpp"
#include "model/plan/lowering_operators.hpp"
#include "model/plan/lowering_sizes.hpp"

namespace trainwright::model {
namespace {

struct Kept {
  ByteCount activations;
  ByteCount logits;
};

class PartLowering {
 public:
  PartLowering(const LoweringContext& context, const std::vector<OperatorId>& operators)
      : c_(context), operators_(operators), shared_(shared_inputs(context, operators)) {
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const Operator& op = c_.graph.at(operators[i]);
      inputs_.push_back(c_.graph.inputs(operators[i]));
      for (const OperatorId input : inputs_.back())
        consumers_[input].push_back(operators[i]);
      Kept kept;
      for (const SavedTensor& tensor : saved_tensors(c_, op, shared_[i]))
        (tensor.term == MemoryTerm::logits ? kept.logits : kept.activations) += tensor.bytes;
      kept_.push_back(kept);
    }
    const bool is_layer = !operators.empty() && c_.graph.at(operators.front()).layer >= 0 &&
                          c_.graph.at(operators.front()).layer < layer_count(c_.plan.model);
    keeps_inputs_only_ = is_layer && c_.recompute == Recompute::full;
  }

  LoweredPart run() {
    LoweredPart part;
    ChainBuilder forward;
    add_forward(forward, Pass::forward);
    part.forward = forward.take();
    ChainBuilder backward;
    if (keeps_inputs_only_) {
      add_forward(backward, Pass::recompute);
      backward.begin_pass();
    }
    add_backward(backward);
    part.backward = backward.take();
    if (keeps_inputs_only_ && !part.forward.tasks.empty()) {
      part.forward.tasks.front().allocates += layer_input_bytes(c_);
      part.backward.tasks.back().frees += layer_input_bytes(c_);
    }
    for (const OperatorId id : operators_) {
      const Operator& op = c_.graph.at(id);
      const std::int64_t own = rank_parameters(c_, op);
      part.parameters += own;
      if (op.experts > 0)
        part.expert_parameters += own;
    }
    return part;
  }

 private:
  void add_forward(ChainBuilder& chain, Pass pass) {
    const bool keeps = !(keeps_inputs_only_ && pass == Pass::forward);
    for (std::size_t i = 0; i < operators_.size(); ++i) {
      OperatorTasks tasks = lower_forward(c_, operators_[i], pass);
      if (!tasks.tasks.empty()) {
        if (keeps)
          keep(tasks.tasks.front(), kept_[i]);
        if (c_.graph.at(operators_[i]).kind == OperatorKind::loss)
          hold_forward_logits(tasks, keeps);
      }
      chain.add(operators_[i], std::move(tasks), inputs_[i]);
    }
  }

  void add_backward(ChainBuilder& chain) {
    std::int64_t summed = 0;
    auto products_left = std::count_if(operators_.begin(), operators_.end(),
                                       [this](OperatorId id) { return has_matrix(c_.graph.at(id)); });
    for (std::size_t i = operators_.size(); i-- > 0;) {
      const OperatorId id = operators_[i];
      const Operator& op = c_.graph.at(id);
      const std::vector<OperatorId>& consumers = consumers_[id];
      OperatorTasks tasks = lower_backward(c_, id, consumers.size());
      if (!tasks.tasks.empty()) {
        recompute_core(tasks, op);
        release(tasks.tasks.back(), kept_[i]);
        if (op.kind == OperatorKind::loss)
          hold_logit_gradients(tasks);
      } else if (kept_[i].activations.count() > 0) {
        passed_on_ += kept_[i].activations;
      }
      if (!tasks.tasks.empty() && passed_on_.count() > 0) {
        tasks.tasks.front().frees += passed_on_;
        passed_on_ = ByteCount(0);
      }
      chain.add(id, std::move(tasks), consumers);
      if (!has_matrix(op))
        continue;
      summed += rank_parameters(c_, op);
      if (--products_left == 0)
        add_gradient_sum(chain, summed);
    }
  }

  static void keep(Task& first, const Kept& kept) {
    first.term = kept.logits.count() > 0 ? MemoryTerm::logits : MemoryTerm::activations;
    first.allocates += kept.logits.count() > 0 ? kept.logits : kept.activations;
  }
  static void release(Task& last, const Kept& kept) {
    last.term = kept.logits.count() > 0 ? MemoryTerm::logits : MemoryTerm::activations;
    last.frees += kept.logits.count() > 0 ? kept.logits : kept.activations;
  }

  // Copies of the logits that live only during the loss, or from its backward pass to the head's.
  void hold_forward_logits(OperatorTasks& tasks, bool keeps) const {
    ByteCount transient;
    for (const LogitCopy& copy : logit_copies(c_.stack.loss, static_cast<int>(c_.element)))
      if (copy.is_forward && !(copy.is_kept && keeps))
        transient += ByteCount(c_.loss_tokens * c_.local_vocab() * copy.bytes);
    tasks.tasks.front().term = tasks.tasks.back().term = MemoryTerm::logits;
    tasks.tasks.front().allocates += transient;
    tasks.tasks.back().frees += transient;
  }
  void hold_logit_gradients(OperatorTasks& tasks) const {
    ByteCount transient;
    for (const LogitCopy& copy : logit_copies(c_.stack.loss, static_cast<int>(c_.element)))
      if (!copy.is_forward)
        transient += ByteCount(c_.loss_tokens * c_.local_vocab() * copy.bytes);
    tasks.tasks.front().term = tasks.tasks.back().term = MemoryTerm::logits;
    tasks.tasks.front().allocates += transient;
    tasks.tasks.back().frees += transient;
  }

  // Selective recomputation: the scores again, just before their gradients (arXiv 2205.05198, section 5).
  void recompute_core(OperatorTasks& tasks, const Operator& op) const {
    if (op.kind != OperatorKind::attention || c_.recompute != Recompute::selective)
      return;
    const ByteCount scores = score_bytes(c_, op);
    if (scores.count() == 0)
      return;
    Task core = tasks.tasks.front();
    core.work = attention_core(c_, op.attention);
    core.phase.pass = Pass::recompute;
    core.phase.part = BackwardPart::none;
    core.allocates = scores;
    core.frees = ByteCount(0);
    tasks.tasks.insert(tasks.tasks.begin(), std::move(core));
    tasks.output = static_cast<int>(tasks.tasks.size()) - 1;
    tasks.tasks.back().frees += scores;
  }

  // Weight gradients join those of earlier micro-batches: one pass over all of the part, after its last product.
  void add_gradient_sum(ChainBuilder& chain, std::int64_t parameters) const {
    const GradientSum sum = c_.stack.gradient_sum;
    const bool is_first_free = sum == GradientSum::kernel_16;
    if (parameters == 0 || sum == GradientSum::in_product ||
        (is_first_free && micro_batches(c_.plan.layout, c_.plan.job.global_batch) == 1))
      return;
    const int kernels = sum == GradientSum::fused_fp32 ? 0 : 1;
    Task task;
    task.work = c_.traffic(parameters * gradient_sum_reads(sum), parameters * gradient_sum_writes(sum), kernels);
    task.phase.pass = Pass::backward;
    task.phase.part = BackwardPart::weight;
    const Operator& op = c_.graph.at(operators_.front());
    task.phase.layer_begin = op.layer;
    task.phase.layer_end = op.layer < 0 ? -1 : op.layer + 1;
    chain.add_beside(std::move(task));
  }

  const LoweringContext& c_;
  const std::vector<OperatorId>& operators_;
  std::vector<bool> shared_;
  std::vector<std::vector<OperatorId>> inputs_;
  std::map<OperatorId, std::vector<OperatorId>> consumers_;
  std::vector<Kept> kept_;
  bool keeps_inputs_only_ = false;
  ByteCount passed_on_;  // kept by an operator without a backward task
};

}  // namespace

OperatorTasks lower_forward(const LoweringContext& c, OperatorId id, Pass pass) {
  const Operator& op = c.graph.at(id);
  TaskWriter tasks(c, id, pass);
  switch (op.kind) {
    case OperatorKind::embedding:
      embedding_forward(c, op, tasks);
      break;
    case OperatorKind::linear:
    case OperatorKind::head:
      linear_forward(c, op, tasks);
      break;
    case OperatorKind::attention:
      attention_forward(c, op, tasks);
      break;
    case OperatorKind::norm:
    case OperatorKind::rotary:
    case OperatorKind::activation:
    case OperatorKind::residual:
      elementwise_forward(c, op, tasks);
      break;
    case OperatorKind::loss:
      loss_forward(c, tasks);
      break;
    case OperatorKind::router:
      router_forward(c, op, tasks);
      break;
    case OperatorKind::dispatch:
      send_to_experts(c, op, true, tasks);
      break;
    case OperatorKind::combine:
      return_from_experts(c, op, tasks);
      break;
    case OperatorKind::weights:
      break;
  }
  return tasks.take();
}

OperatorTasks lower_backward(const LoweringContext& c, OperatorId id, std::size_t consumers) {
  const Operator& op = c.graph.at(id);
  TaskWriter tasks(c, id, Pass::backward);
  switch (op.kind) {
    case OperatorKind::embedding:
      embedding_backward(c, op, tasks);
      break;
    case OperatorKind::linear:
    case OperatorKind::head:
      linear_backward(c, op, tasks);
      break;
    case OperatorKind::attention:
      attention_backward(c, op, tasks);
      break;
    case OperatorKind::norm:
    case OperatorKind::rotary:
    case OperatorKind::activation:
    case OperatorKind::residual:
      elementwise_backward(c, op, consumers, tasks);
      break;
    case OperatorKind::loss:
      loss_backward(c, tasks);
      break;
    case OperatorKind::router:
      router_backward(c, op, tasks);
      break;
    case OperatorKind::dispatch:
      return_from_experts(c, op, tasks);
      break;
    case OperatorKind::combine:
      send_to_experts(c, op, false, tasks);
      break;
    case OperatorKind::weights:
      break;
  }
  return tasks.take();
}

Precision message_precision(const Job& job) {
  return activation_precision(job.precision);
}

ByteCount boundary_bytes(const Plan& plan) {
  const Layout& layout = plan.layout;
  // Under sequence parallelism the activations between layers are spread over the tensor group already.
  const std::int64_t spread = layout.sequence_parallel ? layout.tp : 1;
  const double seq = static_cast<double>(plan.job.seq_len / layout.cp) * plan.job.sequence_fill;
  const std::int64_t tokens = layout.micro_batch * static_cast<std::int64_t>(std::ceil(seq)) / spread;
  return tensor_bytes(tokens * plan.model.hidden, message_precision(plan.job));
}

LoweredPart lower(const OperatorGraph& graph, const std::vector<OperatorId>& operators, const Plan& plan,
                  Recompute recompute) {
  LoweringContext context(graph, plan);
  context.recompute = recompute;
  return PartLowering(context, operators).run();
}

}  // namespace trainwright::model
