// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/measure_session.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

#include "executor/measurement/collective_benchmark.hpp"
#include "executor/measurement/compute_benchmark.hpp"
#include "executor/measurement/gloo_communication.hpp"
#include "executor/measurement/storage_benchmark.hpp"

namespace trainwright::executor {
namespace {

/// A group of ranks and its weight in the time.
struct Stage {
  std::string name;
  int ranks = 1;
  double weight = 1.0;
  std::function<void(RankContext&, model::Seconds share)> body;
};

// Shares of the budget. Starting processes, touching memory and connecting is part of them.
constexpr double kComputeWeight = 0.45;
constexpr double kStorageWeight = 0.15;
constexpr double kCommunicationWeight = 0.40;

Stage compute_stage(const SessionOptions& options) {
  return {"compute", options.ranks, kComputeWeight, [options](RankContext& context, model::Seconds share) {
            ComputePlan plan;
            plan.end = context.clock().now() + share;
            plan.gemm = gemm_shapes(options.quick);
            plan.gemm_alone = gemm_shapes_alone(options.quick);
            plan.memory_bytes = memory_sizes(options.quick);
            plan.seed = options.seed;
            plan.cores_are_own = !options.cores.empty();
            measure_compute(context, plan);
          }};
}

Stage storage_stage(const SessionOptions& options) {
  return {"storage", 1, kStorageWeight, [options](RankContext& context, model::Seconds share) {
            StoragePlan plan;
            plan.end = context.clock().now() + share;
            plan.folder = options.run_dir;
            plan.bytes = storage_sizes(options.quick);
            plan.seed = options.seed;
            // Devices are noisier than processors; more samples would cost more time than they are worth.
            plan.rules.median_error = 0.05;
            measure_storage(context, plan);
          }};
}

Stage communication_stage(const SessionOptions& options, int ranks, double weight) {
  return {"communication of " + std::to_string(ranks) + " ranks", ranks, weight,
          [options, ranks](RankContext& context, model::Seconds share) {
            CollectivePlan plan;
            plan.end = context.clock().now() + share;
            plan.kinds = measured_collectives();
            plan.bytes = collective_sizes(options.quick);
            plan.transfers = ranks == 2;
            plan.interference = ranks == options.ranks;
            plan.cores_are_own = !options.cores.empty();
            plan.seed = options.seed;
            plan.rules.median_error = 0.05;
            with_gloo(context, [&](Communicator& communicator) { measure_collectives(context, communicator, plan); });
          }};
}

std::vector<Stage> stages(const SessionOptions& options) {
  std::vector<Stage> list{compute_stage(options), storage_stage(options)};
  const std::vector<int> sizes = collective_group_sizes(options.ranks);
  for (const int ranks : sizes)
    list.push_back(communication_stage(options, ranks, kCommunicationWeight / static_cast<double>(sizes.size())));
  return list;
}

/// Puts records where they belong.
class Collector {
 public:
  Collector(SessionResult& result, const SessionEvents& events) : result_(result), events_(events) {}

  void begin_stage(double done_before, double share) {
    done_before_ = done_before;
    share_ = share;
  }
  void take(const Record& record) {
    std::visit([this](const auto& value) { add(value); }, record);
  }

 private:
  void add(const model::GemmPoint& point) { result_.measurement.gemm.push_back(point); }
  void add(const model::MemoryPoint& point) { result_.measurement.memory.push_back(point); }
  void add(const model::CollectivePoint& point) { result_.measurement.collectives.push_back(point); }
  void add(const model::TransferPoint& point) { result_.measurement.transfers.push_back(point); }
  void add(const model::StoragePoint& point) { result_.measurement.storage.push_back(point); }
  void add(const model::InterferencePoint& point) { result_.measurement.interference.push_back(point); }
  void add(const RemarkRecord& remark) { result_.measurement.notes.emplace_back(remark.text.view()); }
  void add(const VersionRecord& record) {
    const std::pair<std::string, std::string> version(record.library.view(), record.version.view());
    auto& versions = result_.measurement.environment.versions;
    if (std::find(versions.begin(), versions.end(), version) == versions.end())
      versions.push_back(version);
  }
  void add(const FailureRecord& failure) { result_.failures.emplace_back(failure.text.view()); }
  void add(const ProgressRecord& progress) {
    if (events_.progress)
      events_.progress(done_before_ + share_ * progress.done, std::string(progress.what.view()));
  }

  SessionResult& result_;
  const SessionEvents& events_;
  double done_before_ = 0.0;
  double share_ = 1.0;
};

}  // namespace

SessionResult measure_machine(const SessionOptions& options, const SessionEvents& events) {
  SessionResult result;
  Collector collector(result, events);
  const SteadyClock clock;
  const std::vector<Stage> list = stages(options);
  double weight_left = 0.0;
  for (const Stage& stage : list)
    weight_left += stage.weight;
  const double total = weight_left;
  for (const Stage& stage : list) {
    const model::Seconds left = std::max(options.budget - clock.now(), model::Seconds::zero());
    const model::Seconds share = left * (stage.weight / weight_left);
    collector.begin_stage(1.0 - weight_left / total, stage.weight / total);
    weight_left -= stage.weight;

    RankGroupOptions group;
    group.ranks = stage.ranks;
    if (!options.cores.empty())
      group.cores.assign(options.cores.begin(), options.cores.begin() + stage.ranks);
    group.body = [&](RankContext& context) { stage.body(context, share); };
    group.on_record = [&](const Record& record) { collector.take(record); };
    group.interrupt_fd = events.interrupt_fd;
    if (events.interrupted)
      group.interrupted = events.interrupted;
    // Beyond its share a group may still finish the point it is at; a machine that stands still ends it.
    constexpr double kPatienceFactor = 3.0;
    group.patience = share * kPatienceFactor + model::Seconds(60);
    const RankGroupResult outcome = run_rank_group(group);
    if (!outcome.failure.empty())
      result.failures.push_back(stage.name + ": " + outcome.failure);
    if (outcome.interrupted) {
      result.interrupted = true;
      break;
    }
  }
  result.measurement.partial = result.interrupted || !result.failures.empty();
  sort_points(result.measurement);
  return result;
}

model::ByteCount session_memory_per_rank(bool quick) {
  return compute_memory(gemm_shapes(quick), memory_sizes(quick));
}

void sort_points(model::Measurement& measurement) {
  const auto by = [](auto& points, auto key) {
    std::sort(points.begin(), points.end(), [key](const auto& a, const auto& b) { return key(a) < key(b); });
  };
  by(measurement.gemm, [](const model::GemmPoint& p) { return std::tuple(p.ranks, p.work.m, p.work.n, p.work.k); });
  by(measurement.memory, [](const model::MemoryPoint& p) { return std::tuple(p.ranks, p.bytes); });
  by(measurement.collectives, [](const model::CollectivePoint& p) { return std::tuple(p.kind, p.ranks, p.bytes); });
  by(measurement.transfers, [](const model::TransferPoint& p) { return std::tuple(p.nodes, p.bytes); });
  by(measurement.storage, [](const model::StoragePoint& p) { return std::tuple(p.is_write, p.bytes); });
}

std::size_t point_count(const model::Measurement& measurement) {
  return measurement.gemm.size() + measurement.memory.size() + measurement.collectives.size() +
         measurement.transfers.size() + measurement.storage.size() + measurement.interference.size();
}

}  // namespace trainwright::executor
