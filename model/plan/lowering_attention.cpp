// The attention core on one rank, alone or with context parallelism: ring attention (H. Liu et al., arXiv 2310.01889)
// with the balanced order of causal blocks (Striped Attention, arXiv 2311.09431; Megatron-Core cuts 2 cp chunks), or
// DeepSpeed-Ulysses (arXiv 2309.14509).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "model/plan/lowering_operators.hpp"

namespace trainwright::model {
namespace {

AttentionWork core(const LoweringContext& c, const AttentionShape& a, std::int64_t seq_q, std::int64_t seq_kv,
                   std::int64_t heads, std::int64_t kv_heads) {
  AttentionWork work;
  work.batch = c.plan.layout.micro_batch;
  work.seq_q = seq_q;
  work.seq_kv = seq_kv;
  work.heads = heads;
  work.kv_heads = kv_heads;
  work.head_dim = query_head_dim(a);
  work.value_head_dim = value_head_dim(a);
  work.causal = a.causal;
  work.fused = c.plan.job.attention == AttentionKernel::flash;
  work.precision = c.stored;
  return work;
}

// A fused kernel visits the keys inside the window only: in the mean w - w^2 / (2 s) of them under a causal mask,
// since the first queries see fewer. An unfused one computes all scores and masks them.
void limit_to_window(AttentionWork& work, const AttentionShape& a) {
  if (!work.fused || a.window <= 0 || a.window >= work.seq_kv)
    return;
  const double w = static_cast<double>(a.window);
  const double s = static_cast<double>(work.seq_kv);
  work.seq_kv = std::max<std::int64_t>(1, std::llround(a.causal ? w - w * w / (2.0 * s) : w));
  work.causal = false;
}

// Elements of keys and values of `tokens` tokens.
std::int64_t key_value_elements(const AttentionShape& a, std::int64_t tokens, std::int64_t kv_heads) {
  return tokens * kv_heads * (query_head_dim(a) + value_head_dim(a));
}

bool is_ring(const LoweringContext& c) {
  return c.cp > 1 && c.plan.layout.cp_kind == ContextKind::ring;
}

// Blocks of a rank: its own keys first, then cp - 1 of others, of which a causal mask leaves half.
AttentionWork ring_block(const LoweringContext& c, const AttentionShape& a, int step, bool backward) {
  AttentionWork work = core(c, a, c.seq, c.seq, c.local_heads(a), c.local_kv_heads(a));
  work.backward = backward;
  if (step > 0 && a.causal) {
    work.seq_kv = c.seq / 2;
    work.causal = false;
  }
  return work;
}

// Keys and values of the next block travel while this one is computed: a shift may start when the one before has ended
// and the block that used its target buffer is done.
void ring_forward(const LoweringContext& c, const AttentionShape& a, TaskWriter& tasks) {
  const ByteCount message = c.bytes(key_value_elements(a, c.tokens, c.local_kv_heads(a)));
  int shift = tasks.collective(CollectiveKind::ring_shift, GroupAxis::context, message);
  tasks.at(shift).allocates = message;
  int block = tasks.compute(ring_block(c, a, 0, false));
  tasks.head(block);
  for (int step = 1; step < c.cp; ++step) {
    const int arrived = shift;
    if (step + 1 < c.cp)
      shift = tasks.collective(CollectiveKind::ring_shift, GroupAxis::context, message, {block});
    block = tasks.compute(ring_block(c, a, step, false), {arrived});
  }
  tasks.at(block).frees = message;
}

// Keys, values and their gradients travel on: the gradients once more than the keys, to get home.
void ring_backward(const LoweringContext& c, const AttentionShape& a, TaskWriter& tasks) {
  const ByteCount message = c.bytes(key_value_elements(a, c.tokens, c.local_kv_heads(a)));
  int shift = tasks.collective(CollectiveKind::ring_shift, GroupAxis::context, message);
  tasks.at(shift).allocates = 2 * message;
  int block = tasks.compute(ring_block(c, a, 0, true), {}, BackwardPart::input);
  tasks.head(block);
  for (int step = 1; step < c.cp; ++step) {
    const int arrived = shift;
    if (step + 1 < c.cp)
      shift = tasks.collective(CollectiveKind::ring_shift, GroupAxis::context, 2 * message, {block});
    block = tasks.compute(ring_block(c, a, step, true), {arrived}, BackwardPart::input);
  }
  const int home = tasks.collective(CollectiveKind::ring_shift, GroupAxis::context, message, {block});
  tasks.at(home).frees = 2 * message;
}

struct UlyssesSizes {
  std::int64_t heads;
  std::int64_t kv_heads;
  ByteCount inputs;  // queries, keys, values of the rank's tokens
  ByteCount outputs;
};

// Key-value heads are replicated up to the number of context ranks before they are exchanged.
UlyssesSizes ulysses_sizes(const LoweringContext& c, const AttentionShape& a) {
  const std::int64_t kv_heads = std::max<std::int64_t>(c.local_kv_heads(a), c.cp);
  const std::int64_t heads = c.local_heads(a);
  return {heads / c.cp, kv_heads / c.cp,
          c.bytes(c.tokens * heads * query_head_dim(a) + key_value_elements(a, c.tokens, kv_heads)),
          c.bytes(c.tokens * heads * value_head_dim(a))};
}

}  // namespace

AttentionWork attention_core(const LoweringContext& c, const AttentionShape& a) {
  AttentionWork work = core(c, a, c.seq * c.cp, c.seq * c.cp, c.local_heads(a), c.local_kv_heads(a));
  if (c.cp > 1) {
    const UlyssesSizes sizes = ulysses_sizes(c, a);
    work.heads = sizes.heads;
    work.kv_heads = sizes.kv_heads;
  }
  limit_to_window(work, a);
  return work;
}

void attention_forward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  if (is_ring(c))
    return ring_forward(c, op.attention, tasks);
  const AttentionWork work = attention_core(c, op.attention);
  if (c.cp == 1) {
    tasks.compute(work);
    return;
  }
  const UlyssesSizes sizes = ulysses_sizes(c, op.attention);
  const int heads = tasks.collective(CollectiveKind::all_to_all, GroupAxis::context, sizes.inputs);
  const int result = tasks.compute(work, {heads});
  tasks.collective(CollectiveKind::all_to_all, GroupAxis::context, sizes.outputs, {result});
}

void attention_backward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  if (is_ring(c))
    return ring_backward(c, op.attention, tasks);
  AttentionWork work = attention_core(c, op.attention);
  work.backward = true;
  if (c.cp == 1) {
    tasks.compute(work, {}, BackwardPart::input);
    return;
  }
  const UlyssesSizes sizes = ulysses_sizes(c, op.attention);
  const int heads = tasks.collective(CollectiveKind::all_to_all, GroupAxis::context, sizes.outputs);
  const int result = tasks.compute(work, {heads}, BackwardPart::input);
  tasks.collective(CollectiveKind::all_to_all, GroupAxis::context, sizes.inputs, {result});
}

}  // namespace trainwright::model
