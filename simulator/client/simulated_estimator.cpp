// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/simulated_estimator.hpp"

#include <cstring>

#include "model/base/contract.hpp"
#include "model/base/error.hpp"
#include "model/estimate/complete_estimate.hpp"
#include "simulator/client/exit_code.hpp"
#include "simulator/client/worker_process.hpp"

namespace trainwright::simulator {
namespace {

std::string first_line(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.empty() ? "it said nothing" : line;
}

[[noreturn]] void report_failure(const WorkerRun& run) {
  if (run.end == WorkerRun::End::timed_out)
    throw model::EnvironmentError("the simulation took longer than allowed", "allow more time or simulate fewer ranks");
  if (run.end == WorkerRun::End::killed_by_signal)
    throw model::EnvironmentError("the simulation worker was ended by signal " + std::to_string(run.code) + " (" +
                                  strsignal(run.code) + "): " + first_line(run.errors));
  const auto code = static_cast<WorkerExit>(run.code);
  if (code == WorkerExit::bad_request) {
    model::Diagnostics diagnostics;
    diagnostics.add_error("simulation", "", first_line(run.errors));
    throw model::InputError(diagnostics);
  }
  throw model::EnvironmentError("simulation worker: " + std::string(to_text(code)) + ": " + first_line(run.errors));
}

}  // namespace

std::optional<SimulationReport> simulate_in_worker(const SimulationRequest& request, std::stop_token stop,
                                                   const model::Progress& progress, const SimulationOptions& options) {
  if (stop.stop_requested())
    return std::nullopt;
  const std::filesystem::path worker = options.worker ? *options.worker : find_simulation_worker();
  WorkerOptions worker_options;
  worker_options.timeout = options.timeout;
  worker_options.progress = progress;
  std::vector<std::string> arguments;
  if (progress)
    arguments.emplace_back("--progress");
  const WorkerRun run = run_worker(worker, arguments, to_request_json(request), stop, worker_options);
  if (run.end == WorkerRun::End::stopped)
    return std::nullopt;
  if (run.end != WorkerRun::End::exited || run.code != static_cast<int>(WorkerExit::done))
    report_failure(run);
  model::Diagnostics diagnostics;
  SimulationReport report = report_from_json(run.output, "simulation report", diagnostics);
  if (diagnostics.has_errors())
    throw model::EnvironmentError("the simulation worker's report cannot be read: " + diagnostics.to_text(),
                                  "worker and planner must be of the same version");
  return report;
}

model::Estimate to_estimate(const SimulationReport& report, const model::Plan& plan) {
  model::Estimate estimate;
  estimate.estimator = report.estimator;
  estimate.step = report.step;
  estimate.breakdown = report.breakdown;
  estimate.stage_busy = report.stage_busy;
  estimate.timeline = report.timeline;
  model::complete_estimate(plan, estimate);
  estimate.assumptions.insert(estimate.assumptions.end(), report.assumptions.begin(), report.assumptions.end());
  return estimate;
}

SimulatedEstimator::SimulatedEstimator(model::EstimatorKind kind, SimulationOptions options)
    : kind_(kind), options_(std::move(options)) {
  TRAINWRIGHT_EXPECTS(kind != model::EstimatorKind::analytic, "the closed form is not simulated");
}

std::optional<model::Estimate> SimulatedEstimator::estimate(const model::Plan& plan, std::stop_token stop,
                                                            const model::Progress& progress) const {
  SimulationRequest request;
  request.plan = plan;
  request.estimator = kind_;
  request.keep_timeline = options_.keep_timeline;
  const std::optional<SimulationReport> report = simulate_in_worker(request, stop, progress, options_);
  if (!report)
    return std::nullopt;
  if (progress)
    progress(1.0);
  return to_estimate(*report, plan);
}

}  // namespace trainwright::simulator
