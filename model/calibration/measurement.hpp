// What was measured on a machine: micro-benchmarks and executed steps, with provenance. On disk
// trainwright/measurement/v1 (model/io/measurement_v1). Machine-made: seconds and bytes as numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/graph/task.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Of the valid samples of one quantity. docs/measuring.md defines each.
struct SampleSummary {
  std::int64_t count = 0;    ///< valid samples
  std::int64_t invalid = 0;  ///< samples thrown away (disturbed, wrong result)
  double median_s = 0.0;
  double min_s = 0.0;
  double max_s = 0.0;
  double noise = 0.0;     ///< 1.4826 x median absolute deviation / median
  bool converged = true;  ///< the stopping rule was met before the time limit
  friend bool operator==(const SampleSummary&, const SampleSummary&) = default;
};

struct Environment {
  std::string host;  ///< a name the user chose or the kernel's
  std::string date;  ///< UTC, ISO 8601
  std::string processor;
  int cores = 0;
  std::int64_t memory_bytes = 0;
  std::string backend;                                        ///< "gloo", "nccl"
  std::vector<std::pair<std::string, std::string>> versions;  ///< library, version
  std::string command;
  std::optional<double> power_limit_watts = {};  ///< of one device; decides the clock it holds
  std::optional<double> clock_mhz = {};          ///< of the devices' cores, where it is locked
  friend bool operator==(const Environment&, const Environment&) = default;
};

/// What is missing to compare the measurement with another of the same hardware: "power limit of the devices". Empty
/// when nothing is; ranks on processor cores have no such limit.
[[nodiscard]] std::string missing_conditions(const Environment& environment);
/// Whether both were measured under the same power limit and clock, as far as both say.
[[nodiscard]] bool same_conditions(const Environment& a, const Environment& b);

struct GemmPoint {
  GemmWork work;
  int ranks = 1;  ///< that ran the same at the same time
  SampleSummary time;
  friend bool operator==(const GemmPoint&, const GemmPoint&) = default;
};

struct MemoryPoint {
  std::int64_t bytes = 0;  ///< traffic: read + written
  int ranks = 1;
  SampleSummary time;
  friend bool operator==(const MemoryPoint&, const MemoryPoint&) = default;
};

struct CollectivePoint {
  CollectiveKind kind = CollectiveKind::all_reduce;
  int ranks = 1;
  int nodes = 1;
  std::int64_t bytes = 0;  ///< as CollectiveWork counts
  SampleSummary time;
  friend bool operator==(const CollectivePoint&, const CollectivePoint&) = default;
};

struct TransferPoint {
  std::int64_t bytes = 0;
  int nodes = 1;  ///< 1: inside a node
  SampleSummary time;
  friend bool operator==(const TransferPoint&, const TransferPoint&) = default;
};

struct StoragePoint {
  bool is_write = false;
  std::int64_t bytes = 0;
  SampleSummary time;
  friend bool operator==(const StoragePoint&, const StoragePoint&) = default;
};

/// A GEMM while a collective runs: how much of its rate is left.
struct InterferencePoint {
  SampleSummary alone;
  SampleSummary beside_communication;
  friend bool operator==(const InterferencePoint&, const InterferencePoint&) = default;
};

/// One task of one rank over the measured steps.
struct TaskRecord {
  TaskId task = TaskId(0);
  std::vector<double> start_s;  ///< from the start of its step, one per step
  std::vector<double> duration_s;
  friend bool operator==(const TaskRecord&, const TaskRecord&) = default;
};

struct ExecutedRun {
  Plan plan;
  std::string name;                ///< free label, "dp2"
  std::vector<std::string> modes;  ///< "rehearse", "emulate-compute", "scale 1/64": each mode that makes it unreal
  std::vector<double> step_s;      ///< slowest rank of each measured step
  std::vector<std::vector<TaskRecord>> tasks;   ///< by rank
  std::vector<std::int64_t> peak_memory_bytes;  ///< by rank
  friend bool operator==(const ExecutedRun&, const ExecutedRun&) = default;
};

struct Measurement {
  Environment environment;
  bool partial = false;            ///< interrupted or failed: points are missing that were to be measured
  std::vector<std::string> notes;  ///< how points were measured, and which were left out and why
  std::vector<GemmPoint> gemm;
  std::vector<MemoryPoint> memory;
  std::vector<CollectivePoint> collectives;
  std::vector<TransferPoint> transfers;
  std::vector<StoragePoint> storage;
  std::vector<InterferencePoint> interference;
  std::vector<ExecutedRun> runs;
  friend bool operator==(const Measurement&, const Measurement&) = default;
};

}  // namespace trainwright::model
