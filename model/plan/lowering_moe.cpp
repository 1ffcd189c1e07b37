// Mixture-of-experts layers as in Megatron-Core's all-to-all dispatcher: router, permutation, all-to-all over the
// expert group, all-gather over the expert-tensor group, products of the local experts, and back (GShard, arXiv
// 2006.16668, section 3.2; MegaBlocks, arXiv 2211.15841, section 5).
// SPDX-License-Identifier: Apache-2.0
#include "model/plan/lowering_operators.hpp"

namespace trainwright::model {
namespace {

// Cast, softmax, choice, normalisation, counts, permutation map: each over one fp32 score per token and expert.
constexpr int kRouterKernels = 6;

bool arrives_unsorted(const LoweringContext& c, const Operator& op) {
  return c.local_experts(op) > 1 && (c.ep > 1 || c.etp > 1);
}

Work router_traffic(const LoweringContext& c, const Operator& op) {
  const std::int64_t scores = c.routed_tokens * op.out_features * 4;
  return c.traffic(kRouterKernels * scores, kRouterKernels * scores, kRouterKernels);
}

}  // namespace

void router_forward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  tasks.compute(c.gemm(c.routed_tokens, op.out_features, op.in_features));
  tasks.compute(router_traffic(c, op));
}

void router_backward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  tasks.compute(router_traffic(c, op), {}, BackwardPart::input);
  const int result = tasks.compute(c.gemm(c.routed_tokens, op.in_features, op.out_features), {}, BackwardPart::input);
  tasks.compute(c.gemm(op.in_features, op.out_features, c.routed_tokens), {}, BackwardPart::weight);
  tasks.output(result);
}

void send_to_experts(const LoweringContext& c, const Operator& op, bool is_first, TaskWriter& tasks) {
  const std::int64_t h = op.out_features;
  const BackwardPart part = is_first ? BackwardPart::none : BackwardPart::input;
  int last = tasks.compute(c.memory(c.routed_tokens * h, c.sent_rows(op) * h), {}, part);
  // The host reads how many tokens go where before it can size the messages; later passes know.
  if (is_first && c.plan.constants.host.expert_layer_s > 0.0)
    last = tasks.compute(FixedWork{Seconds(c.plan.constants.host.expert_layer_s), true});
  if (c.ep > 1)
    last = tasks.collective(CollectiveKind::all_to_all, GroupAxis::expert, c.bytes(c.sent_rows(op) * h), {last});
  if (c.etp > 1)
    last = tasks.collective(CollectiveKind::all_gather, GroupAxis::expert_tensor, c.bytes(c.sent_rows(op) * c.etp * h),
                            {last});
  if (arrives_unsorted(c, op))
    tasks.compute(c.memory(c.expert_rows(op) * h, c.expert_rows(op) * h), {last}, part);
}

void return_from_experts(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  const std::int64_t h = op.out_features;
  const bool is_backward = op.kind == OperatorKind::dispatch;
  const BackwardPart part = is_backward ? BackwardPart::input : BackwardPart::none;
  int last = -1;
  if (arrives_unsorted(c, op))
    last = tasks.compute(c.memory(c.expert_rows(op) * h, c.expert_rows(op) * h), {}, part);
  const auto communicate = [&](CollectiveKind kind, GroupAxis axis, std::int64_t elements) {
    last = last < 0 ? tasks.collective(kind, axis, c.bytes(elements))
                    : tasks.collective(kind, axis, c.bytes(elements), {last});
  };
  if (c.etp > 1)
    communicate(CollectiveKind::reduce_scatter, GroupAxis::expert_tensor, c.sent_rows(op) * c.etp * h);
  if (c.ep > 1)
    communicate(CollectiveKind::all_to_all, GroupAxis::expert, c.sent_rows(op) * h);
  const Work sum = c.memory(c.sent_rows(op) * h, c.routed_tokens * h);
  last = last < 0 ? tasks.compute(sum, {}, part) : tasks.compute(sum, {last}, part);
  // Without sequence parallelism every rank of the tensor group holds all tokens again.
  if (c.tp > 1 && !c.is_sequence_parallel)
    communicate(CollectiveKind::all_gather, GroupAxis::tensor, c.routed_tokens * c.tp * h);
}

}  // namespace trainwright::model
