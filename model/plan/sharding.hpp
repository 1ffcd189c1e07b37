// How a plan keeps copies of the model equal over its data-parallel ranks: which collectives, over which groups, and
// what each rank holds. Used by the graph builder and the analytic estimator alike. docs/models/sharding.md.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/graph/execution_graph.hpp"
#include "model/graph/task.hpp"
#include "model/plan/lowering.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Parameters on one rank before sharding over data-parallel ranks. Experts have fewer copies than the rest, since the
/// data-parallel ranks also share out the experts.
struct PartParameters {
  std::int64_t dense = 0;
  std::int64_t expert = 0;
  [[nodiscard]] std::int64_t total() const { return dense + expert; }
  PartParameters& operator+=(const PartParameters& other) {
    dense += other.dense;
    expert += other.expert;
    return *this;
  }
  friend bool operator==(const PartParameters&, const PartParameters&) = default;
};

/// Ranks that hold copies of one kind of parameter, and how many of them share one set of states.
struct CopyGroup {
  int replicas = 1;
  int shards = 1;  ///< 1: every rank holds all
};

/// What is sharded (ZeRO: arXiv 1910.02054, section 5; FSDP: arXiv 2304.11277, sections 3 and 4).
struct Sharding {
  CopyGroup dense;
  CopyGroup expert;
  bool optimizer = false;   ///< master weights and moments
  bool gradients = false;   ///< and gradients, reduced after every micro-batch
  bool parameters = false;  ///< and weights, gathered unit by unit where they are used
  [[nodiscard]] bool communicates() const { return dense.replicas > 1 || expert.replicas > 1; }
};
[[nodiscard]] Sharding sharding_of(const Layout& layout);

/// Parameters of a lowered part.
[[nodiscard]] PartParameters parameters_of(const LoweredPart& part);

/// The collectives that reduce the gradients of `parameters`, in order.
[[nodiscard]] std::vector<CollectiveWork> gradient_reduction(const Plan& plan, const PartParameters& parameters);
/// The collectives that gather `parameters` from their shards.
/// `pass` backward: again for each use, where the software gives parameters back between recomputing and gradients.
[[nodiscard]] std::vector<CollectiveWork> parameter_gather(const Plan& plan, const PartParameters& parameters,
                                                           Pass pass = Pass::forward);

/// Held by a rank through the whole step. `parts`: its units of sharding, in forward order.
[[nodiscard]] std::vector<ResidentMemory> resident_memory(const Plan& plan, const std::vector<PartParameters>& parts);
/// Parameters that one rank updates, of those that it would hold without sharding.
[[nodiscard]] std::int64_t updated_parameters(const Plan& plan, const PartParameters& parameters);

}  // namespace trainwright::model
