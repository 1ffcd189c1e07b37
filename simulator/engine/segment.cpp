// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/segment.hpp"

#include <algorithm>
#include <limits>

namespace trainwright::simulator {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Walks the two sources of disturbance of one rank forward in time: its history and the segment's own collectives.
class Disturbance {
 public:
  Disturbance(const CommHistory* history, const std::vector<double>& inside) : history_(history), inside_(inside) {}

  /// When `work` seconds begun at `time` end. Calls must not go back in time.
  double finish(double time, double work, double share) {
    while (true) {
      double next = kNever;
      bool disturbed = history_ != nullptr && advance(history_->switches(), outer_, time, next);
      disturbed |= advance(inside_, inner_, time, next);
      const double rate = disturbed ? 1.0 - share : 1.0;
      if (time + work / rate <= next)
        return time + work / rate;
      work -= (next - time) * rate;
      time = next;
    }
  }

 private:
  // Moves `place` to the first switch after `time`; true if it is on before it.
  static bool advance(const std::vector<double>& switches, std::size_t& place, double time, double& next) {
    while (place < switches.size() && switches[place] <= time)
      ++place;
    if (place < switches.size())
      next = std::min(next, switches[place]);
    return place % 2 == 1;
  }

  const CommHistory* history_;
  const std::vector<double>& inside_;
  std::size_t outer_ = 0;
  std::size_t inner_ = 0;
};

bool is_quiet(const SegmentMember& member) {
  return member.history == nullptr ||
         (!member.history->is_running() &&
          (member.history->switches().empty() || member.history->switches().back() <= member.arrival));
}

class Evaluation {
 public:
  Evaluation(const Segment& segment, std::span<SegmentMember> members, const SegmentTimes& times, SegmentTrace* trace)
      : segment_(segment), members_(members), times_(times), trace_(trace) {
    for (SegmentMember& member : members_) {
      member.end = member.arrival;
      disturbances_.emplace_back(times.share > 0.0 ? member.history : nullptr, switches_);
    }
    if (trace_ != nullptr) {
      trace_->start.assign(members.size() * segment.ops.size(), 0.0);
      trace_->end = trace_->start;
    }
  }

  void run() {
    // Position in the operations of the next compute, which is the compute with ordinal `computes_`.
    std::size_t next = 0;
    for (std::size_t at = 0; at < segment_.ops.size(); ++at) {
      const SegmentOp& op = segment_.ops[at];
      if (!op.is_collective)
        continue;
      while (computes_ <= op.waits_for)
        next = compute_next(next);
      collective(at);
    }
    while (next < segment_.ops.size())
      next = compute_next(next);
    for (SegmentMember& member : members_)
      if (!collective_ends_.empty())
        member.end = std::max(member.end, collective_ends_.back());
  }

 private:
  std::size_t compute_next(std::size_t at) {
    while (at < segment_.ops.size() && segment_.ops[at].is_collective)
      ++at;
    if (at == segment_.ops.size())
      return at;
    const SegmentOp& op = segment_.ops[at];
    const double after = op.waits_for >= 0 ? collective_ends_[static_cast<std::size_t>(op.waits_for)] : 0.0;
    for (std::size_t m = 0; m < members_.size(); ++m) {
      SegmentMember& member = members_[m];
      const double start = std::max(member.end, after);
      const double work = member.task_seconds[op.task];
      member.end = times_.share > 0.0 ? disturbances_[m].finish(start, work, times_.share) : start + work;
      record(m, at, start, member.end);
    }
    ++computes_;
    return at + 1;
  }

  void collective(std::size_t at) {
    const SegmentOp& op = segment_.ops[at];
    double start = collective_ends_.empty() ? 0.0 : collective_ends_.back();
    // All computes it waits for have been evaluated and no later ones, so `end` is when the rank gets there; a
    // collective that waits for no compute of the segment starts with the arrival.
    for (const SegmentMember& member : members_)
      start = std::max(start, op.waits_for >= 0 ? member.end : member.arrival);
    start += times_.dispatch;
    const double end = start + times_.comm_seconds[op.work];
    collective_ends_.push_back(end);
    // Two collectives back to back are off and on again in one instant, never merged: a reader may have passed the
    // first.
    switches_.insert(switches_.end(), {start, end});
    for (std::size_t m = 0; m < members_.size(); ++m)
      record(m, at, start, end);
  }

  void record(std::size_t member, std::size_t op, double start, double end) {
    if (trace_ == nullptr)
      return;
    trace_->start[member * segment_.ops.size() + op] = start;
    trace_->end[member * segment_.ops.size() + op] = end;
  }

  const Segment& segment_;
  std::span<SegmentMember> members_;
  const SegmentTimes& times_;
  SegmentTrace* trace_;
  std::vector<Disturbance> disturbances_;
  std::vector<double> collective_ends_;
  std::vector<double> switches_;  // of the segment's own collectives
  int computes_ = 0;
};

}  // namespace

void evaluate(const Segment& segment, std::span<SegmentMember> members, const SegmentTimes& times,
              SegmentTrace* trace) {
  // Ranks that begin together and are alike end together.
  const bool alike = trace == nullptr && members.size() > 1 &&
                     std::all_of(members.begin(), members.end(), [&](const SegmentMember& member) {
                       return member.arrival == members.front().arrival &&
                              member.task_seconds == members.front().task_seconds &&
                              (times.share == 0.0 || is_quiet(member));
                     });
  Evaluation(segment, alike ? members.first(1) : members, times, trace).run();
  if (alike)
    for (SegmentMember& member : members)
      member.end = members.front().end;
}

}  // namespace trainwright::simulator
