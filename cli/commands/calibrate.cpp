// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/calibrate.hpp"

#include "cli/estimators/make_estimator.hpp"
#include "cli/estimators/stoppable_estimator.hpp"
#include "model/calibration/calibration.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/load.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/report/calibration_report.hpp"

namespace trainwright::cli {
namespace {

struct Start {
  model::Cluster cluster;
  model::CostConstants constants;
};

/// The machine and the constants before the fit: the named cluster, else the first executed plan's, else this machine.
std::optional<Start> start_of_fit(const std::optional<std::string>& cluster_id,
                                  const std::vector<model::Measurement>& measurements, Console& console,
                                  model::Diagnostics& problems) {
  if (!cluster_id)
    for (const model::Measurement& measurement : measurements)
      if (!measurement.runs.empty())
        return Start{measurement.runs.front().plan.cluster, measurement.runs.front().plan.constants};
  if (!cluster_id)
    console.remark("no cluster is named and none was run on: fitting over the constants of this machine's cores");
  const std::optional<model::Cluster> cluster = model::load_cluster(cluster_id.value_or("local"), problems);
  if (!cluster)
    return std::nullopt;
  return Start{*cluster, model::shipped_constants(*cluster)};
}

}  // namespace

void CalibrateCommand::add_options(OptionSet& options) {
  options.arguments("measurement", "Files of `trainwright measure` and `trainwright execute`", measurements_);
  options.group("How");
  options.text("--cluster", "Profile id or file whose constants are the starting point; left out: the executed plan's",
               cluster_);
  options.word("--estimator", "Predicts the executed steps during the fit; analytic (default) is quickest",
               model::kEstimatorWords, estimator_);
  options.path("--out", "Calibration file to write", out_);
}

model::ExitCode CalibrateCommand::run(Console& console, std::stop_token stop) {
  model::Diagnostics problems;
  const std::string source(model::kCommandLineSource);
  if (measurements_.empty())
    problems.add_error(source, "measurement", "at least one file is needed", "`trainwright measure` makes one");
  if (!out_)
    problems.add_error(source, "--out", "is needed", "for example --out calibration.json");
  std::vector<model::Measurement> measurements;
  for (const std::string& file : measurements_) {
    model::Diagnostics own;
    const std::string text = model::read_file(file, own);
    std::optional<model::Measurement> measurement;
    if (!own.has_errors())
      measurement = model::measurement_from_json(text, file, own);
    problems.append(own);
    if (measurement)
      measurements.push_back(std::move(*measurement));
  }
  const std::optional<Start> start = start_of_fit(cluster_, measurements, console, problems);
  model::throw_if_errors(problems);
  console.warnings(problems);
  const auto estimator = make_estimator(estimator_.value_or(model::EstimatorKind::analytic), false);
  model::Calibration calibration;
  try {
    calibration =
        model::fit(measurements, start->cluster, start->constants, StoppableEstimator(*estimator, std::move(stop)));
  } catch (const Interrupted&) {
    console.remark("interrupted; nothing was written");
    return model::ExitCode::answer_is_no;
  }
  const std::string text = model::to_calibration_json(calibration);
  model::write_file_atomically(*out_, text);
  console.result(json ? text
                      : model::calibration_report(calibration) + "  calibration: " + out_->string() +
                            "\n  use it: trainwright predict --calibration " + out_->string() + " ...\n");
  return model::ExitCode::done;
}

}  // namespace trainwright::cli
