// Work bound by memory traffic: bytes and launches by the software's kernels (docs/models/lowering.md).
// SPDX-License-Identifier: Apache-2.0
#include "model/plan/lowering_operators.hpp"

namespace trainwright::model {
namespace {

// Bytes per element and launches.
struct Kernels {
  std::int64_t reads;
  std::int64_t writes;
  int count;
};

// An RMS norm of elementary kernels: cast to fp32, square, mean, scale, cast back, times weight; backward those with
// the incoming gradient read as well.
constexpr Kernels kEagerRmsForward{20, 16, 6};
constexpr Kernels kEagerRmsBackward{36, 16, 12};

bool is_eager_rms(const LoweringContext& c, const Operator& op) {
  return !c.stack.fuses_elementwise && op.norm == NormKind::rms_norm && c.element < 4;
}

// Queries and keys of the rank.
std::int64_t rotated(const LoweringContext& c, const Operator& op) {
  return c.tokens * (c.local_heads(op.attention) + c.local_kv_heads(op.attention)) * query_head_dim(op.attention);
}

// Without fusion: rotate half, two products with sine and cosine, sum.
void rotate(const LoweringContext& c, const Operator& op, TaskWriter& tasks, BackwardPart part) {
  const std::int64_t n = rotated(c, op);
  tasks.compute(c.stack.fuses_elementwise ? c.memory(n, n) : c.memory(5 * n, 4 * n, 8), {}, part);
}

bool is_gated(const Operator& activation) {
  return activation.in_features > activation.out_features;
}

// One byte per element where dropout is on.
std::int64_t mask(const LoweringContext& c, const Operator& op) {
  return c.stack.has_dropout ? c.spread_tokens * op.out_features : 0;
}

}  // namespace

void elementwise_forward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  const std::int64_t n = c.rows(op);
  switch (op.kind) {
    case OperatorKind::norm:
      if (is_eager_rms(c, op))
        tasks.compute(c.traffic(n * op.in_features * kEagerRmsForward.reads,
                                n * op.in_features * kEagerRmsForward.writes, kEagerRmsForward.count));
      else
        tasks.compute(c.memory(n * op.in_features, n * op.out_features));
      break;
    case OperatorKind::rotary:
      rotate(c, op, tasks, BackwardPart::none);
      break;
    case OperatorKind::activation: {
      const std::int64_t out = n * c.local_out(op);
      if (is_gated(op) && !c.stack.fuses_elementwise)
        tasks.compute(c.memory(3 * out, 2 * out, 2));  // activation, then product
      else
        tasks.compute(c.memory(n * c.local_in(op), out));
      break;
    }
    default: {  // residual
      const std::int64_t result = n * op.out_features;
      const bool is_fused = c.stack.fuses_elementwise || !c.stack.has_dropout;
      tasks.compute(c.traffic((n * op.in_features + (is_fused ? 0 : result)) * c.element,
                              (is_fused ? 1 : 2) * result * c.element + mask(c, op), is_fused ? 1 : 2));
      break;
    }
  }
}

void elementwise_backward(const LoweringContext& c, const Operator& op, std::size_t consumers, TaskWriter& tasks) {
  const std::int64_t n = c.rows(op);
  constexpr auto kInput = BackwardPart::input;
  switch (op.kind) {
    case OperatorKind::norm: {
      // Reads its input, the gradient of its output and the gradient that bypasses it; further readers of its output
      // add their gradients first.
      const std::int64_t size = n * op.in_features;
      const std::int64_t joins = consumers > 1 ? static_cast<std::int64_t>(consumers) - 1 : 0;
      const Kernels own = is_eager_rms(c, op) ? kEagerRmsBackward : Kernels{3 * c.element, c.element, 2};
      tasks.compute(c.traffic(size * (own.reads + 2 * joins * c.element), size * (own.writes + joins * c.element),
                              own.count + static_cast<int>(joins)),
                    {}, kInput);
      break;
    }
    case OperatorKind::rotary:
      rotate(c, op, tasks, kInput);
      break;
    case OperatorKind::activation: {
      const std::int64_t in = n * c.local_in(op);
      const std::int64_t out = n * c.local_out(op);
      if (is_gated(op) && !c.stack.fuses_elementwise)
        tasks.compute(c.memory(5 * out, 3 * out, 3), {}, kInput);  // of the product, of the activation
      else
        tasks.compute(c.memory(in + out, in), {}, kInput);
      break;
    }
    default:  // residual: the gradient passes unchanged, but for dropout; norm backward adds the branches
      if (c.stack.has_dropout)
        tasks.compute(c.traffic(n * op.out_features * c.element + mask(c, op), n * op.out_features * c.element, 1), {},
                      kInput);
      break;
  }
}

}  // namespace trainwright::model
