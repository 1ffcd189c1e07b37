// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/compute_benchmark.hpp"

#include <array>
#include <string>

#include "executor/kernels/cpu_kernels.hpp"
#include "executor/measurement/point_budget.hpp"
#include "executor/measurement/sweep.hpp"
#include "model/cost/task_duration.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {
namespace {

using model::BackwardPart;
using model::ByteCount;
using model::GemmWork;
using model::Pass;

// Tensors of a step are spread over this much memory of each kind: more than a core's own caches, so that weights and
// kept activations come from further out, as in a step of a model that is worth distributing.
constexpr std::int64_t kWorkingSetBytes = 32LL << 20;

GemmWork fp32(std::int64_t m, std::int64_t n, std::int64_t k) {
  return {m, n, k, 1, model::Precision::fp32};
}

std::string name_of(const GemmWork& work) {
  return "gemm " + std::to_string(work.m) + "x" + std::to_string(work.n) + "x" + std::to_string(work.k);
}

model::Task task(const model::Work& work, Pass pass, BackwardPart part = BackwardPart::none) {
  model::Task result;
  result.work = work;
  result.phase.pass = pass;
  result.phase.part = part;
  return result;
}

/// The three products of a training step, with the sizes given: forward, and the gradients of input and weight.
std::array<model::Task, 3> gemm_tasks(const GemmWork& work) {
  return {task(work, Pass::forward), task(work, Pass::backward, BackwardPart::input),
          task(work, Pass::backward, BackwardPart::weight)};
}

model::Task memory_task(std::int64_t bytes) {
  return task(model::MemoryWork{ByteCount(bytes / 2), ByteCount(bytes / 2), 1}, Pass::forward);
}

/// A program of all points together, so that memory is set up once.
model::Program program_of(const ComputePlan& plan) {
  model::Program program;
  for (const auto* works : {&plan.gemm, &plan.gemm_alone})
    for (const GemmWork& work : *works)
      for (const model::Task& each : gemm_tasks(work))
        program.tasks.push_back(each);
  for (const std::int64_t bytes : plan.memory_bytes)
    program.tasks.push_back(memory_task(bytes));
  if (!program.tasks.empty())
    program.tasks.front().allocates = ByteCount(kWorkingSetBytes);
  program.resident = {{model::MemoryTerm::weights, ByteCount(kWorkingSetBytes)},
                      {model::MemoryTerm::gradients, ByteCount(kWorkingSetBytes)}};
  return program;
}

struct ComputePoint {
  model::Work work;
  int ranks = 1;
};

class Measuring {
 public:
  Measuring(RankContext& context, const ComputePlan& plan)
      : context_(context), plan_(plan), kernels_(program_of(plan)) {}

  void measure(const ComputePoint& point, model::Seconds limit) {
    std::string faults;
    if (const auto* gemm = std::get_if<GemmWork>(&point.work)) {
      const std::array<model::Task, 3> tasks = gemm_tasks(*gemm);
      model::GemmPoint result{*gemm, point.ranks, {}};
      result.time = sample(point.ranks, limit, faults, [&] {
        for (const model::Task& each : tasks)
          kernels_.run(each);
      });
      divide(result.time, static_cast<double>(tasks.size()));
      report_point(context_, name_of(*gemm), result, faults);
    } else if (const auto* memory = std::get_if<model::MemoryWork>(&point.work)) {
      const std::int64_t bytes = (memory->reads + memory->writes).count();
      const model::Task stream = memory_task(bytes);
      model::MemoryPoint result{bytes, point.ranks, {}};
      result.time = sample(point.ranks, limit, faults, [&] { kernels_.run(stream); });
      report_point(context_, "memory traffic of " + size_text(bytes), result, faults);
    }
  }

  /// Share of the time: large points need more of it for the same number of samples.
  static double weight(const ComputePoint& point) {
    constexpr double kPerFlop = 3e-9;
    constexpr double kPerByte = 1.5e-8;
    if (const auto* gemm = std::get_if<GemmWork>(&point.work))
      return 1.0 + kPerFlop * model::flops(*gemm).count();
    const auto& memory = std::get<model::MemoryWork>(point.work);
    return 1.0 + kPerByte * static_cast<double>((memory.reads + memory.writes).count());
  }

  static std::string name(const ComputePoint& point) {
    if (const auto* gemm = std::get_if<GemmWork>(&point.work))
      return name_of(*gemm) + (point.ranks == 1 ? ", one rank" : "");
    const auto& memory = std::get<model::MemoryWork>(point.work);
    return "memory traffic of " + size_text((memory.reads + memory.writes).count());
  }

 private:
  model::SampleSummary sample(int ranks, model::Seconds limit, std::string& faults,
                              const std::function<void()>& operation) {
    PointTask point;
    point.operation = operation;
    point.active_ranks = ranks;
    if (plan_.cores_are_own || ranks == 1) {
      point.bounds = computing_bounds();
      point.time_base = TimeBase::running;
    }
    return sample_point(context_, point, plan_.rules, limit, &faults);
  }

  static void divide(model::SampleSummary& time, double parts) {
    time.median_s /= parts;
    time.min_s /= parts;
    time.max_s /= parts;
  }

  RankContext& context_;
  const ComputePlan& plan_;
  CpuKernels kernels_;
};

}  // namespace

std::vector<GemmWork> gemm_shapes(bool quick) {
  if (quick)
    return {fp32(32, 32, 32),     fp32(128, 128, 128), fp32(512, 512, 512), fp32(1024, 1024, 1024),
            fp32(512, 2048, 512), fp32(64, 512, 2048), fp32(2048, 64, 512), fp32(2048, 512, 64)};
  return {// squares
          fp32(32, 32, 32), fp32(64, 64, 64), fp32(128, 128, 128), fp32(256, 256, 256), fp32(512, 512, 512),
          fp32(1024, 1024, 1024),
          // tokens x width x width of small transformers: attention projections, both halves of an MLP
          fp32(512, 1536, 512), fp32(512, 2048, 512), fp32(512, 512, 2048), fp32(1024, 1024, 256),
          fp32(1024, 256, 1024), fp32(256, 1024, 256), fp32(128, 512, 128), fp32(2048, 512, 512), fp32(2048, 768, 256),
          // few tokens, a narrow shard, a thin contraction
          fp32(32, 1024, 1024), fp32(64, 2048, 512), fp32(128, 2048, 1024), fp32(32, 2048, 64), fp32(2048, 32, 512),
          fp32(2048, 128, 2048), fp32(1024, 1024, 32), fp32(512, 512, 64), fp32(64, 64, 2048)};
}

std::vector<GemmWork> gemm_shapes_alone(bool quick) {
  if (quick)
    return {fp32(512, 512, 512)};
  return {fp32(64, 64, 64), fp32(256, 256, 256), fp32(512, 2048, 512)};
}

std::vector<std::int64_t> memory_sizes(bool quick) {
  constexpr std::int64_t kFirst = 16LL << 10;
  constexpr std::int64_t kLast = 64LL << 20;
  return log_spaced(kFirst, kLast, quick ? 3 : 7, 8);
}

model::ByteCount compute_memory(const std::vector<GemmWork>& gemm, const std::vector<std::int64_t>& memory_bytes) {
  ComputePlan plan;
  plan.gemm = gemm;
  plan.memory_bytes = memory_bytes;
  return CpuKernels::memory_needed(program_of(plan));
}

void measure_compute(RankContext& context, const ComputePlan& plan) {
  std::vector<ComputePoint> points;
  for (const GemmWork& work : plan.gemm)
    points.push_back({work, context.ranks()});
  if (context.ranks() > 1)
    for (const GemmWork& work : plan.gemm_alone)
      points.push_back({work, 1});
  for (const std::int64_t bytes : plan.memory_bytes)
    points.push_back({memory_task(bytes).work, context.ranks()});

  Measuring measuring(context, plan);
  double total = 0.0;
  for (const ComputePoint& point : points)
    total += Measuring::weight(point);
  PointBudget budget(plan.end, total);
  double done = 0.0;
  int left_out = 0;
  for (const std::size_t index : shuffled_order(points.size(), plan.seed)) {
    const double weight = Measuring::weight(points[index]);
    report_progress(context, done / total, Measuring::name(points[index]));
    done += weight;
    const model::Seconds limit(context.from_first(budget.next(context.clock().now(), weight).count()));
    if (limit > model::Seconds::zero())
      measuring.measure(points[index], limit);
    else
      ++left_out;
  }
  if (left_out > 0 && context.rank() == 0)
    context.report(Record(RemarkRecord{FixedText<480>(
        std::to_string(left_out) + " of " + std::to_string(points.size()) + " compute points left out: time was up")}));
}

}  // namespace trainwright::executor
