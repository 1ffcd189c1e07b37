// Matrix products under tensor and sequence parallelism: M. Shoeybi et al., arXiv 1909.08053, section 3;
// V. Korthikanti et al., arXiv 2205.05198, section 4.2.2 and figure 5.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/plan/lowering_operators.hpp"

namespace trainwright::model {

namespace {

// One of `chunks` pieces of `count`, as even as possible; each rank of the group gets an equal share of every piece.
std::int64_t piece(const LoweringContext& c, std::int64_t count, int chunks, int index) {
  const std::int64_t unit = count % c.tp == 0 ? c.tp : 1;
  const std::int64_t units = count / unit;
  return unit * (units * (index + 1) / chunks - units * index / chunks);
}

int chunks_of(const LoweringContext& c, std::int64_t rows) {
  return static_cast<int>(std::clamp<std::int64_t>(rows / c.tp, 1, c.plan.layout.tensor_chunks));
}

// Gathers `elements` of the sequence, and multiplies each piece as it comes. Returns the last product.
int gathered_product(const LoweringContext& c, std::int64_t elements, std::int64_t rows, std::int64_t out,
                     std::int64_t in, BackwardPart part, TaskWriter& tasks) {
  const int chunks = chunks_of(c, rows);
  const int first =
      tasks.collective(CollectiveKind::all_gather, GroupAxis::tensor, c.bytes(piece(c, elements, chunks, 0)));
  tasks.at(first).allocates = c.bytes(elements);
  int product = tasks.compute(c.gemm(piece(c, rows, chunks, 0), out, in), {first}, part);
  for (int i = 1; i < chunks; ++i) {
    const int gather =
        tasks.collective(CollectiveKind::all_gather, GroupAxis::tensor, c.bytes(piece(c, elements, chunks, i)));
    product = tasks.compute(c.gemm(piece(c, rows, chunks, i), out, in), {gather}, part);
  }
  return product;
}

// Multiplies in pieces and scatters the sum of each beside the next. Returns the last scatter.
int scattered_product(const LoweringContext& c, std::int64_t rows, std::int64_t out, std::int64_t in,
                      TaskWriter& tasks) {
  const int chunks = chunks_of(c, rows);
  int scatter = -1;
  for (int i = 0; i < chunks; ++i) {
    const int product = tasks.compute(c.gemm(piece(c, rows, chunks, i), out, in));
    scatter = tasks.collective(CollectiveKind::reduce_scatter, GroupAxis::tensor,
                               c.bytes(piece(c, rows, chunks, i) * out), {product});
  }
  return scatter;
}

}  // namespace

void linear_forward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  const std::int64_t in = c.local_in(op);
  const std::int64_t out = c.local_out(op);
  if (op.experts > 0) {
    tasks.compute(c.gemm(c.rows_per_expert(op), out, in, c.local_experts(op)));
    return;
  }
  if (op.split == Split::column && c.is_sequence_parallel) {
    const std::int64_t gathered = c.tokens * op.in_features;
    const int product = gathered_product(c, gathered, c.rows(op), out, in, BackwardPart::none, tasks);
    tasks.at(product).frees = c.bytes(gathered);
    return;
  }
  if (op.split == Split::row && c.is_sequence_parallel) {
    scattered_product(c, c.rows(op), out, in, tasks);
    return;
  }
  const int product = tasks.compute(c.gemm(c.rows(op), out, in));
  if (op.split == Split::row && c.tp > 1)
    tasks.collective(CollectiveKind::all_reduce, GroupAxis::tensor, c.bytes(c.tokens * op.out_features), {product});
}

void linear_backward(const LoweringContext& c, const Operator& op, TaskWriter& tasks) {
  const std::int64_t in = c.local_in(op);
  const std::int64_t out = c.local_out(op);
  const std::int64_t rows = op.experts > 0 ? c.rows_per_expert(op) : c.rows(op);
  const std::int64_t batch = op.experts > 0 ? c.local_experts(op) : 1;
  const bool is_split = op.experts == 0 && c.tp > 1;
  const bool is_column = is_split && op.split == Split::column;
  const bool gathers_input = is_column && c.is_sequence_parallel;
  const bool gathers_gradient = is_split && op.split == Split::row && c.is_sequence_parallel;
  // Whole input (for the weight gradient) or whole output gradient, while the products of this operator need it.
  const ByteCount gathered = c.bytes(c.tokens * (gathers_input ? op.in_features : op.out_features));
  int gather = -1;
  if (gathers_input) {
    gather = tasks.collective(CollectiveKind::all_gather, GroupAxis::tensor, gathered);
    tasks.at(gather).allocates = gathered;
  }
  const int input_gradient =
      gathers_gradient ? gathered_product(c, c.tokens * op.out_features, rows, in, out, BackwardPart::input, tasks)
                       : tasks.compute(c.gemm(rows, in, out, batch), {}, BackwardPart::input);
  int result = input_gradient;
  if (gathers_input)
    tasks.head(input_gradient);  // the gather of the input runs beside it
  if (is_column)                 // the sum over the group runs beside the weight gradient
    result = tasks.collective(c.is_sequence_parallel ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce,
                              GroupAxis::tensor, c.bytes(c.tokens * op.in_features), {input_gradient});
  const int weight_gradient = gathers_input
                                  ? tasks.compute(c.gemm(in, out, rows, batch), {gather}, BackwardPart::weight)
                                  : tasks.compute(c.gemm(in, out, rows, batch), {}, BackwardPart::weight);
  if (gathers_input || gathers_gradient)
    tasks.at(weight_gradient).frees = gathered;
  tasks.output(result);
}

}  // namespace trainwright::model
