// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/activation_items.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/plan/lowering_sizes.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

// "layers.3.mlp.up" -> "mlp.up"
std::string without_layer(const std::string& name) {
  if (name.rfind("layers.", 0) != 0)
    return name;
  return name.substr(name.find('.', std::string("layers.").size()) + 1);
}

}  // namespace

std::vector<ActivationItem> activation_items(const Plan& plan, int stage) {
  const OperatorGraph graph(plan.model);
  LoweringContext context(graph, plan);
  const int layers = layer_count(plan.model);
  const std::vector<LayerRange> ranges = layer_ranges(layers, plan.layout);
  std::map<std::pair<std::string, std::string>, ActivationItem> items;
  const auto add = [&](const std::string& name, const std::string& tensor, ByteCount bytes, MemoryTerm term) {
    ActivationItem& item =
        items.try_emplace({name, tensor}, ActivationItem{name, tensor, ByteCount(0), term}).first->second;
    item.bytes += bytes;
  };
  const auto add_part = [&](int layer, Recompute recompute) {
    context.recompute = recompute;
    if (recompute == Recompute::full) {
      add("layer", "layer input", layer_input_bytes(context), MemoryTerm::activations);
      return;
    }
    const std::vector<OperatorId>& part = graph.of_layer(layer);
    const std::vector<bool> shared = shared_inputs(context, part);
    for (std::size_t i = 0; i < part.size(); ++i)
      for (const SavedTensor& tensor : saved_tensors(context, graph.at(part[i]), shared[i]))
        add(without_layer(graph.at(part[i]).name), tensor.name, tensor.bytes, tensor.term);
  };
  for (int chunk = 0; chunk < chunks_per_stage(plan.layout); ++chunk) {
    const auto part = static_cast<std::size_t>(virtual_stage(plan.layout, {stage, chunk}));
    if (part == 0)
      add_part(-1, Recompute::none);
    for (int layer = ranges[part].begin; layer < ranges[part].end; ++layer)
      add_part(layer, layer_recompute(plan.layout, ranges[part], layer));
    if (part + 1 == ranges.size())
      add_part(layers, Recompute::none);
  }
  std::vector<ActivationItem> list;
  for (auto& [key, item] : items)
    list.push_back(std::move(item));
  std::stable_sort(list.begin(), list.end(),
                   [](const ActivationItem& a, const ActivationItem& b) { return a.bytes > b.bytes; });
  return list;
}

ByteCount largest_tensor(const Plan& plan) {
  const OperatorGraph graph(plan.model);
  const LoweringContext context(graph, plan);
  ByteCount largest;
  for (const OperatorId id : graph.forward_order()) {
    const Operator& op = graph.at(id);
    if (op.kind == OperatorKind::loss)
      largest = std::max(largest, tensor_bytes(context.tokens * context.local_vocab(), Precision::fp32));
    else if (op.kind == OperatorKind::attention)
      largest = std::max(largest, score_bytes(context, op));
    else
      largest = std::max(largest, context.bytes(context.rows(op) * context.local_out(op)));
  }
  return largest;
}

ByteCount korthikanti_layer_bytes(std::int64_t seq, std::int64_t batch, std::int64_t hidden, std::int64_t heads) {
  return ByteCount(34 * seq * batch * hidden + 5 * heads * seq * seq * batch);
}

ByteCount twelve_bsh_layer_bytes(std::int64_t seq, std::int64_t batch, std::int64_t hidden) {
  return ByteCount(2 * 12 * seq * batch * hidden);
}

}  // namespace trainwright::model
