// The operators of a model as a plain list with their inputs, in forward order: what OperatorGraph is built from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/workload/operator_graph.hpp"

namespace trainwright::model {

struct ListedOperator {
  Operator op;
  std::vector<OperatorId> inputs;  ///< of the model's input: empty
};

/// Every operator of the model; an operator comes after its inputs. Sum of `parameters` = parameter_count(model).total.
[[nodiscard]] std::vector<ListedOperator> list_operators(const Model& model);

}  // namespace trainwright::model
