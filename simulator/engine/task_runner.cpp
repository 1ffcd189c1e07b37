// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/task_runner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <simgrid/s4u.hpp>

#include "model/base/contract.hpp"
#include "simulator/engine/flows.hpp"
#include "simulator/engine/item_times.hpp"

namespace trainwright::simulator {
namespace {

namespace s4u = simgrid::s4u;

// Work of an execution that only ends by being cancelled: seconds.
constexpr double kEndless = 1e15;

// What an actor sleeps on. A wake-up that nobody waits for is not sent, so none is ever left over.
class Bed {
 public:
  void sleep() {
    asleep_ = true;
    semaphore_->acquire();
    asleep_ = false;
  }
  /// Returns early if woken.
  void sleep_for(double seconds) {
    asleep_ = true;
    semaphore_->acquire_timeout(seconds);
    asleep_ = false;
  }
  void wake() {
    if (!asleep_)
      return;
    asleep_ = false;
    semaphore_->release();
  }

 private:
  s4u::SemaphorePtr semaphore_ = s4u::Semaphore::create(0);
  bool asleep_ = false;
};

// A segment or run of computes in progress; its end moves when communication begins or ends on a member.
struct Running {
  Bed* bed = nullptr;
  bool is_stale = false;
};

// Members of a group on their way to the next collective, or to the next segment.
struct Meeting {
  int arrived = 0;
  double latest = 0.0;
  std::vector<std::pair<int, int>> members;  // simulated rank, item
};

struct SegmentTeam {
  Bed bed;
  std::vector<int> sims;
  std::vector<double> arrival;  // at the next segment
  int arrived = 0;
};

class Runner {
 public:
  Runner(EngineSession& session, const Platform& platform, const RunPlan& plan, const RunProgress& progress)
      : session_(session),
        platform_(platform),
        plan_(plan),
        progress_(progress),
        origin_(session.clock()),
        times_(plan, record_),
        beds_(plan.ranks.size()),
        running_(plan.ranks.size(), nullptr),
        noise_(plan.ranks.size()),
        team_of_(plan.ranks.size(), nullptr),
        meetings_(plan.groups.size() * model::kStreamCount),
        flow_cache_(plan.groups.size()) {}

  RunRecord run() {
    record_.history.resize(plan_.ranks.size());
    for (const SimRank& rank : plan_.ranks) {
      record_.end.emplace_back(rank.items->items.size(), kNotYet);
      record_.message_at.emplace_back(rank.items->items.size(), kNotYet);
      std::vector<int>& pending = pending_.emplace_back();
      for (const std::vector<int>& before : rank.items->predecessors)
        pending.push_back(static_cast<int>(before.size()));
      item_total_ += static_cast<std::int64_t>(rank.items->items.size());
    }
    for (std::size_t sim = 0; sim < plan_.ranks.size(); ++sim)
      create_streams(static_cast<int>(sim));
    create_teams();
    session_.run();
    return std::move(record_);
  }

 private:
  [[nodiscard]] const SimRank& rank(int sim) const { return plan_.ranks[static_cast<std::size_t>(sim)]; }
  [[nodiscard]] const Item& item_at(int sim, int item) const {
    return rank(sim).items->items[static_cast<std::size_t>(item)];
  }
  [[nodiscard]] double now() const { return s4u::Engine::get_clock() - origin_; }
  double& end_of(int sim, int item) {
    return record_.end[static_cast<std::size_t>(sim)][static_cast<std::size_t>(item)];
  }
  Bed& bed(int sim, model::Stream stream) {
    return *beds_[static_cast<std::size_t>(sim)][static_cast<std::size_t>(stream)];
  }
  [[nodiscard]] s4u::Host* host_of(int sim) const {
    return plan_.is_folded ? platform_.home() : platform_.device_host(plan_.device_of(sim));
  }

  void create_streams(int sim) {
    for (std::size_t s = 0; s < model::kStreamCount; ++s) {
      if (rank(sim).items->streams[s].empty())
        continue;
      beds_[static_cast<std::size_t>(sim)][s] = std::make_unique<Bed>();
      ++record_.actors;
      s4u::Actor::create("rank", host_of(sim), [this, sim, s] { run_stream(sim, static_cast<model::Stream>(s)); });
    }
  }

  void create_teams() {
    std::vector<SegmentTeam*> by_group(plan_.groups.size(), nullptr);
    for (std::size_t sim = 0; sim < plan_.ranks.size(); ++sim) {
      const int group = plan_.ranks[sim].segment_group;
      if (group < 0 || plan_.groups[static_cast<std::size_t>(group)].members.size() < 2)
        continue;
      SegmentTeam*& team = by_group[static_cast<std::size_t>(group)];
      if (team == nullptr) {
        team = &teams_.emplace_back();
        team->sims = plan_.groups[static_cast<std::size_t>(group)].members;
        team->arrival.assign(team->sims.size(), 0.0);
        ++record_.actors;
        s4u::Actor::create("team", host_of(team->sims.front()), [this, team] { run_team(*team); });
      }
      team_of_[sim] = team;
    }
  }

  void run_stream(int sim, model::Stream stream) {
    Bed& own = bed(sim, stream);
    for (const int item : rank(sim).items->streams[static_cast<std::size_t>(stream)]) {
      while (pending_[static_cast<std::size_t>(sim)][static_cast<std::size_t>(item)] > 0)
        own.sleep();
      const double ready = times_.ready(sim, item);
      switch (item_at(sim, item).kind) {
        case ItemKind::compute:
          compute(sim, item, ready, own);
          break;
        case ItemKind::segment:
          segment(sim, item, ready, own);
          break;
        case ItemKind::collective:
          collective(sim, item, dispatch(ready), own);
          break;
        case ItemKind::send:
          send(sim, item, dispatch(ready));
          break;
        case ItemKind::receive:
          receive(sim, item, dispatch(ready), own);
          break;
        case ItemKind::host_io:
          host_io(sim, item, dispatch(ready));
          break;
      }
    }
  }

  // Returns when the task itself may begin.
  double dispatch(double ready) {
    sleep_until(ready + plan_.dispatch);
    return ready + plan_.dispatch;
  }

  void sleep_until(double time) {
    const double left = time - now();
    if (left > 0.0)
      s4u::this_actor::sleep_for(left);
  }

  void complete(int sim, int item, double end) {
    end_of(sim, item) = end;
    for (const int next : rank(sim).items->successors[static_cast<std::size_t>(item)])
      if (--pending_[static_cast<std::size_t>(sim)][static_cast<std::size_t>(next)] == 0)
        bed(sim, item_at(sim, next).stream).wake();
    report_progress();
  }

  // At most ten times a second; the clock is read once in many items.
  void report_progress() {
    ++items_done_;
    if (!progress_ || items_done_ % 1024 != 0)
      return;
    const auto time = std::chrono::steady_clock::now();
    if (time - last_report_ < std::chrono::milliseconds(100))
      return;
    last_report_ = time;
    progress_(static_cast<double>(items_done_) / static_cast<double>(item_total_));
  }

  // --- compute -------------------------------------------------------------------------------------------------------

  void compute(int sim, int item, double ready, Bed& own) {
    const Segment& segment = times_.segment(sim, item);
    if (plan_.shares_cores) {
      execute_on_cores(sim, segment);
      complete(sim, item, now());
      return;
    }
    SegmentMember member = times_.member(sim, ready);
    const bool is_compute_stream = item_at(sim, item).stream == model::Stream::compute;
    if (!is_compute_stream)
      member.history = nullptr;  // fixed work of the host
    const std::span<SegmentMember> one(&member, 1);
    const SegmentTimes times = times_.segment_times(sim);
    evaluate(segment, one, times, nullptr);
    if (plan_.compute_share == 0.0 || !is_compute_stream) {
      sleep_until(member.end);
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
    complete(sim, item, member.end);
  }

  // More ranks than cores: SimGrid shares them. Each rank keeps one core busy at most.
  void execute_on_cores(int sim, const Segment& segment) {
    double seconds = 0.0;
    for (const SegmentOp& op : segment.ops)
      seconds += (*rank(sim).task_seconds)[static_cast<std::size_t>(op.task)];
    if (seconds <= 0.0)
      return;
    const s4u::ExecPtr exec = s4u::Exec::init();
    exec->set_flops_amount(seconds * plan_.core_slowdown(sim));
    exec->set_host(platform_.core_host(plan_.device_of(sim)));
    exec->start();
    exec->wait();
  }

  [[nodiscard]] bool is_later(double time) const { return time - now() > 1e-12 * std::max(1.0, time); }

  void segment(int sim, int item, double ready, Bed& own) {
    SegmentTeam* team = team_of_[static_cast<std::size_t>(sim)];
    if (team == nullptr) {
      compute(sim, item, ready, own);
      return;
    }
    const auto member =
        static_cast<std::size_t>(std::lower_bound(team->sims.begin(), team->sims.end(), sim) - team->sims.begin());
    team->arrival[member] = ready;
    if (++team->arrived == static_cast<int>(team->sims.size()))
      team->bed.wake();
    while (end_of(sim, item) == kNotYet)
      own.sleep();
  }

  // Waits for all members, works out when each ends, and releases each at its end. All have left the segment before the
  // last can arrive at the next one.
  void run_team(SegmentTeam& team) {
    const ItemProgram& items = *rank(team.sims.front()).items;
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

  void finish_together(SegmentTeam& team, int item, std::vector<SegmentMember>& members, Running& running) {
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
        if (end_of(sim, item) != kNotYet)
          continue;
        if (is_later(members[m].end)) {
          next = next == 0.0 ? members[m].end : std::min(next, members[m].end);
          continue;
        }
        --left;
        running_[static_cast<std::size_t>(sim)] = nullptr;
        complete(sim, item, members[m].end);
        bed(sim, model::Stream::compute).wake();
      }
      if (left > 0 && !running.is_stale && is_later(next))
        team.bed.sleep_for(next - now());
    }
  }

  // --- communication -------------------------------------------------------------------------------------------------

  void begin_communication(int sim) {
    if (plan_.compute_share == 0.0 || !record_.history[static_cast<std::size_t>(sim)].begin(now()))
      return;
    if (plan_.shares_cores) {
      s4u::ExecPtr& noise = noise_[static_cast<std::size_t>(sim)];
      noise = s4u::Exec::init();
      noise->set_flops_amount(kEndless);
      noise->set_bound(plan_.compute_share);
      noise->set_host(platform_.core_host(plan_.device_of(sim)));
      noise->start();
    } else if (Running* running = running_[static_cast<std::size_t>(sim)]) {
      running->is_stale = true;  // ends later than thought: found out when the old end is reached
    }
  }

  void end_communication(int sim) {
    if (plan_.compute_share == 0.0 || !record_.history[static_cast<std::size_t>(sim)].end(now()))
      return;
    if (plan_.shares_cores) {
      s4u::ExecPtr& noise = noise_[static_cast<std::size_t>(sim)];
      noise->cancel();
      noise = nullptr;
    } else if (Running* running = running_[static_cast<std::size_t>(sim)]) {
      running->is_stale = true;  // ends earlier than thought
      running->bed->wake();
    }
  }

  void collective(int sim, int item, double arrival, Bed& own) {
    const Item& it = item_at(sim, item);
    const int siblings = plan_.catalog.works[static_cast<std::size_t>(it.work)].siblings;
    const int group = rank(sim).group_of_siblings[static_cast<std::size_t>(siblings)];
    Meeting& meeting =
        meetings_[static_cast<std::size_t>(group) * model::kStreamCount + static_cast<std::size_t>(it.stream)];
    meeting.latest = meeting.arrived == 0 ? arrival : std::max(meeting.latest, arrival);
    meeting.members.emplace_back(sim, item);
    if (++meeting.arrived < static_cast<int>(plan_.groups[static_cast<std::size_t>(group)].members.size())) {
      while (end_of(sim, item) == kNotYet)
        own.sleep();
      return;
    }
    // The last to arrive acts for all.
    const std::vector<std::pair<int, int>> members = std::move(meeting.members);
    const double start = meeting.latest;
    meeting = Meeting{};
    for (const auto& member : members)
      begin_communication(member.first);
    double end = 0.0;
    if (plan_.is_folded) {
      end = start + (*rank(sim).comm_seconds)[static_cast<std::size_t>(it.work)];
      sleep_until(end);
    } else {
      end = run_flow_plan(group, it.work, start);
    }
    for (const auto& member : members)
      end_communication(member.first);
    for (const auto& [other, other_item] : members) {
      complete(other, other_item, end);
      if (other != sim)
        bed(other, it.stream).wake();
    }
  }

  double run_flow_plan(int group, int work, double start) {
    std::map<int, CachedFlows>& cache = flow_cache_[static_cast<std::size_t>(group)];
    const auto [found, is_new] = cache.try_emplace(work);
    if (is_new) {
      const SimGroup& sims = plan_.groups[static_cast<std::size_t>(group)];
      found->second = flows_of(
          work,
          plan_.catalog.siblings[static_cast<std::size_t>(sims.siblings)].groups[static_cast<std::size_t>(sims.group)]);
    }
    return run_cached(found->second, start);
  }

  struct CachedFlows {
    double latency = 0.0;
    std::vector<HostFlow> flows;
  };

  CachedFlows flows_of(int work, const std::vector<model::RankId>& members) const {
    const model::FlowPlan flows = flow_plan(plan_.scene, plan_.catalog.works[static_cast<std::size_t>(work)], members);
    CachedFlows cached{flows.latency.count(), {}};
    const model::Placement& placement = plan_.scene.graph.placement();
    for (const model::Flow& flow : flows.flows)
      cached.flows.push_back({platform_.device_host(placement.device(flow.from)),
                              platform_.device_host(placement.device(flow.to)), flow.bytes.count()});
    return cached;
  }

  double run_cached(const CachedFlows& cached, double start) {
    sleep_until(start + cached.latency);
    if (cached.flows.empty())
      return start + cached.latency;
    record_.flows += static_cast<std::int64_t>(cached.flows.size());
    run_flows(cached.flows);
    return now();
  }

  void send(int sim, int item, double start) {
    const int work = item_at(sim, item).work;
    const Receiver receiver = plan_.receiver(sim, item);
    begin_communication(sim);
    begin_communication(receiver.sim);
    double end = 0.0;
    if (plan_.is_folded) {
      end = start + (*rank(sim).comm_seconds)[static_cast<std::size_t>(work)];
      sleep_until(end);
    } else {
      end = run_cached(flows_of(work, {rank(sim).rank, rank(receiver.sim).rank}), start);
    }
    end_communication(sim);
    end_communication(receiver.sim);
    complete(sim, item, end);
    if (receiver.item < 0)
      return;  // nobody receives it: the graph's own check names this
    record_.message_at[static_cast<std::size_t>(receiver.sim)][static_cast<std::size_t>(receiver.item)] = end;
    bed(receiver.sim, item_at(receiver.sim, receiver.item).stream).wake();
  }

  void receive(int sim, int item, double ready, Bed& own) {
    const double& message_at = record_.message_at[static_cast<std::size_t>(sim)][static_cast<std::size_t>(item)];
    while (message_at == kNotYet)
      own.sleep();
    complete(sim, item, std::max(ready, message_at));
  }

  void host_io(int sim, int item, double start) {
    const auto& work = std::get<model::HostIoWork>(times_.task(sim, item_at(sim, item).first_task).work);
    const std::optional<model::Storage>& storage = plan_.scene.cluster.storage;
    double end = start;
    if (storage && plan_.is_folded) {
      end = start + plan_.folded_io_seconds(work);
      sleep_until(end);
    } else if (storage) {
      s4u::Host* device = platform_.device_host(plan_.device_of(sim));
      CachedFlows flows{storage->latency.count(), {}};
      const double bytes = model::to_bytes(work.bytes).count();
      flows.flows.push_back(work.is_write ? HostFlow{device, platform_.storage_host(), bytes}
                                          : HostFlow{platform_.storage_host(), device, bytes});
      end = run_cached(flows, start);
    }
    complete(sim, item, end);
  }

  EngineSession& session_;
  const Platform& platform_;
  const RunPlan& plan_;
  const RunProgress& progress_;
  double origin_;
  RunRecord record_;
  ItemTimes times_;
  std::vector<std::array<std::unique_ptr<Bed>, model::kStreamCount>> beds_;
  std::vector<std::vector<int>> pending_;  // by simulated rank, item: predecessors that have not ended
  std::vector<Running*> running_;
  std::vector<s4u::ExecPtr> noise_;  // running communication on shared cores
  std::deque<SegmentTeam> teams_;
  std::vector<SegmentTeam*> team_of_;
  std::vector<Meeting> meetings_;
  std::vector<std::map<int, CachedFlows>> flow_cache_;  // by group, work
  std::int64_t items_done_ = 0;
  std::int64_t item_total_ = 0;
  std::chrono::steady_clock::time_point last_report_{};
};

}  // namespace

RunRecord run_step(EngineSession& session, const Platform& platform, const RunPlan& plan, const RunProgress& progress) {
  return Runner(session, platform, plan, progress).run();
}

}  // namespace trainwright::simulator
