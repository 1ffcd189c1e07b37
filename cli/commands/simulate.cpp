// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/simulate.hpp"

#include "cli/estimators/make_estimator.hpp"
#include "model/io/chrome_trace.hpp"
#include "model/io/estimate_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/plan_request.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/report/estimate_report.hpp"

namespace trainwright::cli {

void SimulateCommand::add_options(OptionSet& options) {
  options.group("What to simulate");
  options.path("--plan", "A saved plan (predict --save)", plan_);
  options.path("--calibration", "Constants fitted by `trainwright calibrate`", calibration_);
  options.word("--estimator", "folded: one of each kind of rank; full (default): every rank", model::kEstimatorWords,
               estimator_);
  options.path("--trace", "Write the timeline to this file, for Perfetto or chrome://tracing", trace_);
}

model::ExitCode SimulateCommand::run(Console& console, std::stop_token stop) {
  const model::EstimatorKind kind = estimator_.value_or(model::EstimatorKind::full);
  model::Diagnostics problems;
  const std::string source(model::kCommandLineSource);
  if (kind == model::EstimatorKind::analytic)
    problems.add_error(source, "--estimator", "\"analytic\" simulates nothing; allowed: folded, full",
                       "`trainwright predict` gives the closed form");
  if (!plan_)
    problems.add_error(source, "--plan", "is needed", "`trainwright predict --save plan.json` makes one");
  std::optional<model::Plan> plan;
  if (plan_)
    plan = model::load_plan_with(*plan_, calibration_, {}, source, problems);
  model::throw_if_errors(problems);
  console.warnings(problems);
  const auto estimator = make_estimator(kind, trace_.has_value());
  const std::optional<model::Estimate> estimate =
      estimator->estimate(*plan, stop, [&](double fraction) { console.progress("simulating", fraction); });
  console.end_progress();
  if (!estimate) {
    console.error("interrupted: there is no result");
    return model::ExitCode::answer_is_no;
  }
  if (trace_) {
    if (!estimate->timeline)
      throw model::EnvironmentError("the simulator sent no timeline", "its program may be of another version");
    model::write_file_atomically(
        *trace_, model::to_chrome_trace_json(*estimate->timeline, model::build_execution_graph(*plan), "simulated"));
    console.remark("timeline: " + trace_->string());
  }
  console.result(json ? model::to_estimate_json(*estimate, *plan) : model::estimate_report(*estimate, *plan));
  return estimate->memory.verdict == model::MemoryVerdict::does_not_fit ? model::ExitCode::answer_is_no
                                                                        : model::ExitCode::done;
}

}  // namespace trainwright::cli
