// Time of a chain of tasks on one rank whose groups run in step, without building a graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/collective/collective_cost.hpp"
#include "model/plan/lowering.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// total = compute + recompute + exposed_*. What communication takes from compute beside it counts as exposed.
struct ChainTime {
  Seconds total = Seconds::zero();
  Seconds compute = Seconds::zero();
  Seconds recompute = Seconds::zero();
  Seconds exposed_tensor = Seconds::zero();
  Seconds exposed_context = Seconds::zero();
  Seconds exposed_expert = Seconds::zero();
  Seconds after_output = Seconds::zero();  ///< of total: from the chain's result to its end
  /// Continues with `other`.
  ChainTime& operator+=(const ChainTime& other);
  [[nodiscard]] Seconds work() const { return compute + recompute; }
};

/// How the groups of one rank lie on the cluster, by axis; of the axes that layers communicate over.
class LayerGroups {
 public:
  explicit LayerGroups(const Plan& plan);
  [[nodiscard]] const GroupShape& shape(GroupAxis axis) const { return shapes_[static_cast<std::size_t>(axis)]; }

 private:
  std::array<GroupShape, kGroupAxisWords.size()> shapes_{};
};

[[nodiscard]] ChainTime chain_time(const TaskChain& chain, const LayerGroups& groups, const Plan& plan,
                                   const Accelerator& device);

}  // namespace trainwright::model
