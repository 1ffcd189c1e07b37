// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "model/base/error.hpp"
#include "model/calibration/calibration.hpp"
#include "model/calibration/robust_fit.hpp"
#include "model/calibration/run_observations.hpp"
#include "model/calibration/step_fit.hpp"
#include "model/cost/task_duration.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

// A task of a real step counts more than a kernel alone: it finds the caches and the neighbours that a step has.
constexpr double kMicroWeight = 1.0;
constexpr double kRunWeight = 30.0;  // shared out by the tasks' share of the run's compute time
constexpr double kCommunicationWeight = 3.0;
// Generic CPU constants are guesses; a data-sheet GPU's are not.
constexpr double kCpuPriorWidening = 8.0;
constexpr double kImpossibleBandwidth = 20e12;  // bytes a second; no link of today comes near

class Fit {
 public:
  Fit(const std::vector<Measurement>& measurements, const Cluster& cluster, const CostConstants& base,
      const Estimator& estimator)
      : measurements_(measurements), cluster_(cluster), constants_(base), before_(base), estimator_(estimator) {
    refuse_nonsense();
    for (const Measurement& measurement : measurements_)
      for (const ExecutedRun& run : measurement.runs)
        if (!is_oversubscribed(run.plan))
          observations_.push_back(observe(run));
    widening_ = device().kind == AcceleratorKind::cpu ? kCpuPriorWidening : 1.0;
  }

  Calibration run() {
    fit_dispatch();
    fit_memory();
    fit_optimizer();
    fit_gemm();
    fit_attention();
    fit_collectives();
    fit_transfers();
    fit_steps();
    return collect();
  }

 private:
  [[nodiscard]] const Accelerator& device() const { return cluster_.groups.front().accelerator; }
  [[nodiscard]] static bool is_oversubscribed(const Plan& plan) {
    return world_size(plan.layout) > device_count(plan.cluster);
  }

  void refuse_nonsense() {
    Diagnostics diagnostics;
    for (const Measurement& m : measurements_)
      if (!same_conditions(m.environment, measurements_.front().environment))
        diagnostics.add_error(
            "measurement of " + m.environment.host, "/environment/power_limit_watts",
            "differs from that of the other measurements: they are of two machines as far as speed goes",
            "calibrate each by itself");
    bool anything = false;
    for (const Measurement& m : measurements_) {
      const std::string source = m.environment.host.empty() ? "measurement" : "measurement of " + m.environment.host;
      anything = anything || !m.gemm.empty() || !m.memory.empty() || !m.collectives.empty() || !m.transfers.empty() ||
                 !m.runs.empty();
      for (std::size_t i = 0; i < m.collectives.size(); ++i) {
        const CollectivePoint& point = m.collectives[i];
        const std::string path = "/collectives/" + std::to_string(i);
        if (point.ranks < 2)
          diagnostics.add_error(source, path, std::to_string(point.ranks) + " rank communicates with nobody",
                                "at least 2 ranks are needed");
        if (point.time.median_s > 0.0 && static_cast<double>(point.bytes) / point.time.median_s > kImpossibleBandwidth)
          diagnostics.add_error(source, path,
                                format(BytesPerSecond(static_cast<double>(point.bytes) / point.time.median_s)) +
                                    " is more than any link carries",
                                "the log counts another unit, or nothing was sent");
      }
    }
    if (!anything)
      diagnostics.add_error("measurement", "", "there is nothing to fit", "run measure or execute first");
    throw_if_errors(diagnostics);
  }

  template <class Predict>
  static void add_point(std::vector<FitPoint>& points, std::string what, double measured, double weight,
                        Predict predict) {
    if (measured > 0.0)
      points.push_back({std::move(what), measured, weight, std::move(predict)});
  }

  void finish(const std::vector<FitPoint>& points, const std::vector<std::string>& names, const std::string& what) {
    std::vector<FitParameter> parameters;
    std::vector<ConstantRef> refs = constant_refs(constants_);
    for (const std::string& name : names)
      for (const ConstantRef& ref : refs)
        if (ref.name == name && *ref.value > 0.0)
          parameters.push_back({ref.value, ref.prior_log_width * widening_});
    if (points.empty())
      return;
    robust_fit(parameters, points);
    const std::string origin = std::to_string(points.size()) + " " + what + " points, median residual " +
                               format_fixed(100.0 * median_log_error(points), 1) + " %";
    for (const std::string& name : names)
      origin_[name] = origin;
    for (const FitPoint& point : points)
      residuals_.push_back({point.what, point.measured_s, point.predict_s()});
  }

  void fit_dispatch() {
    std::vector<double> gaps;
    for (const RunObservations& o : observations_)
      gaps.push_back(o.dispatch_s);
    if (gaps.empty())
      return;
    constants_.host.task_s = median_of(gaps);
    origin_["host.task_s"] = "median gap between tasks in " + std::to_string(gaps.size()) + " runs";
  }

  template <class W>
  void add_run_points(std::vector<FitPoint>& points) {
    for (const RunObservations& o : observations_)
      for (const ComputeObservation& c : o.compute)
        if (const auto* work = std::get_if<W>(&c.task.work))
          add_point(points, to_text(c.task), c.median_s, kRunWeight * c.share,
                    [this, work = *work] { return duration(work, device(), constants_).count(); });
  }

  void fit_memory() {
    std::vector<FitPoint> points;
    for (const Measurement& m : measurements_)
      for (const MemoryPoint& p : m.memory)
        add_point(points, "memory " + std::to_string(p.bytes) + " B", p.time.median_s, kMicroWeight, [this, p] {
          return duration(MemoryWork{ByteCount(p.bytes), ByteCount(0), 1}, device(), constants_).count();
        });
    add_run_points<MemoryWork>(points);
    finish(points, {"memory_bound.bandwidth_fraction", "memory_bound.kernel_s"}, "memory");
  }

  void fit_optimizer() {
    std::vector<FitPoint> points;
    add_run_points<OptimizerWork>(points);
    finish(points, {"optimizer.bandwidth_fraction"}, "optimizer");
  }

  void fit_gemm() {
    for (const auto& [word, precision] : kPrecisionWords) {
      std::vector<FitPoint> points;
      for (const Measurement& m : measurements_)
        for (const GemmPoint& p : m.gemm)
          if (p.work.precision == precision) {
            Task named;
            named.work = p.work;
            add_point(points, to_text(named), p.time.median_s, kMicroWeight,
                      [this, p] { return duration(p.work, device(), kernels_alone(constants_)).count(); });
          }
      for (const RunObservations& o : observations_)
        for (const ComputeObservation& c : o.compute)
          if (const auto* work = std::get_if<GemmWork>(&c.task.work); work != nullptr && work->precision == precision)
            add_point(points, to_text(c.task), c.median_s, kRunWeight * c.share,
                      [this, work = *work] { return duration(work, device(), constants_).count(); });
      const std::string prefix = "gemm." + std::string(word) + ".";
      finish(points,
             {prefix + "peak_fraction", prefix + "bandwidth_fraction", prefix + "fixed_s", prefix + "prologue_k",
              prefix + "wave_loss", prefix + "underfill", prefix + "sag"},
             "gemm");
    }
  }

  void fit_attention() {
    std::vector<FitPoint> points;
    add_run_points<AttentionWork>(points);
    const bool unfused = std::any_of(observations_.begin(), observations_.end(), [](const RunObservations& o) {
      return std::any_of(o.compute.begin(), o.compute.end(), [](const ComputeObservation& c) {
        const auto* work = std::get_if<AttentionWork>(&c.task.work);
        return work != nullptr && !work->fused;
      });
    });
    if (unfused)
      finish(points, {"attention.unfused_factor"}, "attention");
    else
      finish(points,
             {"attention.peak_fraction", "attention.bandwidth_fraction", "attention.fixed_s", "attention.start_tokens",
              "attention.tail", "attention.backward_rate_ratio"},
             "attention");
  }

  void fit_collectives() {
    std::map<bool, std::vector<FitPoint>> points;  // by "across nodes"
    for (const Measurement& m : measurements_)
      for (const CollectivePoint& p : m.collectives) {
        if (p.ranks > device_count(cluster_))
          continue;
        const CollectiveWork work{p.kind, GroupAxis::world, ByteCount(p.bytes), Precision::fp32};
        GroupShape shape;
        shape.ranks = p.ranks;
        shape.nodes = p.nodes;
        shape.ranks_per_node = (p.ranks + p.nodes - 1) / p.nodes;
        add_point(
            points[p.nodes > 1],
            std::string(to_word(p.kind)) + " " + std::to_string(p.ranks) + " ranks " + std::to_string(p.bytes) + " B",
            p.time.median_s, kMicroWeight,
            [this, work, shape] { return collective_duration(work, shape, cluster_, constants_).count(); });
      }
    for (const RunObservations& o : observations_)
      for (const CollectiveObservation& c : o.collectives)
        add_point(points[c.shape.nodes > 1],
                  "in a step: " + std::string(to_word(c.work.kind)) + " " + std::to_string(c.work.bytes.count()) + " B",
                  c.median_s, kCommunicationWeight,
                  [this, c] { return collective_duration(c.work, c.shape, cluster_, constants_).count(); });
    for (const auto& [across, list] : points) {
      const std::string prefix = across ? "network." : "node_link.";
      std::vector<std::string> names{prefix + "base_s",       prefix + "step_s",     prefix + "efficiency",
                                     prefix + "knee_s",       prefix + "copy_ratio", prefix + "all_to_all_copy_ratio",
                                     prefix + "all_to_all_s", prefix + "bulk_s",     prefix + "bulk_step_s"};
      // The all-reduce sets the scale; the other kinds are relative to it.
      for (const CollectiveKind kind : {CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
                                        CollectiveKind::broadcast, CollectiveKind::reduce, CollectiveKind::all_to_all})
        names.push_back(prefix + "kind_factor." + std::string(to_word(kind)));
      finish(list, names, "collective");
    }
  }

  void fit_transfers() {
    std::map<bool, std::vector<FitPoint>> points;
    for (const Measurement& m : measurements_)
      for (const TransferPoint& p : m.transfers)
        add_point(points[p.nodes > 1], "send/receive " + std::to_string(p.bytes) + " B", p.time.median_s, kMicroWeight,
                  [this, p] {
                    return transfer_duration(Bytes(static_cast<double>(p.bytes)), p.nodes == 1, 1, cluster_, constants_)
                        .count();
                  });
    for (const RunObservations& o : observations_)
      for (const TransferObservation& t : o.transfers)
        add_point(points[!t.same_node], "in a step: send/receive " + std::to_string(t.bytes.count()) + " B", t.median_s,
                  kCommunicationWeight, [this, t] {
                    return transfer_duration(to_bytes(t.bytes), t.same_node, 1, cluster_, constants_).count();
                  });
    for (const auto& [across, list] : points) {
      const std::string prefix = across ? "network." : "node_link.";
      finish(list, {prefix + "transfer_latency_s", prefix + "transfer_efficiency"}, "send/receive");
    }
  }

  void fit_steps() {
    std::vector<const ExecutedRun*> runs;
    for (const Measurement& m : measurements_)
      for (const ExecutedRun& run : m.runs)
        if (!run.step_s.empty())
          runs.push_back(&run);
    const StepFit result = fit_whole_steps(runs, constants_, estimator_);
    for (const std::string& name : result.fitted)
      origin_[name] = std::to_string(runs.size()) + " executed runs";
    for (const Residual& residual : result.residuals)
      residuals_.push_back(residual);
    step_log_error_ = result.log_error;
  }

  Calibration collect() {
    Calibration calibration;
    if (!measurements_.empty())
      calibration.environment = measurements_.front().environment;
    const std::vector<ConstantRef> before = constant_refs(before_);
    const std::vector<ConstantRef> after = constant_refs(constants_);
    for (std::size_t i = 0; i < after.size(); ++i)
      if (const auto found = origin_.find(after[i].name); found != origin_.end() && *after[i].value != *before[i].value)
        calibration.constants.push_back({after[i].name, *before[i].value, *after[i].value, found->second});
    calibration.residuals = residuals_;
    calibration.step_log_error = step_log_error_;
    return calibration;
  }

  const std::vector<Measurement>& measurements_;
  const Cluster& cluster_;
  CostConstants constants_;
  CostConstants before_;
  const Estimator& estimator_;
  double widening_ = 1.0;
  std::vector<RunObservations> observations_;
  std::map<std::string, std::string> origin_;
  std::vector<Residual> residuals_;
  double step_log_error_ = 0.0;
};

}  // namespace

Calibration fit(const std::vector<Measurement>& measurements, const Cluster& cluster, const CostConstants& base,
                const Estimator& estimator) {
  return Fit(measurements, cluster, base, estimator).run();
}

}  // namespace trainwright::model
