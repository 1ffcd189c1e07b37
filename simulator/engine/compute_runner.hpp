// Compute of a running step: runs of one rank, segments of a group, executions on shared cores, and what running
// communication takes from them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "simulator/engine/actor_bed.hpp"
#include "simulator/engine/item_times.hpp"
#include "simulator/engine/platform_builder.hpp"

namespace trainwright::simulator {

class ComputeRunner {
 public:
  /// Called at the simulated time at which an item has ended: simulated rank, item, end. It wakes whoever waits.
  using Complete = std::function<void(int, int, double)>;

  /// Keeps references. Times are seconds since `origin` on the engine's clock.
  ComputeRunner(const Platform& platform, const RunPlan& plan, RunRecord& record, double origin, Complete complete);
  ~ComputeRunner();

  /// Makes the actors that run segments of several ranks; returns how many.
  int create_teams();

  /// Blocks the calling actor, whose bed is `own`, until the item is complete.
  void compute(int sim, int item, double ready, ActorBed& own);
  void segment(int sim, int item, double ready, ActorBed& own);

  /// One more, one fewer communication runs on a rank.
  void begin_communication(int sim);
  void end_communication(int sim);

 private:
  // A segment or run of computes in progress; its end moves when communication begins or ends on a member.
  struct Running {
    ActorBed* bed = nullptr;
    bool is_stale = false;
  };
  struct Team {
    ActorBed bed;
    std::vector<int> sims;
    std::vector<double> arrival;  // at the next segment
    int arrived = 0;
  };
  struct Noise;  // executions that stand for running communication, by simulated rank; on shared cores only

  [[nodiscard]] double now() const;
  [[nodiscard]] bool is_later(double time) const;
  [[nodiscard]] bool has_ended(int sim, int item) const;
  void execute_on_cores(int sim, const Segment& segment);
  void run_team(Team& team);
  void finish_together(Team& team, int item, std::vector<SegmentMember>& members, Running& running);

  const Platform& platform_;
  const RunPlan& plan_;
  RunRecord& record_;
  double origin_;
  Complete complete_;
  ItemTimes times_;
  std::vector<Running*> running_;  // by simulated rank
  std::deque<Team> teams_;
  std::vector<Team*> team_of_;  // by simulated rank
  std::unique_ptr<Noise> noise_;
};

}  // namespace trainwright::simulator
