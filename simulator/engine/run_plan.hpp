// Everything the engine needs to run a step, worked out before it starts: who is simulated, which items each does, who
// meets whom, how long compute takes. Plain data, no engine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/hardware/topology.hpp"
#include "simulator/client/request.hpp"
#include "simulator/engine/comm_catalog.hpp"
#include "simulator/engine/flow_patterns.hpp"
#include "simulator/engine/link_privacy.hpp"
#include "simulator/engine/rank_classes.hpp"
#include "simulator/engine/step_items.hpp"

namespace trainwright::simulator {

/// Simulated ranks that meet in the collectives of one axis.
struct SimGroup {
  int siblings = -1;
  int group = -1;            ///< index among the siblings, of the first simulated member
  std::vector<int> members;  ///< simulated ranks, ascending
};

/// Where a send ends up.
struct Receiver {
  int sim = -1;
  int item = -1;
};

/// One rank that is simulated; it stands for all of its class.
struct SimRank {
  model::RankId rank = model::RankId(0);
  int represents = 1;
  int program = 0;
  const ItemProgram* items = nullptr;
  const std::vector<double>* task_seconds = nullptr;  ///< compute time by task, dispatch by the host included
  const std::vector<double>* comm_seconds = nullptr;  ///< by catalog index; meaningful for what is timed beforehand
  std::vector<int> group_of_siblings;                 ///< index into RunPlan::groups, -1: no member
  int segment_group = -1;                             ///< index into RunPlan::groups; -1: alone
};

struct RunPlan {
  Scene scene;
  CommCatalog catalog;
  std::vector<SimRank> ranks;
  std::vector<int> sim_of_rank;  ///< by rank of the job
  std::vector<SimGroup> groups;
  std::vector<int> ranks_on_node;  ///< by node
  bool is_folded = false;          ///< communication takes its known time; otherwise its flows contend
  bool shares_cores = false;       ///< compute runs on the cores of the node's host, more ranks than cores
  double dispatch = 0.0;           ///< seconds each task occupies its stream first
  double compute_share = 0.0;      ///< of its device that running communication takes

  // Owners of what SimRank points to.
  std::deque<ItemProgram> item_programs;
  std::deque<std::vector<double>> second_tables;
  std::map<std::pair<const ItemProgram*, const ItemProgram*>, std::vector<int>> receive_of_send;

  /// The receive that the send `item` of simulated rank `sim` is matched with.
  [[nodiscard]] Receiver receiver(int sim, int item) const;
  [[nodiscard]] model::DeviceId device_of(int sim) const;
  /// On shared cores: how much longer compute takes because ranks take turns on a core.
  [[nodiscard]] double core_slowdown(int sim) const;
  /// Storage access when all ranks do the same at once. The cluster must have storage.
  [[nodiscard]] double folded_io_seconds(const model::HostIoWork& work) const;
};

struct RunOptions {
  bool fuse = true;   ///< false: every task an item of its own, every collective its flows (to test against)
  bool fold = false;  ///< one rank of each class, communication at its known time
  std::vector<RankSlowdown> slowdowns;
};

/// True if some node has more ranks than cores.
[[nodiscard]] bool has_oversubscribed_cores(const Scene& scene);

/// By rank: equal numbers for equal compute times (device kind, slow-down).
[[nodiscard]] std::vector<int> compute_classes(const Scene& scene, const std::vector<RankSlowdown>& slowdowns);

/// Which collectives are fused into segments when every rank is simulated.
struct FusionChoice {
  int siblings = -1;  ///< of the axis; -1: none
  LinkPrivacy privacy;
};
[[nodiscard]] FusionChoice choose_fusion(const Scene& scene, const CommCatalog& catalog,
                                         const model::Topology& topology, const RunOptions& options);

/// Communication whose time must be known before the step is planned, by catalog index: all of it when folding,
/// otherwise that of the groups whose collectives are fused.
[[nodiscard]] std::vector<bool> works_to_time(const CommCatalog& catalog, const FusionChoice& fusion,
                                              const RunOptions& options);

/// `patterns`: times of works_to_time(). Problems (cycles, messages without partner) go to `problems`.
[[nodiscard]] std::unique_ptr<RunPlan> plan_run(const Scene& scene, CommCatalog catalog, const RankClasses& classes,
                                                const FlowPatterns& patterns, const FusionChoice& fusion,
                                                const RunOptions& options, std::vector<std::string>& problems);

}  // namespace trainwright::simulator
