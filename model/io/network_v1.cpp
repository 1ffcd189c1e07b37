// SPDX-License-Identifier: Apache-2.0
#include "model/io/network_v1.hpp"

#include <nlohmann/json.hpp>

#include "model/io/document.hpp"
#include "model/io/json_writer.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

// The product of all of them may not fit 64 bits, so it is checked as well.
constexpr std::int64_t kMaxDim = 1L << 26;
constexpr std::int64_t kMaxCount = 1L << 16;
constexpr std::int64_t kMaxElements = 1L << 50;
constexpr double kMaxMultiplyAdds = 1e18;

OperatorProduct read_product(JsonObject& object) {
  OperatorProduct product;
  product.rows = object.integer("rows", {1, kMaxDim});
  product.n = object.integer("n", {1, kMaxDim});
  product.k = object.integer("k", {1, kMaxDim});
  product.groups = object.optional_integer("groups", {1, kMaxDim}).value_or(1);
  product.repeats = object.optional_integer("repeats", {1, kMaxDim}).value_or(1);
  object.finish();
  return product;
}

NetworkOperator read_operator(JsonObject& object) {
  NetworkOperator op;
  op.name = required_text(object, "name");
  op.count = object.optional_integer("count", {1, kMaxCount}).value_or(1);
  if (std::optional<JsonObject> product = object.optional_object("product"))
    op.product = read_product(*product);
  op.moved_elements = object.optional_integer("moved_elements", {0, kMaxElements}).value_or(0);
  op.kept_elements = object.optional_integer("kept_elements", {0, kMaxElements}).value_or(0);
  op.parameters = object.optional_integer("parameters", {0, kMaxElements}).value_or(0);
  object.finish();
  return op;
}

// In floating point, since the whole number may not fit.
double rough_multiply_adds(const OperatorNetwork& network) {
  double total = 0.0;
  for (const NetworkOperator& op : network.operators)
    if (op.product)
      total += static_cast<double>(op.count) * static_cast<double>(op.product->rows) *
               static_cast<double>(op.product->n) * static_cast<double>(op.product->k) *
               static_cast<double>(op.product->groups) * static_cast<double>(op.product->repeats);
  return total;
}

OperatorNetwork read_network(JsonObject& object) {
  OperatorNetwork network;
  const ProblemWatch watch(object);
  network.id = required_text(object, "id");
  network.name = object.string("name");
  network.architecture = object.string("architecture");
  network.sample = required_text(object, "sample");
  for (JsonObject& op : object.objects("operators"))
    network.operators.push_back(read_operator(op));
  network.notes = optional_strings(object, "notes");
  network.sources = read_sources(object);
  if (watch.is_clean() && network.operators.empty())
    object.add_error("operators", "holds no operator", "at least one is needed");
  if (watch.is_clean() && rough_multiply_adds(network) > kMaxMultiplyAdds)
    object.add_error("operators", "have more than 1e18 multiply-adds a sample", "no network has; look at the shapes");
  object.finish();
  return network;
}

ordered_json operator_value(const NetworkOperator& op) {
  ordered_json value{{"name", op.name}, {"count", op.count}};
  if (op.product)
    value["product"] = {{"rows", op.product->rows},
                        {"n", op.product->n},
                        {"k", op.product->k},
                        {"groups", op.product->groups},
                        {"repeats", op.product->repeats}};
  value["moved_elements"] = op.moved_elements;
  value["kept_elements"] = op.kept_elements;
  value["parameters"] = op.parameters;
  return value;
}

}  // namespace

std::string to_network_json(const OperatorNetwork& network) {
  ordered_json value{{"format", "trainwright/network/v1"},
                     {"id", network.id},
                     {"name", network.name},
                     {"architecture", network.architecture},
                     {"sample", network.sample}};
  auto operators = ordered_json::array();
  for (const NetworkOperator& op : network.operators)
    operators.push_back(operator_value(op));
  value["operators"] = std::move(operators);
  value["notes"] = network.notes;
  value["sources"] = sources_value(network.sources);
  return canonical_text(value);
}

std::optional<OperatorNetwork> network_from_json(std::string_view text, std::string source, Diagnostics& diagnostics) {
  return read_document(text, std::move(source), "network", diagnostics, read_network);
}

}  // namespace trainwright::model
