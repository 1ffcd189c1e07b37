// A run of compute tasks and collectives that a group of ranks does in lock step, solved without the engine.
//
// Why: a step of GPT-3 175B on 1,024 ranks has 20 million tasks. SimGrid executes some 200,000 activities a second, so
// the step would take minutes. But nearly all tasks are compute and tensor-parallel collectives in an alternation that
// nothing outside the group can disturb: the collective's links are used by nobody else (link_privacy.hpp proves it
// from the routes), and no message is awaited or sent in the middle (step_items.hpp cuts there). Such a run is a (max,
// +) formula:
//
//   compute i on rank r      starts at max(end of compute i-1 on r, end of the last collective it depends on)
//   collective k             starts at max(end of collective k-1, over ranks r: end of the last compute on r it depends
//   on)
//                            and ends a fixed time later, the same for all
//
// Arrival times of the ranks go in, end times come out. The engine only sees the end. Running communication takes the
// share s of a rank's compute: while any runs, work advances at the rate 1 - s. Inside the run that is known from the
// formula itself; from outside (messages, gradient buckets) it is in the rank's CommHistory, and what is running now is
// taken to go on. When that changes, the caller evaluates again: the function is pure, and cheap.
//
// Collectives are taken in order, and before each only the computes it waits for are evaluated. So when a compute is
// evaluated, every collective that can overlap it already has its times. Hence the result is exact, not an
// approximation of the unfused run; tests/simulation/fusion_test.cpp compares both to 1e-9.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "simulator/engine/comm_history.hpp"

namespace trainwright::simulator {

struct SegmentOp {
  int task = 0;  ///< in the program
  bool is_collective = false;
  int work = -1;       ///< of a collective: index into the catalog
  int waits_for = -1;  ///< compute: ordinal of the last collective of this segment before it; collective: of compute
};

struct Segment {
  std::vector<SegmentOp> ops;  ///< program order
};

struct SegmentMember {
  double arrival = 0.0;                  ///< when the rank could begin
  const double* task_seconds = nullptr;  ///< compute time alone, by task
  const CommHistory* history = nullptr;  ///< null: nothing disturbs it
  double end = 0.0;                      ///< out
};

/// Start and end of every operation on every member: [member * ops + op].
struct SegmentTrace {
  std::vector<double> start;
  std::vector<double> end;
};

struct SegmentTimes {
  const double* comm_seconds = nullptr;  ///< of a collective, by catalog index
  double dispatch = 0.0;                 ///< from its turn to its start on every rank
  double share = 0.0;                    ///< of its device that running communication takes, in [0, 1)
};

/// Fills SegmentMember::end. `trace` may be null.
void evaluate(const Segment& segment, std::span<SegmentMember> members, const SegmentTimes& times, SegmentTrace* trace);

}  // namespace trainwright::simulator
