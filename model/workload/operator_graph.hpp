// The operator graph of a model: one vertex per operator of one forward pass, edges are tensors. Sizes are per token
// and before any parallel split; how tensor parallelism splits an operator is said by `split`. Boost.Graph inside the
// .cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/base/id.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model {

enum class OperatorKind : std::uint8_t {
  embedding,  ///< table lookup and positions
  norm,
  linear,     ///< matrix product with a weight; with `experts`, one weight per expert
  rotary,     ///< rotation of queries and keys, their norms
  attention,  ///< core: no weight but sinks
  activation,
  residual,  ///< sum of two or more tensors
  head,      ///< projection to the vocabulary
  loss,      ///< cross-entropy over the vocabulary
  router,    ///< scores of the experts and choice of some
  dispatch,  ///< tokens to the experts that were chosen
  combine,   ///< results back, weighted sum
  weights,   ///< parameters without an operator of their own (pooler, class token): no work
};

/// How tensor parallelism splits the operator's weight (Megatron-LM, arXiv 1909.08053, section 3). Operators of experts
/// are split over the expert-tensor group instead.
enum class Split : std::uint8_t {
  none,    ///< every rank does all of it, or its share of the tokens under sequence parallelism
  column,  ///< output features split: the input gradient is summed over ranks
  row,     ///< input features split: the output is summed over ranks
  share,   ///< works on a split tensor, no communication
};

struct Operator {
  OperatorKind kind = OperatorKind::linear;
  std::string name = {};  ///< "layers.3.attention.qkv"
  int layer = -1;         ///< -1: outside the layers
  Split split = Split::none;
  std::int64_t in_features = 0;   ///< per token (per copy of a token, for experts)
  std::int64_t out_features = 0;  ///< per token (per copy)
  std::int64_t parameters = 0;    ///< of all experts together
  AttentionShape attention = {};  ///< of attention, rotary and query-key-value operators
  std::int64_t experts = 0;       ///< 0: not an operator of routed experts
  std::int64_t copies = 1;        ///< rows per token: experts_per_token inside the experts
  /// Linear: so many of the outputs are keys and values; their heads are replicated where there are fewer than ranks.
  std::int64_t key_value_features = 0;
  NormKind norm = NormKind::layer_norm;  ///< of norm operators
};

class OperatorGraph {
 public:
  explicit OperatorGraph(const Model& model);
  ~OperatorGraph();
  OperatorGraph(OperatorGraph&&) noexcept;
  OperatorGraph& operator=(OperatorGraph&&) noexcept;

  [[nodiscard]] std::size_t size() const { return operators_.size(); }
  [[nodiscard]] const Operator& at(OperatorId id) const { return operators_[id.index()]; }
  /// A topological order of the forward pass, the same on every machine.
  [[nodiscard]] const std::vector<OperatorId>& forward_order() const { return order_; }
  [[nodiscard]] std::vector<OperatorId> inputs(OperatorId id) const;
  /// Operators of one layer (-1: before the layers; layer_count: after them) in forward order.
  [[nodiscard]] const std::vector<OperatorId>& of_layer(int layer) const;
  /// Graphviz text.
  [[nodiscard]] std::string to_dot() const;

 private:
  struct Edges;
  std::vector<Operator> operators_;
  std::vector<OperatorId> order_;
  std::vector<std::vector<OperatorId>> by_layer_;  // before, layers, after
  std::unique_ptr<Edges> edges_;
};

/// Vocabulary rounded up to a multiple of 128 x tp, as Megatron pads it.
[[nodiscard]] std::int64_t padded_vocab(std::int64_t vocab, int tp);

/// Width of a query and key head, and of a value head, also of latent attention.
[[nodiscard]] std::int64_t query_head_dim(const AttentionShape& attention);
[[nodiscard]] std::int64_t value_head_dim(const AttentionShape& attention);

}  // namespace trainwright::model
