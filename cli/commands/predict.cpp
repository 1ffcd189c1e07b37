// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/predict.hpp"

#include "cli/estimators/make_estimator.hpp"
#include "model/io/estimate_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/plan_v1.hpp"
#include "model/report/estimate_report.hpp"

namespace trainwright::cli {

void PredictCommand::add_options(OptionSet& options) {
  plan_.add_to(options);
  options.group("How");
  options.word("--estimator",
               "analytic: closed form, at once; folded: simulated, one of each kind of rank; full: every rank",
               model::kEstimatorWords, estimator_);
  options.path("--save", "Write the plan to this file, for simulate and execute", save_);
}

model::ExitCode PredictCommand::run(Console& console, std::stop_token stop) {
  model::Diagnostics problems;
  const std::optional<model::Plan> plan = plan_from(plan_, problems);
  model::throw_if_errors(problems);
  console.warnings(problems);
  if (save_)
    model::write_file_atomically(*save_, model::to_plan_json(*plan));
  const auto estimator = make_estimator(estimator_.value_or(model::EstimatorKind::analytic), false);
  const std::optional<model::Estimate> estimate =
      estimator->estimate(*plan, stop, [&](double fraction) { console.progress("simulating", fraction); });
  console.end_progress();
  if (!estimate) {
    console.error("interrupted: there is no result");
    return model::ExitCode::answer_is_no;
  }
  console.result(json ? model::to_estimate_json(*estimate, *plan) : model::estimate_report(*estimate, *plan));
  return estimate->memory.verdict == model::MemoryVerdict::does_not_fit ? model::ExitCode::answer_is_no
                                                                        : model::ExitCode::done;
}

}  // namespace trainwright::cli
