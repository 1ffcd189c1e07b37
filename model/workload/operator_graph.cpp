// SPDX-License-Identifier: Apache-2.0
#include "model/workload/operator_graph.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>

#include "model/base/contract.hpp"
#include "model/workload/operator_list.hpp"

namespace trainwright::model {

namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

}  // namespace

struct OperatorGraph::Edges {
  Graph graph;
};

OperatorGraph::OperatorGraph(const Model& model) : edges_(std::make_unique<Edges>()) {
  for (ListedOperator& listed : list_operators(model)) {
    const std::size_t id = boost::add_vertex(edges_->graph);
    for (const OperatorId input : listed.inputs)
      boost::add_edge(input.index(), id, edges_->graph);
    operators_.push_back(std::move(listed.op));
  }
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
