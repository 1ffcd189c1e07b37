// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/chain_time.hpp"

#include <algorithm>
#include <vector>

#include "model/cost/program_durations.hpp"

namespace trainwright::model {
namespace {

struct Interval {
  double start = 0.0;
  double end = 0.0;
  GroupAxis axis = GroupAxis::tensor;
};

// Runs a chain on a compute stream and one for collectives, as the simulator does: collectives in order, before each
// the computes it waits for. So when a compute is timed, all collectives that can run beside it have their times. While
// one runs, compute proceeds at 1 - share of its speed.
class ChainRun {
 public:
  ChainRun(const TaskChain& chain, std::vector<double> durations, double share)
      : chain_(chain), durations_(std::move(durations)), share_(share), waits_for_(chain.tasks.size(), -1) {
    for (const Task& task : chain.tasks) {
      auto& stream = is_compute(task) ? computes_ : collectives_;
      ordinal_.push_back(static_cast<int>(stream.size()));
      stream.push_back(ordinal_.size() - 1);
    }
    for (const Dependency& d : chain.dependencies)
      waits_for_[d.after.index()] = std::max(waits_for_[d.after.index()], ordinal_[d.before.index()]);
  }

  ChainTime run() {
    double comm_end = 0.0;
    for (const std::size_t task : collectives_) {
      while (static_cast<int>(next_) <= waits_for_[task])
        compute_next();
      double start = comm_end;
      if (waits_for_[task] >= 0)
        start = std::max(start, compute_ends_[static_cast<std::size_t>(waits_for_[task])]);
      comm_end = start + durations_[task];
      running_.push_back({start, comm_end, std::get<CollectiveWork>(chain_.tasks[task].work).axis});
    }
    while (next_ < computes_.size())
      compute_next();
    if (comm_end > compute_end_)
      wait(compute_end_, comm_end);
    result_.total = Seconds(std::max(comm_end, compute_end_));
    if (chain_.output) {
      const std::size_t output = chain_.output->index();
      const auto place = static_cast<std::size_t>(ordinal_[output]);
      const double ready = is_compute(chain_.tasks[output]) ? compute_ends_[place] : running_[place].end;
      result_.after_output = result_.total - Seconds(ready);
    }
    return result_;
  }

 private:
  static bool is_compute(const Task& task) { return task.stream == Stream::compute; }

  void compute_next() {
    const std::size_t task = computes_[next_++];
    double start = compute_end_;
    if (waits_for_[task] >= 0)
      start = std::max(start, running_[static_cast<std::size_t>(waits_for_[task])].end);
    if (start > compute_end_)
      wait(compute_end_, start);
    const double work = durations_[task];
    (chain_.tasks[task].phase.pass == Pass::recompute ? result_.recompute : result_.compute) += Seconds(work);
    compute_end_ = share_ > 0.0 ? disturbed(start, work) : start + work;
    compute_ends_.push_back(compute_end_);
  }

  double disturbed(double time, double work) {
    for (const Interval& other : running_) {
      if (other.end <= time || work <= 0.0)
        continue;
      const double free = std::max(0.0, other.start - time);
      if (work <= free)
        return time + work;
      work -= free;
      time += free;
      const double beside = std::min(other.end - time, work / (1.0 - share_));
      expose(other.axis, beside * share_);
      work -= beside * (1.0 - share_);
      time += beside;
    }
    return time + std::max(work, 0.0);
  }

  // The compute stream has nothing to do: what runs meanwhile is exposed. Collectives wait for computes only, so that
  // in such a gap one runs at any time.
  void wait(double from, double to) {
    for (const Interval& other : running_)
      if (other.end > from && other.start < to)
        expose(other.axis, std::min(to, other.end) - std::max(from, other.start));
  }

  void expose(GroupAxis axis, double seconds) {
    Seconds& part = axis == GroupAxis::context                                      ? result_.exposed_context
                    : axis == GroupAxis::expert || axis == GroupAxis::expert_tensor ? result_.exposed_expert
                                                                                    : result_.exposed_tensor;
    part += Seconds(seconds);
  }

  const TaskChain& chain_;
  std::vector<double> durations_;
  double share_;
  std::vector<int> waits_for_;  // the last of the other stream, by its ordinal there
  std::vector<int> ordinal_;
  std::vector<std::size_t> computes_;
  std::vector<std::size_t> collectives_;
  std::vector<double> compute_ends_;
  std::vector<Interval> running_;
  std::size_t next_ = 0;
  double compute_end_ = 0.0;
  ChainTime result_;
};

}  // namespace

ChainTime& ChainTime::operator+=(const ChainTime& other) {
  total += other.total;
  compute += other.compute;
  recompute += other.recompute;
  exposed_tensor += other.exposed_tensor;
  exposed_context += other.exposed_context;
  exposed_expert += other.exposed_expert;
  after_output = other.after_output;
  return *this;
}

LayerGroups::LayerGroups(const Plan& plan) {
  const Placement placement(plan.layout, plan.cluster);
  for (const auto& [axis, degree] : {std::pair{GroupAxis::tensor, plan.layout.tp},
                                     {GroupAxis::context, plan.layout.cp},
                                     {GroupAxis::expert, plan.layout.ep},
                                     {GroupAxis::expert_tensor, plan.layout.etp}})
    if (degree > 1)
      shapes_[static_cast<std::size_t>(axis)] = group_shape(placement, plan.cluster, axis, RankId(0));
}

ChainTime chain_time(const TaskChain& chain, const LayerGroups& groups, const Plan& plan, const Accelerator& device) {
  std::vector<Seconds> collectives;
  collectives.reserve(chain.tasks.size());
  for (const Task& task : chain.tasks) {
    const auto* work = std::get_if<CollectiveWork>(&task.work);
    collectives.push_back(work == nullptr
                              ? Seconds(0.0)
                              : collective_duration(*work, groups.shape(work->axis), plan.cluster, plan.constants));
  }
  const std::vector<Seconds> computes =
      compute_durations(chain.tasks, collectives, device, plan.layout.tp, plan.constants);
  std::vector<double> durations;
  durations.reserve(chain.tasks.size());
  for (std::size_t i = 0; i < chain.tasks.size(); ++i)
    durations.push_back(plan.constants.host.task_s + computes[i].count() + collectives[i].count());
  return ChainRun(chain, std::move(durations), plan.constants.communication_compute_share).run();
}

}  // namespace trainwright::model
