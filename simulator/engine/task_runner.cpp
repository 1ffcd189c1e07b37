// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/task_runner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <simgrid/s4u.hpp>

#include "simulator/engine/actor_bed.hpp"
#include "simulator/engine/compute_runner.hpp"
#include "simulator/engine/flow_runner.hpp"
#include "simulator/engine/item_times.hpp"

namespace trainwright::simulator {
namespace {

namespace s4u = simgrid::s4u;

// Members of a group on their way to their next collective.
struct Meeting {
  int arrived = 0;
  double latest = 0.0;
  std::vector<std::pair<int, int>> members;  // simulated rank, item
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
        meetings_(plan.groups.size() * model::kStreamCount),
        compute_(platform, plan, record_, origin_, [this](int sim, int item, double end) { complete(sim, item, end); }),
        flows_(platform, plan, origin_) {}

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
    record_.actors += compute_.create_teams();
    session_.run();
    record_.flows = flows_.count();
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
  ActorBed& bed(int sim, model::Stream stream) {
    return *beds_[static_cast<std::size_t>(sim)][static_cast<std::size_t>(stream)];
  }
  [[nodiscard]] s4u::Host* host_of(int sim) const {
    return plan_.is_folded ? platform_.home() : platform_.device_host(plan_.device_of(sim));
  }

  void create_streams(int sim) {
    for (std::size_t s = 0; s < model::kStreamCount; ++s) {
      if (rank(sim).items->streams[s].empty())
        continue;
      beds_[static_cast<std::size_t>(sim)][s] = std::make_unique<ActorBed>();
      ++record_.actors;
      s4u::Actor::create("rank", host_of(sim), [this, sim, s] { run_stream(sim, static_cast<model::Stream>(s)); });
    }
  }

  void run_stream(int sim, model::Stream stream) {
    ActorBed& own = bed(sim, stream);
    for (const int item : rank(sim).items->streams[static_cast<std::size_t>(stream)]) {
      while (pending_[static_cast<std::size_t>(sim)][static_cast<std::size_t>(item)] > 0)
        own.sleep();
      const double ready = times_.ready(sim, item);
      switch (item_at(sim, item).kind) {
        case ItemKind::compute:
          compute_.compute(sim, item, ready, own);
          break;
        case ItemKind::segment:
          compute_.segment(sim, item, ready, own);
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

  void sleep_until(double time) { pass_time(time - now()); }

  void complete(int sim, int item, double end) {
    end_of(sim, item) = end;
    bed(sim, item_at(sim, item).stream).wake();  // unless it is the stream itself that completes it
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

  void collective(int sim, int item, double arrival, ActorBed& own) {
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
      compute_.begin_communication(member.first);
    double end = 0.0;
    if (plan_.is_folded) {
      end = start + (*rank(sim).comm_seconds)[static_cast<std::size_t>(it.work)];
      sleep_until(end);
    } else {
      end = flows_.collective(group, it.work, start);
    }
    for (const auto& member : members)
      compute_.end_communication(member.first);
    for (const auto& [other, other_item] : members)
      complete(other, other_item, end);
  }

  void send(int sim, int item, double start) {
    const int work = item_at(sim, item).work;
    const Receiver receiver = plan_.receiver(sim, item);
    compute_.begin_communication(sim);
    compute_.begin_communication(receiver.sim);
    double end = 0.0;
    if (plan_.is_folded) {
      end = start + (*rank(sim).comm_seconds)[static_cast<std::size_t>(work)];
      sleep_until(end);
    } else {
      end = flows_.message(work, rank(sim).rank, rank(receiver.sim).rank, start);
    }
    compute_.end_communication(sim);
    compute_.end_communication(receiver.sim);
    complete(sim, item, end);
    if (receiver.item < 0)
      return;  // nobody receives it: the graph's own check names this
    record_.message_at[static_cast<std::size_t>(receiver.sim)][static_cast<std::size_t>(receiver.item)] = end;
    bed(receiver.sim, item_at(receiver.sim, receiver.item).stream).wake();
  }

  void receive(int sim, int item, double ready, ActorBed& own) {
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
      end = flows_.storage(work, plan_.device_of(sim), start);
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
  std::vector<std::array<std::unique_ptr<ActorBed>, model::kStreamCount>> beds_;
  std::vector<std::vector<int>> pending_;  // by simulated rank, item: predecessors that have not ended
  std::vector<Meeting> meetings_;
  ComputeRunner compute_;
  FlowRunner flows_;
  std::int64_t items_done_ = 0;
  std::int64_t item_total_ = 0;
  std::chrono::steady_clock::time_point last_report_{};
};

}  // namespace

RunRecord run_step(EngineSession& session, const Platform& platform, const RunPlan& plan, const RunProgress& progress) {
  return Runner(session, platform, plan, progress).run();
}

}  // namespace trainwright::simulator
