// SPDX-License-Identifier: Apache-2.0
#include "model/plan/lowering_sizes.hpp"

#include <set>

#include "model/plan/lowering_operators.hpp"

namespace trainwright::model {
namespace {

bool keeps_input(OperatorKind kind) {
  return kind == OperatorKind::norm || kind == OperatorKind::linear || kind == OperatorKind::head ||
         kind == OperatorKind::router;
}

// Under sequence parallelism a column split keeps its input as it came, spread, and gathers it again (arXiv 2205.05198,
// section 4.2.2).
std::int64_t kept_rows(const LoweringContext& c, const Operator& op) {
  const bool is_spread = op.experts == 0 && (op.split == Split::column || op.kind == OperatorKind::head);
  return is_spread ? c.spread_tokens : c.rows(op);
}

// An 8-bit or 4-bit product keeps the quantised input that its weight gradient reads, not the activation.
bool is_quantised(const LoweringContext& c, const Operator& op) {
  return op.kind == OperatorKind::linear && bits_per_element(c.plan.job.precision) < bits_per_element(c.stored);
}

Precision kept_precision(const LoweringContext& c, const Operator& op) {
  return is_quantised(c, op) ? c.plan.job.precision : c.stored;
}

std::string input_name(const Operator& op) {
  switch (op.kind) {
    case OperatorKind::norm:
      return "norm input";
    case OperatorKind::head:
      return "head input";
    case OperatorKind::router:
      return "router input";
    default:
      if (op.split == Split::row)
        return "input of the row-split product";
      return op.experts > 0 ? "tokens of the experts" : "norm output";
  }
}

std::int64_t scores(const LoweringContext& c, const Operator& op) {
  const AttentionWork work = attention_core(c, op.attention);
  return work.batch * work.heads * work.seq_q * work.seq_kv;
}

bool stores_scores(const LoweringContext& c) {
  return c.plan.job.attention == AttentionKernel::unfused;
}

std::vector<SavedTensor> attention_tensors(const LoweringContext& c, const Operator& op) {
  const AttentionWork work = attention_core(c, op.attention);
  const std::int64_t tokens = work.batch * work.seq_q;  // of all context ranks under Ulysses, with fewer heads
  const bool is_ring = c.cp > 1 && c.plan.layout.cp_kind == ContextKind::ring;
  const std::int64_t here = is_ring ? c.tokens : tokens;
  const std::int64_t heads = is_ring ? c.local_heads(op.attention) : work.heads;
  const std::int64_t kv_heads = is_ring ? c.local_kv_heads(op.attention) : work.kv_heads;
  std::vector<SavedTensor> list;
  list.push_back({"queries, keys, values",
                  c.bytes(here * (heads * work.head_dim + kv_heads * (work.head_dim + work.value_head_dim)))});
  // Else the projection after it keeps the same tensor.
  if (bits_per_element(c.plan.job.precision) < bits_per_element(c.stored))
    list.push_back({"attention output", c.bytes(here * heads * work.value_head_dim)});
  if (!stores_scores(c)) {
    list.push_back({"row statistics", tensor_bytes(here * heads, Precision::fp32)});
    return list;
  }
  if (c.recompute == Recompute::selective)
    return list;
  list.push_back({"softmax output", c.bytes(scores(c, op))});
  if (c.stack.has_dropout) {
    list.push_back({"softmax dropout mask", ByteCount(scores(c, op))});
    list.push_back({"softmax output after dropout", c.bytes(scores(c, op))});
  }
  return list;
}

}  // namespace

ByteCount score_bytes(const LoweringContext& c, const Operator& op) {
  if (!stores_scores(c) || c.cp > 1)
    return ByteCount(0);
  const std::int64_t count = scores(c, op);
  return c.bytes(count) + (c.stack.has_dropout ? ByteCount(count) + c.bytes(count) : ByteCount(0));
}

std::vector<SavedTensor> saved_tensors(const LoweringContext& c, const Operator& op, bool shares_input) {
  std::vector<SavedTensor> list;
  if (keeps_input(op.kind) && !shares_input)
    list.push_back({input_name(op), tensor_bytes(kept_rows(c, op) * c.local_in(op), kept_precision(c, op))});
  switch (op.kind) {
    case OperatorKind::attention:
      return attention_tensors(c, op);
    case OperatorKind::activation:
      list.push_back({"activation input", c.bytes(c.rows(op) * c.local_in(op))});
      break;
    case OperatorKind::residual:
      if (c.stack.has_dropout)
        list.push_back({"dropout mask", ByteCount(c.spread_tokens * op.out_features)});
      break;
    case OperatorKind::router:
      list.push_back({"expert scores", tensor_bytes(c.routed_tokens * op.out_features, Precision::fp32)});
      break;
    case OperatorKind::dispatch:  // a 32-bit row number per copy
      list.push_back({"permutation", tensor_bytes(c.sent_rows(op), Precision::fp32)});
      break;
    case OperatorKind::loss:
      for (const LogitCopy& copy : logit_copies(c.stack.loss, static_cast<int>(c.element)))
        if (copy.is_kept)
          list.push_back({copy.name, ByteCount(c.loss_tokens * c.local_vocab() * copy.bytes), MemoryTerm::logits});
      break;
    default:
      break;
  }
  return list;
}

std::int64_t rank_parameters(const LoweringContext& c, const Operator& op) {
  const std::int64_t width = op.in_features;
  switch (op.kind) {
    case OperatorKind::embedding:
      if (op.parameters == 0)
        return 0;
      return padded_vocab(c.plan.model.vocab, c.tp) / c.tp * op.out_features +
             (op.parameters - c.plan.model.vocab * op.out_features);
    case OperatorKind::head: {
      // A tied head on a stage of its own keeps a copy of the embedding.
      const bool is_shared = c.plan.model.tied_embeddings && c.plan.layout.pp == 1;
      return (is_shared ? 0 : c.local_vocab() * width) + (c.plan.model.head_bias ? c.local_vocab() : 0);
    }
    case OperatorKind::linear: {
      const std::int64_t experts = op.experts > 0 ? op.experts : 1;
      const bool has_bias = op.parameters / experts > op.in_features * op.out_features;
      const std::int64_t own = op.experts > 0 ? c.local_experts(op) : 1;
      return own * (c.local_in(op) * c.local_out(op) + (has_bias ? c.local_out(op) : 0));
    }
    case OperatorKind::attention:
      return op.parameters / c.tp;
    default:
      return op.parameters;
  }
}

bool has_matrix(const Operator& op) {
  return op.kind == OperatorKind::linear || op.kind == OperatorKind::head || op.kind == OperatorKind::router;
}

ByteCount layer_input_bytes(const LoweringContext& c) {
  return c.bytes(c.spread_tokens * c.plan.model.hidden);
}

std::vector<bool> shared_inputs(const LoweringContext& c, const std::vector<OperatorId>& part) {
  std::vector<bool> shared;
  std::set<OperatorId> kept;
  for (const OperatorId id : part) {
    bool is_shared = false;
    if (keeps_input(c.graph.at(id).kind))
      for (const OperatorId input : c.graph.inputs(id)) {
        // Keys and values of a cross attention: all decoder layers read one tensor, the first of them counts it.
        const bool is_kept_elsewhere =
            c.graph.at(id).kind == OperatorKind::linear && c.graph.at(input).layer + 1 < c.graph.at(id).layer;
        is_shared = !kept.insert(input).second || is_kept_elsewhere;
      }
    shared.push_back(is_shared);
  }
  return shared;
}

}  // namespace trainwright::model
