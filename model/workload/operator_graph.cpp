// SPDX-License-Identifier: Apache-2.0
#include "model/workload/operator_graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>

#include "model/base/contract.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

std::int64_t norm_weights(NormKind kind, std::int64_t width) {
  return kind == NormKind::layer_norm ? 2 * width : width;
}

class Builder {
 public:
  Builder(const Model& model, std::vector<Operator>& operators, Graph& graph)
      : model_(model), operators_(operators), graph_(graph) {}

  void build() {
    OperatorId x = add(
        {OperatorKind::embedding, "embedding", -1, Split::row, 1, model_.hidden, embedding_parameters(model_), {}}, {});
    if (model_.embedding_norm)
      x = norm("embedding.norm", -1, model_.norm, x);
    const int layers = layer_count(model_);
    for (int layer = 0; layer < layers; ++layer)
      x = add_layer(layer, layer_at(model_, layer), x);
    if (model_.final_norm)
      x = norm("final_norm", layers, model_.norm, x);
    if (model_.has_head) {
      x = add(
          {OperatorKind::head, "head", layers, Split::column, model_.hidden, model_.vocab, head_parameters(model_), {}},
          {x});
      add({OperatorKind::loss, "loss", layers, Split::share, model_.vocab, 1, 0, {}}, {x});
    }
  }

 private:
  OperatorId add(Operator op, const std::vector<OperatorId>& inputs) {
    const OperatorId id(operators_.size());
    operators_.push_back(std::move(op));
    boost::add_vertex(graph_);
    for (const OperatorId input : inputs)
      boost::add_edge(input.index(), id.index(), graph_);
    return id;
  }

  OperatorId norm(const std::string& name, int layer, NormKind kind, OperatorId input) {
    return add({OperatorKind::norm,
                name,
                layer,
                Split::none,
                model_.hidden,
                model_.hidden,
                norm_weights(kind, model_.hidden),
                {}},
               {input});
  }

  OperatorId linear(const std::string& name, int layer, Split split, std::int64_t in, std::int64_t out, bool bias,
                    OperatorId input) {
    return add({OperatorKind::linear, name, layer, split, in, out, in * out + (bias ? out : 0), {}}, {input});
  }

  OperatorId attention(int layer, const LayerShape& shape, const std::string& prefix, OperatorId x) {
    const AttentionShape& a = shape.attention;
    const std::int64_t query = a.heads * a.head_dim;
    const std::int64_t qkv = query + 2 * a.kv_heads * a.head_dim;
    OperatorId y = linear(prefix + "attention.qkv", layer, Split::column, model_.hidden, qkv, a.qkv_bias, x);
    if (model_.position == PositionKind::rotary || a.query_key_norm)
      y = add({OperatorKind::rotary, prefix + "attention.rotary", layer, Split::share, qkv, qkv,
               a.query_key_norm ? 2 * a.head_dim : 0, a},
              {y});
    y = add({OperatorKind::attention, prefix + "attention.core", layer, Split::share, qkv, query, 0, a}, {y});
    return linear(prefix + "attention.output", layer, Split::row, query, model_.hidden, a.output_bias, y);
  }

  OperatorId mlp(int layer, const MlpShape& m, const std::string& prefix, OperatorId x) {
    const std::int64_t up = m.gated ? 2 * m.ffn : m.ffn;
    OperatorId y = linear(prefix + "mlp.up", layer, Split::column, model_.hidden, up, m.bias, x);
    y = add({OperatorKind::activation, prefix + "mlp.activation", layer, Split::share, up, m.ffn, 0, {}}, {y});
    return linear(prefix + "mlp.down", layer, Split::row, m.ffn, model_.hidden, m.bias, y);
  }

  OperatorId residual(const std::string& name, int layer, const std::vector<OperatorId>& inputs) {
    return add({OperatorKind::residual,
                name,
                layer,
                Split::none,
                model_.hidden * static_cast<std::int64_t>(inputs.size()),
                model_.hidden,
                0,
                {}},
               inputs);
  }

  OperatorId add_layer(int layer, const LayerShape& shape, OperatorId x) {
    TRAINWRIGHT_EXPECTS(shape.mlp.has_value(), "layer " + std::to_string(layer) + " has no dense MLP");
    const std::string prefix = "layers." + std::to_string(layer) + ".";
    const OperatorId n1 = norm(prefix + "norm1", layer, shape.norm, x);
    const OperatorId a = attention(layer, shape, prefix, n1);
    if (shape.order == BlockOrder::parallel) {
      const OperatorId n2 = shape.norms > 1 ? norm(prefix + "norm2", layer, shape.norm, x) : n1;
      const OperatorId m = mlp(layer, *shape.mlp, prefix, n2);
      return residual(prefix + "residual", layer, {x, a, m});
    }
    const OperatorId y = residual(prefix + "residual1", layer, {x, a});
    const OperatorId n2 = norm(prefix + "norm2", layer, shape.norm, y);
    const OperatorId m = mlp(layer, *shape.mlp, prefix, n2);
    return residual(prefix + "residual2", layer, {y, m});
  }

  const Model& model_;
  std::vector<Operator>& operators_;
  Graph& graph_;
};

}  // namespace

struct OperatorGraph::Edges {
  Graph graph;
};

OperatorGraph::OperatorGraph(const Model& model) : edges_(std::make_unique<Edges>()) {
  Builder(model, operators_, edges_->graph).build();
  std::vector<std::size_t> reverse;
  boost::topological_sort(edges_->graph, std::back_inserter(reverse));
  // Operators were added in an order that is already topological; the sort proves that there is no cycle.
  TRAINWRIGHT_ENSURES(reverse.size() == operators_.size(), model.id);
  for (std::size_t i = 0; i < operators_.size(); ++i)
    order_.push_back(OperatorId(i));
  by_layer_.resize(static_cast<std::size_t>(layer_count(model)) + 2);
  for (const OperatorId id : order_)
    by_layer_[static_cast<std::size_t>(at(id).layer + 1)].push_back(id);
}

OperatorGraph::~OperatorGraph() = default;
OperatorGraph::OperatorGraph(OperatorGraph&&) noexcept = default;
OperatorGraph& OperatorGraph::operator=(OperatorGraph&&) noexcept = default;

std::vector<OperatorId> OperatorGraph::inputs(OperatorId id) const {
  std::vector<OperatorId> list;
  const auto [begin, end] = boost::in_edges(id.index(), edges_->graph);
  for (auto it = begin; it != end; ++it)
    list.push_back(OperatorId(boost::source(*it, edges_->graph)));
  std::sort(list.begin(), list.end());
  return list;
}

const std::vector<OperatorId>& OperatorGraph::of_layer(int layer) const {
  return by_layer_[static_cast<std::size_t>(layer + 1)];
}

std::string OperatorGraph::to_dot() const {
  std::string text = "digraph operators {\n";
  for (std::size_t i = 0; i < operators_.size(); ++i)
    text += "  o" + std::to_string(i) + " [label=\"" + operators_[i].name + "\"];\n";
  const auto [begin, end] = boost::edges(edges_->graph);
  for (auto it = begin; it != end; ++it)
    text += "  o" + std::to_string(boost::source(*it, edges_->graph)) + " -> o" +
            std::to_string(boost::target(*it, edges_->graph)) + ";\n";
  return text + "}\n";
}

std::int64_t padded_vocab(std::int64_t vocab, int tp) {
  const std::int64_t multiple = 128L * tp;
  return (vocab + multiple - 1) / multiple * multiple;
}

}  // namespace trainwright::model
