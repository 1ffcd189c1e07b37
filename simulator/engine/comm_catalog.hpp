// Every distinct collective and message of an execution graph, and the sets of groups ("siblings") that do the same at
// the same time: all groups of an axis, all pipelines that send over one stage boundary.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/collective/collective_cost.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::simulator {

/// What is simulated: a graph on a cluster with its constants. All outlive the simulation.
struct Scene {
  const model::ExecutionGraph& graph;
  const model::Cluster& cluster;
  const model::CostConstants& constants;
};

/// Groups of ranks that communicate alike. Messages are groups of two: sender, receiver.
struct Siblings {
  std::vector<std::vector<model::RankId>> groups;
  std::vector<int> group_of_rank;  ///< -1: the rank is in none
};

/// One distinct collective, or one distinct message (seen from its sender).
struct CommWork {
  bool is_collective = true;
  model::CollectiveWork collective;         ///< if is_collective
  model::StageId from = model::StageId(0);  ///< of a message
  model::StageId to = model::StageId(0);
  model::ByteCount bytes;
  int siblings = -1;  ///< index into CommCatalog::siblings
};

struct CommCatalog {
  std::vector<CommWork> works;
  std::vector<Siblings> siblings;
  std::vector<std::vector<int>> work_of_task;  ///< by program, task; -1: no communication, or a receive

  [[nodiscard]] const Siblings& siblings_of(int work) const {
    return siblings[static_cast<std::size_t>(works[static_cast<std::size_t>(work)].siblings)];
  }
};

[[nodiscard]] CommCatalog catalog_communication(const model::ExecutionGraph& graph);

/// The flows of one group doing `work`.
[[nodiscard]] model::FlowPlan flow_plan(const Scene& scene, const CommWork& work,
                                        const std::vector<model::RankId>& group);

}  // namespace trainwright::simulator
