// SPDX-License-Identifier: Apache-2.0
#include "model/plan/lowering_context.hpp"

#include <algorithm>
#include <cmath>

namespace trainwright::model {
namespace {

std::int64_t divide_rounding_up(std::int64_t value, std::int64_t divisor) {
  return (value + divisor - 1) / divisor;
}

// Work of the fullest rank over the average; a capacity drops what goes beyond.
double expert_load(const Job& job) {
  return job.expert_capacity ? std::min(job.expert_imbalance, *job.expert_capacity) : job.expert_imbalance;
}

std::int64_t scaled(std::int64_t rows, double factor) {
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(rows) * factor));
}

}  // namespace

LoweringContext::LoweringContext(const OperatorGraph& operators, const Plan& a_plan)
    : graph(operators),
      plan(a_plan),
      stack(software_stack(a_plan.job, a_plan.model)),
      recompute(a_plan.layout.recompute),
      stored(activation_precision(a_plan.job.precision)),
      element(tensor_bytes(1, stored).count()),
      tp(a_plan.layout.tp),
      cp(a_plan.layout.cp),
      ep(a_plan.layout.ep),
      etp(a_plan.layout.etp),
      is_sequence_parallel(a_plan.layout.sequence_parallel && a_plan.layout.tp > 1),
      seq(scaled(a_plan.job.seq_len / a_plan.layout.cp, a_plan.job.sequence_fill)),
      tokens(a_plan.layout.micro_batch * seq),
      spread_tokens(is_sequence_parallel ? tokens / tp : tokens),
      loss_tokens(scaled(tokens, a_plan.job.loss_share)),
      routed_tokens(divide_rounding_up(tokens, tp)) {}

std::int64_t LoweringContext::sent_rows(const Operator& op) const {
  return scaled(routed_tokens * op.copies, expert_load(plan.job));
}

std::int64_t LoweringContext::rows_per_expert(const Operator& op) const {
  // The ranks of the expert-tensor group work on the tokens of all of them.
  return divide_rounding_up(sent_rows(op) * etp, local_experts(op));
}

std::int64_t LoweringContext::expert_rows(const Operator& op) const {
  return rows_per_expert(op) * local_experts(op);
}

std::int64_t LoweringContext::rows(const Operator& op) const {
  if (op.experts > 0)
    return expert_rows(op);
  if (op.kind == OperatorKind::router)
    return routed_tokens;
  if (op.kind == OperatorKind::head)
    return loss_tokens;
  return op.split == Split::none ? spread_tokens : tokens;
}

std::int64_t LoweringContext::local_in(const Operator& op) const {
  const bool is_split = op.split == Split::row || op.split == Split::share;
  return is_split ? op.in_features / (op.experts > 0 ? etp : tp) : op.in_features;
}

std::int64_t LoweringContext::local_out(const Operator& op) const {
  if (op.kind == OperatorKind::head)
    return local_vocab();
  if (op.split != Split::column && op.split != Split::share)
    return op.out_features;
  if (op.key_value_features > 0)
    return (op.out_features - op.key_value_features) / tp + 2 * local_kv_heads(op.attention) * op.attention.head_dim;
  return op.out_features / (op.experts > 0 ? etp : tp);
}

std::int64_t LoweringContext::local_kv_heads(const AttentionShape& a) const {
  return std::max<std::int64_t>(1, a.latent ? a.heads / tp : a.kv_heads / tp);
}

std::int64_t LoweringContext::local_vocab() const {
  return padded_vocab(plan.model.vocab, tp) / tp;
}

Work LoweringContext::memory(std::int64_t read_elements, std::int64_t written_elements, int kernels) const {
  return traffic(read_elements * element, written_elements * element, kernels);
}

Work LoweringContext::traffic(std::int64_t read_bytes, std::int64_t written_bytes, int kernels) const {
  return MemoryWork{ByteCount(read_bytes), ByteCount(written_bytes), kernels};
}

Work LoweringContext::gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch) const {
  return GemmWork{m, n, k, batch, plan.job.precision};
}

int TaskWriter::compute(Work work, std::initializer_list<int> after, BackwardPart part) {
  Task task;
  task.work = work;
  return add(std::move(task), after, part);
}

int TaskWriter::collective(CollectiveKind kind, GroupAxis axis, ByteCount bytes, std::initializer_list<int> after) {
  Task task;
  task.work = CollectiveWork{kind, axis, bytes, context_.stored};
  task.stream = Stream::tensor;
  return add(std::move(task), after, BackwardPart::none);
}

int TaskWriter::add(Task task, std::initializer_list<int> after, BackwardPart part) {
  const Operator& op = context_.graph.at(op_);
  task.op = op_;
  task.phase.pass = pass_;
  task.phase.part = part;
  task.phase.layer_begin = op.layer;
  task.phase.layer_end = op.layer < 0 ? -1 : op.layer + 1;
  const auto position = static_cast<int>(out_.tasks.size());
  for (const int before : after)
    if (at(before).stream != task.stream)
      out_.dependencies.emplace_back(before, position);
  if (position == 0)
    out_.heads.push_back(0);
  out_.tasks.push_back(std::move(task));
  out_.output = position;
  return position;
}

}  // namespace trainwright::model
