// SPDX-License-Identifier: Apache-2.0
#include "model/workload/model_flops.hpp"

#include <algorithm>

#include "model/workload/operator_graph.hpp"

namespace trainwright::model {

Flops forward_flops(const Model& model, std::int64_t seq_len, double loss_share) {
  const OperatorGraph graph(model);
  const auto seq = static_cast<double>(seq_len);
  double per_token = 0.0;
  for (const OperatorId id : graph.forward_order()) {
    const Operator& op = graph.at(id);
    if (op.kind == OperatorKind::linear || op.kind == OperatorKind::router || op.kind == OperatorKind::head)
      per_token += (op.kind == OperatorKind::head ? loss_share : 1.0) * 2.0 * static_cast<double>(op.in_features) *
                   static_cast<double>(op.out_features * op.copies);
    if (op.kind == OperatorKind::attention) {
      const AttentionShape& a = op.attention;
      const double keys = a.window > 0 ? std::min(seq, static_cast<double>(a.window)) : seq;
      per_token += 2.0 * keys * static_cast<double>(a.heads * (query_head_dim(a) + value_head_dim(a)));
    }
  }
  return Flops(per_token * seq);
}

Flops training_flops(const Model& model, std::int64_t seq_len, double loss_share) {
  return forward_flops(model, seq_len, loss_share) * 3.0;
}

}  // namespace trainwright::model
