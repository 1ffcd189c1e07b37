// SPDX-License-Identifier: Apache-2.0
#include "model/workload/operator_network.hpp"

namespace trainwright::model {

std::int64_t parameter_count(const OperatorNetwork& network) {
  std::int64_t total = 0;
  for (const NetworkOperator& op : network.operators)
    total += op.count * op.parameters;
  return total;
}

std::int64_t multiply_adds(const OperatorNetwork& network) {
  std::int64_t total = 0;
  for (const NetworkOperator& op : network.operators)
    if (op.product)
      total += op.count * op.product->rows * op.product->n * op.product->k * op.product->groups * op.product->repeats;
  return total;
}

std::int64_t kept_elements(const OperatorNetwork& network) {
  std::int64_t total = 0;
  for (const NetworkOperator& op : network.operators)
    total += op.count * op.kept_elements;
  return total;
}

}  // namespace trainwright::model
