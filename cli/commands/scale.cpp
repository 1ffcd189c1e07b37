// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/scale.hpp"

#include <algorithm>

#include "cli/estimators/make_estimator.hpp"
#include "model/io/plan_request.hpp"
#include "model/io/scaling_v1.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/report/scaling_report.hpp"

namespace trainwright::cli {
namespace {

constexpr std::int64_t kMostDevices = 1 << 20;

}  // namespace

void ScaleCommand::add_options(OptionSet& options) {
  options.group("What to scale");
  options.path("--plan", "A saved plan (predict --save, search --save): its layout stays but for dp", plan_);
  options.integers("--gpus", "Numbers of GPUs: 8,16,32; the smallest that works is the base", gpus_);
  options.flag("--weak", "The batch of a GPU stays; both curves without --weak and --strong", weak_);
  options.flag("--strong", "The global batch stays", strong_);
  options.path("--calibration", "Constants fitted by `trainwright calibrate`", calibration_);
  options.word("--estimator", "analytic (default), folded or full", model::kEstimatorWords, estimator_);
}

model::ExitCode ScaleCommand::run(Console& console, std::stop_token stop) {
  const std::string source(model::kCommandLineSource);
  model::Diagnostics problems;
  if (!plan_)
    problems.add_error(source, "--plan", "is needed", "`trainwright search --save plan.json` makes one");
  if (!gpus_)
    problems.add_error(source, "--gpus", "is needed", "for example --gpus 8,16,32");
  for (const std::int64_t gpus : gpus_.value_or(std::vector<std::int64_t>{}))
    if (gpus < 1 || gpus > kMostDevices)
      problems.add_error(source, "--gpus",
                         std::to_string(gpus) + " is out of range; allowed: 1 to " + std::to_string(kMostDevices), {});
  std::optional<model::Plan> plan;
  if (plan_)
    plan = model::load_plan_with(*plan_, calibration_, {}, source, problems);
  model::throw_if_errors(problems);
  console.warnings(problems);
  std::vector<int> devices(gpus_->begin(), gpus_->end());
  std::sort(devices.begin(), devices.end());
  devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
  const auto estimator = make_estimator(estimator_.value_or(model::EstimatorKind::analytic), false);
  std::vector<model::ScalingCurve> curves;
  for (const model::Scaling kind : {model::Scaling::weak, model::Scaling::strong})
    if ((kind == model::Scaling::weak ? weak_ : strong_) || weak_ == strong_)
      curves.push_back(model::scaling_curve(*plan, kind, devices, *estimator, stop,
                                            [&](double fraction) { console.progress("scaling", fraction); }));
  console.end_progress();
  console.result(json ? model::to_scaling_json(curves, *plan) : model::scaling_report(curves));
  const bool has_curve =
      std::any_of(curves.begin(), curves.end(), [](const model::ScalingCurve& curve) { return curve.base; });
  return has_curve && !stop.stop_requested() ? model::ExitCode::done : model::ExitCode::answer_is_no;
}

}  // namespace trainwright::cli
