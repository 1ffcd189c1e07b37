// SPDX-License-Identifier: Apache-2.0
#include "model/validation/gradient_order.hpp"

#include <algorithm>
#include <numeric>

#include "model/io/load.hpp"
#include "model/io/profile_library.hpp"
#include "model/validation/names.hpp"
#include "model/workload/operator_list.hpp"

namespace trainwright::model::validation {
namespace {

constexpr int kEvenParts = 32;

struct Part {
  double work = 0.0;  ///< multiply-adds of the forward pass; the backward pass does twice as many
  double parameters = 0.0;
};

// `parts` in forward order. The backward pass ends with the first of them.
GradientOrder ordered(const std::vector<Part>& parts) {
  const double all =
      std::accumulate(parts.begin(), parts.end(), 0.0, [](double sum, const Part& part) { return sum + part.work; });
  GradientOrder order;
  double done = 0.0;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    done += part->work;
    if (part->parameters > 0.0)
      order.gradients.push_back({all > 0.0 ? done / all : 1.0, part->parameters});
  }
  return order;
}

double work_of(const NetworkOperator& op) {
  if (!op.product)
    return 0.0;
  const OperatorProduct& product = *op.product;
  return static_cast<double>(product.rows) * static_cast<double>(product.n) * static_cast<double>(product.k) *
         static_cast<double>(product.groups) * static_cast<double>(product.repeats);
}

std::optional<std::string> longest_prefix(ProfileKind kind, const std::string& plain) {
  std::optional<std::string> best;
  std::size_t length = 0;
  for (const std::string& id : profile_ids(kind)) {
    const std::string prefix = plain_name(id);
    if (prefix.size() > length && plain.compare(0, prefix.size(), prefix) == 0) {
      best = id;
      length = prefix.size();
    }
  }
  return best;
}

}  // namespace

double GradientOrder::parameters() const {
  return std::accumulate(gradients.begin(), gradients.end(), 0.0,
                         [](double sum, const OperatorGradient& one) { return sum + one.parameters; });
}

GradientOrder gradient_order(const OperatorNetwork& network) {
  std::vector<Part> parts;
  const std::vector<NetworkOperator>& all = network.operators;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end =
        std::find_if(begin, all.end(), [&](const NetworkOperator& op) { return op.count != begin->count; });
    for (std::int64_t layer = 0; layer < begin->count; ++layer)
      for (auto op = begin; op != end; ++op)
        parts.push_back({work_of(*op), static_cast<double>(op->parameters)});
    begin = end;
  }
  GradientOrder order = ordered(parts);
  order.network = network.id;
  order.is_recurrent = std::any_of(all.begin(), all.end(),
                                   [](const NetworkOperator& op) { return op.product && op.product->repeats > 1; });
  return order;
}

GradientOrder gradient_order(const Model& model) {
  std::vector<Part> parts;
  for (const ListedOperator& listed : list_operators(model)) {
    const Operator& op = listed.op;
    const bool multiplies = op.kind == OperatorKind::linear || op.kind == OperatorKind::head;
    parts.push_back({multiplies ? static_cast<double>(op.in_features) * static_cast<double>(op.out_features) *
                                      static_cast<double>(op.copies)
                                : 0.0,
                     static_cast<double>(op.parameters)});
  }
  return ordered(parts);
}

GradientOrder even_gradient_order(double parameters) {
  return ordered(std::vector<Part>(kEvenParts, {1.0, parameters / kEvenParts}));
}

std::optional<GradientOrder> gradient_order_named(std::string_view name) {
  const std::string plain = plain_name(name);
  Diagnostics ignored;  // shipped profiles have no errors; a test reads each
  if (const auto id = longest_prefix(ProfileKind::network, plain))
    if (const auto network = load_network(*id, ignored))
      return gradient_order(*network);
  if (const auto id = longest_prefix(ProfileKind::model, plain))
    if (const auto model = load_model(*id, ignored)) {
      GradientOrder order = gradient_order(*model);
      order.network = *id;
      return order;
    }
  return std::nullopt;
}

}  // namespace trainwright::model::validation
