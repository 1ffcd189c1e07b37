// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/compute_runner.hpp"

#include <algorithm>
#include <simgrid/s4u.hpp>
#include <span>

#include "simulator/engine/flow_runner.hpp"

namespace trainwright::simulator {
namespace {

namespace s4u = simgrid::s4u;

// Work of an execution that only ends by being cancelled: seconds.
constexpr double kEndless = 1e15;

// Times closer than this, relative to the time itself above a second, are the same: the engine's own precision.
constexpr double kSameTime = 1e-12;

}  // namespace

struct ComputeRunner::Noise {
  std::vector<s4u::ExecPtr> of_sim;
};

ComputeRunner::ComputeRunner(const Platform& platform, const RunPlan& plan, RunRecord& record, double origin,
                             Complete complete)
    : platform_(platform),
      plan_(plan),
      record_(record),
      origin_(origin),
      complete_(std::move(complete)),
      times_(plan, record),
      running_(plan.ranks.size(), nullptr),
      team_of_(plan.ranks.size(), nullptr),
      noise_(std::make_unique<Noise>()) {
  noise_->of_sim.resize(plan.ranks.size());
}

ComputeRunner::~ComputeRunner() = default;

double ComputeRunner::now() const {
  return s4u::Engine::get_clock() - origin_;
}

bool ComputeRunner::is_later(double time) const {
  return time - now() > kSameTime * std::max(1.0, time);
}

bool ComputeRunner::has_ended(int sim, int item) const {
  return record_.end[static_cast<std::size_t>(sim)][static_cast<std::size_t>(item)] != kNotYet;
}

int ComputeRunner::create_teams() {
  std::vector<Team*> by_group(plan_.groups.size(), nullptr);
  for (std::size_t sim = 0; sim < plan_.ranks.size(); ++sim) {
    const int group = plan_.ranks[sim].segment_group;
    if (group < 0 || plan_.groups[static_cast<std::size_t>(group)].members.size() < 2)
      continue;
    Team*& team = by_group[static_cast<std::size_t>(group)];
    if (team == nullptr) {
      team = &teams_.emplace_back();
      team->sims = plan_.groups[static_cast<std::size_t>(group)].members;
      team->arrival.assign(team->sims.size(), 0.0);
      s4u::Actor::create(
          "team", plan_.is_folded ? platform_.home() : platform_.device_host(plan_.device_of(team->sims.front())),
          [this, team] { run_team(*team); });
    }
    team_of_[sim] = team;
  }
  return static_cast<int>(teams_.size());
}

void ComputeRunner::compute(int sim, int item, double ready, ActorBed& own) {
  const Segment& segment = times_.segment(sim, item);
  if (plan_.shares_cores) {
    execute_on_cores(sim, segment);
    complete_(sim, item, now());
    return;
  }
  SegmentMember member = times_.member(sim, ready);
  const bool is_compute_stream = times_.item(sim, item).stream == model::Stream::compute;
  if (!is_compute_stream)
    member.history = nullptr;  // fixed work of the host
  const std::span<SegmentMember> one(&member, 1);
  const SegmentTimes times = times_.segment_times(sim);
  evaluate(segment, one, times, nullptr);
  if (plan_.compute_share == 0.0 || !is_compute_stream) {
    pass_time(member.end - now());
  } else {
    Running running{&own, false};
    running_[static_cast<std::size_t>(sim)] = &running;
    while (is_later(member.end)) {
      own.sleep_for(member.end - now());
      if (running.is_stale)
        evaluate(segment, one, times, nullptr);
      running.is_stale = false;
    }
    running_[static_cast<std::size_t>(sim)] = nullptr;
  }
  complete_(sim, item, member.end);
}

// More ranks than cores: SimGrid shares them. Each rank keeps one core busy at most.
void ComputeRunner::execute_on_cores(int sim, const Segment& segment) {
  double seconds = 0.0;
  for (const SegmentOp& op : segment.ops)
    seconds += (*plan_.ranks[static_cast<std::size_t>(sim)].task_seconds)[static_cast<std::size_t>(op.task)];
  if (seconds <= 0.0)
    return;
  const s4u::ExecPtr exec = s4u::Exec::init();
  exec->set_flops_amount(seconds * plan_.core_slowdown(sim));
  exec->set_host(platform_.core_host(plan_.device_of(sim)));
  exec->start();
  exec->wait();
}

void ComputeRunner::segment(int sim, int item, double ready, ActorBed& own) {
  Team* team = team_of_[static_cast<std::size_t>(sim)];
  if (team == nullptr) {
    compute(sim, item, ready, own);
    return;
  }
  const auto member =
      static_cast<std::size_t>(std::lower_bound(team->sims.begin(), team->sims.end(), sim) - team->sims.begin());
  team->arrival[member] = ready;
  if (++team->arrived == static_cast<int>(team->sims.size()))
    team->bed.wake();
  while (!has_ended(sim, item))
    own.sleep();
}

// Waits for all members, works out when each ends, and releases each at its end. All have left the segment before the
// last can arrive at the next one.
void ComputeRunner::run_team(Team& team) {
  const ItemProgram& items = *plan_.ranks[static_cast<std::size_t>(team.sims.front())].items;
  for (std::size_t i = 0; i < items.items.size(); ++i) {
    if (items.items[i].kind != ItemKind::segment)
      continue;
    const int item = static_cast<int>(i);
    while (team.arrived < static_cast<int>(team.sims.size()))
      team.bed.sleep();
    std::vector<SegmentMember> members;
    Running running{&team.bed, false};
    for (std::size_t m = 0; m < team.sims.size(); ++m) {
      members.push_back(times_.member(team.sims[m], team.arrival[m]));
      running_[static_cast<std::size_t>(team.sims[m])] = &running;
    }
    team.arrived = 0;
    finish_together(team, item, members, running);
    for (const int sim : team.sims)
      if (running_[static_cast<std::size_t>(sim)] == &running)
        running_[static_cast<std::size_t>(sim)] = nullptr;
  }
}

void ComputeRunner::finish_together(Team& team, int item, std::vector<SegmentMember>& members, Running& running) {
  const Segment& segment = times_.segment(team.sims.front(), item);
  const SegmentTimes times = times_.segment_times(team.sims.front());
  evaluate(segment, members, times, nullptr);
  std::size_t left = members.size();
  while (left > 0) {
    if (running.is_stale)
      evaluate(segment, members, times, nullptr);
    running.is_stale = false;
    double next = 0.0;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const int sim = team.sims[m];
      if (has_ended(sim, item))
        continue;
      if (is_later(members[m].end)) {
        next = next == 0.0 ? members[m].end : std::min(next, members[m].end);
        continue;
      }
      --left;
      running_[static_cast<std::size_t>(sim)] = nullptr;
      complete_(sim, item, members[m].end);
    }
    if (left > 0 && !running.is_stale && is_later(next))
      team.bed.sleep_for(next - now());
  }
}

void ComputeRunner::begin_communication(int sim) {
  if (plan_.compute_share == 0.0 || !record_.history[static_cast<std::size_t>(sim)].begin(now()))
    return;
  if (plan_.shares_cores) {
    s4u::ExecPtr& noise = noise_->of_sim[static_cast<std::size_t>(sim)];
    noise = s4u::Exec::init();
    noise->set_flops_amount(kEndless);
    noise->set_bound(plan_.compute_share);
    noise->set_host(platform_.core_host(plan_.device_of(sim)));
    noise->start();
  } else if (Running* running = running_[static_cast<std::size_t>(sim)]) {
    running->is_stale = true;  // ends later than thought: found out when the old end is reached
  }
}

void ComputeRunner::end_communication(int sim) {
  if (plan_.compute_share == 0.0 || !record_.history[static_cast<std::size_t>(sim)].end(now()))
    return;
  if (plan_.shares_cores) {
    s4u::ExecPtr& noise = noise_->of_sim[static_cast<std::size_t>(sim)];
    noise->cancel();
    noise = nullptr;
  } else if (Running* running = running_[static_cast<std::size_t>(sim)]) {
    running->is_stale = true;  // ends earlier than thought
    running->bed->wake();
  }
}

}  // namespace trainwright::simulator
