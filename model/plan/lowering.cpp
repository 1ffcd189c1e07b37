// SPDX-License-Identifier: Apache-2.0
#include "model/plan/lowering.hpp"

#include <algorithm>
#include <map>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

// The tasks of one operator in one pass and the one whose end makes its result available.
struct OperatorTasks {
  std::vector<Task> tasks;
  std::vector<std::pair<int, int>> dependencies;
  int output = -1;
};

class Lowering {
 public:
  Lowering(const OperatorGraph& graph, const Plan& plan)
      : graph_(graph),
        plan_(plan),
        tp_(plan.layout.tp),
        seq_(plan.job.seq_len / plan.layout.cp),
        tokens_(plan.layout.micro_batch * seq_),
        stored_(activation_precision(plan.job.precision)),
        element_(tensor_bytes(1, stored_).count()) {}

  OperatorTasks forward(OperatorId id) {
    const Operator& op = graph_.at(id);
    OperatorTasks out;
    switch (op.kind) {
      case OperatorKind::embedding:
        add(out, id, memory(tokens_ * op.out_features, tokens_ * op.out_features, 1), Pass::forward);
        reduce_over_tensor(out, id, op.out_features, Pass::forward);
        break;
      case OperatorKind::linear:
      case OperatorKind::head:
        add(out, id, gemm(tokens_, local_out(op), local_in(op)), Pass::forward);
        if (op.split == Split::row)
          reduce_over_tensor(out, id, op.out_features, Pass::forward);
        break;
      case OperatorKind::norm:
        add(out, id, memory(tokens_ * op.in_features, tokens_ * op.out_features, 1), Pass::forward);
        break;
      case OperatorKind::rotary:
        add(out, id, memory(rotated(op), rotated(op), 1), Pass::forward);
        break;
      case OperatorKind::attention:
        add(out, id, attention(op, false), Pass::forward);
        break;
      case OperatorKind::activation:
        add(out, id, memory(tokens_ * local_in(op), tokens_ * local_out(op), 1), Pass::forward);
        break;
      case OperatorKind::residual:
        add(out, id, memory(tokens_ * op.in_features, tokens_ * op.out_features, 1), Pass::forward);
        break;
      case OperatorKind::loss: {
        // Maximum, sum of exponentials with the label's logit, then probabilities; two small sums over the TP group.
        const std::int64_t logits = tokens_ * local_vocab();
        add(out, id, memory(2 * logits, logits, 3), Pass::forward);
        if (tp_ > 1) {
          for (const int columns : {1, 2}) {
            Task task = collective(CollectiveKind::all_reduce, tensor_bytes(tokens_ * columns, Precision::fp32));
            std::get<CollectiveWork>(task.work).precision = Precision::fp32;
            depend_on_last(out, id, std::move(task), Pass::forward);
          }
        }
        break;
      }
    }
    Task& first = out.tasks.front();
    first.allocates = saved(op);
    first.term = op.kind == OperatorKind::loss ? MemoryTerm::logits : MemoryTerm::activations;
    return out;
  }

  OperatorTasks backward(OperatorId id) {
    const Operator& op = graph_.at(id);
    OperatorTasks out;
    switch (op.kind) {
      case OperatorKind::embedding:
        add(out, id, memory(2 * tokens_ * op.out_features, tokens_ * op.out_features, 1), Pass::backward,
            BackwardPart::weight);
        break;
      case OperatorKind::linear:
      case OperatorKind::head: {
        // The sum of the input gradient over the TP group runs beside the weight gradient.
        add(out, id, gemm(tokens_, local_in(op), local_out(op)), Pass::backward, BackwardPart::input);
        if (op.split == Split::column && tp_ > 1)
          depend_on_last(out, id, collective(CollectiveKind::all_reduce, tokens_bytes(op.in_features)), Pass::backward);
        const int result = out.output;
        add(out, id, gemm(local_in(op), local_out(op), tokens_), Pass::backward, BackwardPart::weight);
        out.output = result;
        break;
      }
      case OperatorKind::norm:
        // Reads its input, the gradient of its output and the gradient that bypasses it.
        add(out, id, memory(3 * tokens_ * op.in_features, tokens_ * op.in_features, 2), Pass::backward,
            BackwardPart::input);
        break;
      case OperatorKind::rotary:
        add(out, id, memory(rotated(op), rotated(op), 1), Pass::backward, BackwardPart::input);
        break;
      case OperatorKind::attention:
        add(out, id, attention(op, true), Pass::backward, BackwardPart::input);
        break;
      case OperatorKind::activation:
        add(out, id, memory(tokens_ * (local_in(op) + local_out(op)), tokens_ * local_in(op), 1), Pass::backward,
            BackwardPart::input);
        break;
      case OperatorKind::residual:
        break;  // the gradient passes unchanged; norm backward adds the branches
      case OperatorKind::loss:
        add(out, id, memory(tokens_ * local_vocab(), tokens_ * local_vocab(), 1), Pass::backward, BackwardPart::input);
        break;
    }
    if (!out.tasks.empty()) {
      Task& last = out.tasks.back();
      last.frees = saved(op);
      last.term = op.kind == OperatorKind::loss ? MemoryTerm::logits : MemoryTerm::activations;
    }
    return out;
  }

  [[nodiscard]] std::int64_t parameters(const Operator& op) const {
    const std::int64_t h = plan_.model.hidden;
    switch (op.kind) {
      case OperatorKind::embedding:
        return padded_vocab(plan_.model.vocab, tp_) / tp_ * h + (op.parameters - plan_.model.vocab * h);
      case OperatorKind::head:
        // A tied head on a stage of its own keeps a copy of the embedding.
        return op.parameters == 0 && plan_.layout.pp == 1 ? 0 : local_vocab() * h;
      case OperatorKind::linear: {
        const std::int64_t bias = op.parameters - op.in_features * op.out_features;
        return local_in(op) * local_out(op) + (op.split == Split::column ? bias / tp_ : bias);
      }
      default:
        return op.parameters;
    }
  }

 private:
  [[nodiscard]] std::int64_t local_vocab() const { return padded_vocab(plan_.model.vocab, tp_) / tp_; }
  [[nodiscard]] std::int64_t kv_heads_here(const AttentionShape& a) const {
    return std::max<std::int64_t>(1, a.kv_heads / tp_);  // fewer key-value heads than ranks: replicated
  }
  [[nodiscard]] std::int64_t local_in(const Operator& op) const {
    return op.split == Split::row || op.split == Split::share ? op.in_features / tp_ : op.in_features;
  }
  [[nodiscard]] std::int64_t local_out(const Operator& op) const {
    if (op.kind == OperatorKind::head)
      return local_vocab();
    return op.split == Split::column || op.split == Split::share ? op.out_features / tp_ : op.out_features;
  }
  [[nodiscard]] std::int64_t rotated(const Operator& op) const {
    return tokens_ * (op.attention.heads / tp_ + kv_heads_here(op.attention)) * op.attention.head_dim;
  }
  [[nodiscard]] ByteCount tokens_bytes(std::int64_t features) const {
    return tensor_bytes(tokens_ * features, stored_);
  }

  // Tensors kept from forward to backward (arXiv 2205.05198, section 4.1, without dropout masks).
  [[nodiscard]] ByteCount saved(const Operator& op) const {
    switch (op.kind) {
      case OperatorKind::linear:
      case OperatorKind::head:
        return tokens_bytes(local_in(op));
      case OperatorKind::norm:
        return tokens_bytes(op.in_features);
      case OperatorKind::attention: {
        const AttentionShape& a = op.attention;
        ByteCount bytes = tokens_bytes((a.heads / tp_ + 2 * kv_heads_here(a)) * a.head_dim);
        if (plan_.job.attention == AttentionKernel::unfused)  // scores and probabilities
          bytes += 2 * tensor_bytes(plan_.layout.micro_batch * a.heads / tp_ * seq_ * plan_.job.seq_len, stored_);
        else  // one statistic per query row
          bytes += tensor_bytes(tokens_ * a.heads / tp_, Precision::fp32);
        return bytes;
      }
      case OperatorKind::activation:
        return tokens_bytes(local_in(op));
      case OperatorKind::loss:
        return tensor_bytes(tokens_ * local_vocab(), Precision::fp32);
      case OperatorKind::embedding:
      case OperatorKind::rotary:
      case OperatorKind::residual:
        return ByteCount(0);
    }
    return ByteCount(0);
  }

  [[nodiscard]] Work memory(std::int64_t read, std::int64_t written, int kernels) const {
    return MemoryWork{ByteCount(read * element_), ByteCount(written * element_), kernels};
  }
  [[nodiscard]] Work gemm(std::int64_t m, std::int64_t n, std::int64_t k) const {
    return GemmWork{m, n, k, 1, plan_.job.precision};
  }
  [[nodiscard]] Work attention(const Operator& op, bool backward) const {
    const AttentionShape& a = op.attention;
    AttentionWork work;
    work.batch = plan_.layout.micro_batch;
    work.seq_q = seq_;
    work.seq_kv = a.window > 0 ? std::min(a.window, plan_.job.seq_len) : plan_.job.seq_len;
    work.heads = a.heads / tp_;
    work.kv_heads = kv_heads_here(a);
    work.head_dim = a.head_dim;
    work.value_head_dim = a.head_dim;
    work.causal = a.causal;
    work.backward = backward;
    work.fused = plan_.job.attention == AttentionKernel::flash;
    work.precision = stored_;
    return work;
  }
  [[nodiscard]] Task collective(CollectiveKind kind, ByteCount bytes) const {
    Task task;
    task.work = CollectiveWork{kind, GroupAxis::tensor, bytes, stored_};
    task.stream = Stream::tensor;
    return task;
  }

  static void set_phase(Task& task, const Operator& op, Pass pass, BackwardPart part) {
    task.phase.pass = pass;
    task.phase.part = part;
    task.phase.layer_begin = op.layer;
    task.phase.layer_end = op.layer < 0 ? -1 : op.layer + 1;
  }

  void add(OperatorTasks& out, OperatorId id, Work work, Pass pass, BackwardPart part = BackwardPart::none) {
    Task task;
    task.work = work;
    task.op = id;
    set_phase(task, graph_.at(id), pass, part);
    out.tasks.push_back(task);
    out.output = static_cast<int>(out.tasks.size()) - 1;
  }

  void depend_on_last(OperatorTasks& out, OperatorId id, Task task, Pass pass) {
    task.op = id;
    set_phase(task, graph_.at(id), pass, BackwardPart::none);
    out.dependencies.emplace_back(out.output, static_cast<int>(out.tasks.size()));
    out.tasks.push_back(std::move(task));
    out.output = static_cast<int>(out.tasks.size()) - 1;
  }

  void reduce_over_tensor(OperatorTasks& out, OperatorId id, std::int64_t features, Pass pass) {
    if (tp_ > 1)
      depend_on_last(out, id, collective(CollectiveKind::all_reduce, tokens_bytes(features)), pass);
  }

  const OperatorGraph& graph_;
  const Plan& plan_;
  int tp_;
  std::int64_t seq_;
  std::int64_t tokens_;
  Precision stored_;
  std::int64_t element_;
};

// Strings operators together; `sources` gives for an operator those whose result it needs.
class ChainBuilder {
 public:
  template <class Sources>
  void add(OperatorId id, OperatorTasks lowered, const Sources& sources) {
    Need need = need_of(sources);
    if (lowered.tasks.empty()) {  // passes its input on: its consumers wait for what it would have waited for
      available_[id] = std::move(need);
      return;
    }
    const auto first = static_cast<int>(chain_.tasks.size());
    for (const TaskId task : need.tasks)
      if (chain_.tasks[task.index()].stream != lowered.tasks.front().stream)
        chain_.dependencies.push_back({task, TaskId(first)});
    if (need.outside)
      chain_.entries.push_back(TaskId(first));
    for (const auto& [before, after] : lowered.dependencies)
      chain_.dependencies.push_back({TaskId(first + before), TaskId(first + after)});
    for (Task& task : lowered.tasks)
      chain_.tasks.push_back(std::move(task));
    const TaskId output(first + lowered.output);
    available_[id] = {{output}, false};
    chain_.output = output;
  }

  TaskChain take() {
    std::stable_sort(chain_.dependencies.begin(), chain_.dependencies.end(),
                     [](const Dependency& a, const Dependency& b) { return a.after < b.after; });
    return std::move(chain_);
  }

 private:
  // What must have ended before a result can be used; `outside`: something before the chain.
  struct Need {
    std::vector<TaskId> tasks;
    bool outside = false;
  };

  template <class Sources>
  Need need_of(const Sources& sources) const {
    Need need;
    need.outside = sources.empty();
    for (const OperatorId source : sources) {
      const auto found = available_.find(source);
      if (found == available_.end()) {
        need.outside = true;
        continue;
      }
      need.tasks.insert(need.tasks.end(), found->second.tasks.begin(), found->second.tasks.end());
      need.outside = need.outside || found->second.outside;
    }
    return need;
  }

  TaskChain chain_;
  std::map<OperatorId, Need> available_;
};

}  // namespace

StateRecipe state_recipe(const Job& job) {
  const bool adam = job.optimizer == OptimizerKind::adam;
  const int moments = adam ? 8 : (job.optimizer == OptimizerKind::sgd_momentum ? 4 : 0);
  if (activation_precision(job.precision) == Precision::fp32)
    return {4, 4, 0, moments, 4 + 2 * 4 + 2 * moments};
  const int gradient = job.framework.rfind("megatron", 0) == 0 ? 4 : 2;
  return {2, gradient, 4, moments, gradient + 2 * 4 + 2 * moments + 2};
}

Precision message_precision(const Job& job) {
  return activation_precision(job.precision);
}

ByteCount boundary_bytes(const Plan& plan) {
  const std::int64_t tokens = plan.layout.micro_batch * (plan.job.seq_len / plan.layout.cp);
  return tensor_bytes(tokens * plan.model.hidden, message_precision(plan.job));
}

LoweredPart lower(const OperatorGraph& graph, const std::vector<OperatorId>& operators, const Plan& plan) {
  Lowering lowering(graph, plan);
  LoweredPart part;
  ChainBuilder forward;
  std::map<OperatorId, std::vector<OperatorId>> consumers;
  for (const OperatorId id : operators) {
    const std::vector<OperatorId> inputs = graph.inputs(id);
    for (const OperatorId input : inputs)
      consumers[input].push_back(id);
    forward.add(id, lowering.forward(id), inputs);
    part.parameters += lowering.parameters(graph.at(id));
  }
  part.forward = forward.take();
  ChainBuilder backward;
  for (auto it = operators.rbegin(); it != operators.rend(); ++it)
    backward.add(*it, lowering.backward(*it), consumers[*it]);
  part.backward = backward.take();
  return part;
}

}  // namespace trainwright::model
