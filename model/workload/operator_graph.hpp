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
  linear,     ///< matrix product with a weight
  rotary,     ///< rotation of queries and keys
  attention,  ///< core: no weight
  activation,
  residual,  ///< sum of two tensors
  head,      ///< projection to the vocabulary
  loss,      ///< cross-entropy over the vocabulary
};

/// How tensor parallelism splits the operator's weight (Megatron-LM, arXiv 1909.08053, section 3).
enum class Split : std::uint8_t {
  none,    ///< every rank does all of it
  column,  ///< output features split: the input gradient is summed over ranks
  row,     ///< input features split: the output is summed over ranks
  share,   ///< works on a split tensor, no communication
};

struct Operator {
  OperatorKind kind = OperatorKind::linear;
  std::string name;  ///< "layers.3.attention.qkv"
  int layer = -1;    ///< -1: outside the layers
  Split split = Split::none;
  std::int64_t in_features = 0;   ///< per token
  std::int64_t out_features = 0;  ///< per token
  std::int64_t parameters = 0;
  AttentionShape attention;  ///< of attention and rotary operators
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

}  // namespace trainwright::model
