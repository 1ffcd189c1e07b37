// Embedding and loss over a vocabulary split between tensor-parallel ranks (arXiv 1909.08053, section 3).
// SPDX-License-Identifier: Apache-2.0
#include "model/plan/lowering_operators.hpp"

namespace trainwright::model {

void embedding_forward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  const std::int64_t size = c.tokens * op.out_features;
  const int lookup = tasks.compute(c.memory(size, size));
  if (c.tp > 1 && c.plan.model.vocab > 0)
    tasks.collective(c.is_sequence_parallel ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce,
                     GroupAxis::tensor, c.bytes(size), {lookup});
}

void embedding_backward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  const std::int64_t size = c.tokens * op.out_features;
  if (c.is_sequence_parallel && c.plan.model.vocab > 0) {
    const int gather = tasks.collective(CollectiveKind::all_gather, GroupAxis::tensor, c.bytes(size));
    tasks.at(gather).allocates = c.bytes(size);
    const int sum = tasks.compute(c.memory(2 * size, size), {gather}, BackwardPart::weight);
    tasks.at(sum).frees = c.bytes(size);
    return;
  }
  tasks.compute(c.memory(2 * size, size), {}, BackwardPart::weight);
}

void loss_forward(const LoweringContext& c, TaskWriter& tasks) {
  const std::int64_t logits = c.loss_tokens * c.local_vocab();
  const LossTraffic traffic = loss_traffic(c.stack.loss);
  int last = tasks.compute(
      c.traffic(logits * traffic.forward_reads, logits * traffic.forward_writes, traffic.forward_kernels));
  if (c.tp == 1)
    return;
  // Maximum over the ranks; the label's logit and the sum of exponentials.
  for (const int columns : {1, 2}) {
    last = tasks.collective(CollectiveKind::all_reduce, GroupAxis::tensor,
                            tensor_bytes(c.loss_tokens * columns, Precision::fp32), {last});
    std::get<CollectiveWork>(tasks.at(last).work).precision = Precision::fp32;
  }
}

void loss_backward(const LoweringContext& c, TaskWriter& tasks) {
  const std::int64_t logits = c.loss_tokens * c.local_vocab();
  const LossTraffic traffic = loss_traffic(c.stack.loss);
  if (!c.keeps_logits()) {
    const std::int64_t width = c.plan.model.embedding_width > 0 ? c.plan.model.embedding_width : c.plan.model.hidden;
    const int again = tasks.compute(c.gemm(c.chunk_tokens, c.local_vocab(), width, c.plan.job.loss_chunks));
    tasks.at(again).phase.pass = Pass::recompute;
  }
  tasks.compute(c.traffic(logits * traffic.backward_reads, logits * traffic.backward_writes, traffic.backward_kernels),
                {}, BackwardPart::input);
}

}  // namespace trainwright::model
