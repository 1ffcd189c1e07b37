// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/validate.hpp"

#include "cli/estimators/make_estimator.hpp"
#include "model/calibration/calibration.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/file.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/validation/family_fit.hpp"
#include "model/validation/kernel_fit.hpp"
#include "model/validation/kernel_points.hpp"
#include "model/validation/report.hpp"
#include "model/validation/scaling_validation.hpp"
#include "model/validation/step_validation.hpp"

namespace trainwright::cli {
namespace {

namespace validation = model::validation;

constexpr std::int64_t kMaxShots = 1000;

std::vector<validation::Table> read_tables(const std::vector<std::string>& files, model::Diagnostics& problems) {
  std::vector<validation::Table> tables;
  for (const std::string& file : files) {
    model::Diagnostics own;
    const std::string text = model::read_file(file, own);
    std::optional<validation::Table> table;
    if (!own.has_errors())
      table = validation::load_table(text, file, own);
    problems.append(own);
    if (table)
      tables.push_back(std::move(*table));
  }
  return tables;
}

std::optional<model::Calibration> read_calibration(const std::filesystem::path& file, model::Diagnostics& problems) {
  model::Diagnostics own;
  const std::string text = model::read_file(file, own);
  std::optional<model::Calibration> calibration;
  if (!own.has_errors())
    calibration = model::calibration_from_json(text, file.string(), own);
  problems.append(own);
  return calibration;
}

}  // namespace

void ValidateCommand::add_options(OptionSet& options) {
  options.arguments("table", "CSV files of measurements; docs/models/validation.md describes the columns", tables_);
  options.group("How");
  options.path("--calibration", "Constants to lay over the shipped ones", calibration_);
  options.word("--estimator", "Predicts steps; analytic (default) is quickest", model::kEstimatorWords, estimator_);
  options.integer("--shots", "Calibrate on this many rows drawn from each source, test on the others", shots_);
  options.integer("--seed", "Of the draw; 1 if left out", seed_);
  options.flag(
      "--cross-validate",
      "Kernels: fit on one half of the shapes, test on the other; collectives: predict each curve from the others",
      cross_validate_);
  options.integer("--holdout-card",
                  "Kernels: take each card for new, fit on this many of its points, test on the others", hold_out_);
  options.path("--fit-kernels", "Write the constants fitted to the tables' kernels and links to this folder",
               fit_kernels_);
  options.path("--fit-steps", "Write the constants fitted to all steps of each accelerator family to this folder",
               fit_steps_);
  options.group("What to print");
  options.flag("--rows", "One line for each row", rows_);
  options.path("--out", "Write one CSV line for each row to this file", out_);
  options.flag("--markdown", "The summary by group as a Markdown table", markdown_);
  options.integer("--max-median", "Exit with 1 when the median error is above this many percent", max_median_pct_);
}

std::vector<validation::RowResult> ValidateCommand::kernel_results(const std::vector<validation::Table>& tables) const {
  std::vector<validation::RowResult> all;
  std::vector<validation::KernelSet> sets;
  for (const validation::Table& table : tables)
    for (validation::KernelSet& set : validation::kernel_sets(table, all))
      sets.push_back(std::move(set));
  if (fit_kernels_)
    for (const auto& [name, text] : validation::constant_files(sets))
      model::write_file_atomically(*fit_kernels_ / name, text);
  const auto seed = static_cast<std::uint64_t>(seed_.value_or(1));
  const std::vector<validation::RowResult> predicted =
      cross_validate_ ? validation::cross_validate(sets, seed)
      : hold_out_     ? validation::hold_out_cards(sets, static_cast<int>(*hold_out_), seed)
                      : validation::validate_kernels(sets);
  all.insert(all.begin(), predicted.begin(), predicted.end());
  return all;
}

// From the constants before any fit to steps, so that the outcome does not depend on what is shipped.
void ValidateCommand::write_step_constants(const std::vector<validation::Table>& tables) const {
  validation::RowPlanner planner({}, model::StepConstants::left_out);
  std::vector<validation::PlannedRow> planned;
  for (const validation::Table& table : tables)
    if (const auto* steps = std::get_if<std::vector<validation::StepRow>>(&table.rows))
      for (const validation::StepRow& row : *steps)
        if (validation::RowPlan plan = planner.to_plan(row); plan.plan)
          planned.push_back({&row, *std::move(plan.plan)});
  for (const auto& [name, text] : validation::step_constant_files(planned))
    model::write_file_atomically(*fit_steps_ / name, text);
}

std::vector<model::validation::RowResult> ValidateCommand::results(const std::vector<validation::Table>& tables,
                                                                   Console& console, std::stop_token stop) const {
  model::Diagnostics problems;
  std::optional<model::Calibration> calibration;
  if (calibration_)
    calibration = read_calibration(*calibration_, problems);
  model::throw_if_errors(problems);
  const auto estimator = make_estimator(estimator_.value_or(model::EstimatorKind::analytic), false);
  const auto progress = [&](double fraction) { console.progress("predicting", fraction); };
  validation::RowPlanner planner(calibration);
  if (fit_steps_)
    write_step_constants(tables);
  std::vector<validation::RowResult> all = kernel_results(tables);
  for (const validation::Table& table : tables) {
    std::vector<validation::RowResult> rows;
    if (const auto* steps = std::get_if<std::vector<validation::StepRow>>(&table.rows))
      rows = shots_ ? validation::validate_steps_with_shots(*steps, static_cast<int>(*shots_),
                                                            static_cast<std::uint64_t>(seed_.value_or(1)), planner,
                                                            *estimator, stop, progress)
                    : validation::validate_steps(*steps, planner, *estimator, stop, progress);
    else if (const auto* scaling = std::get_if<std::vector<validation::ScalingRow>>(&table.rows))
      rows = validation::validate_scaling(*scaling, calibration);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  console.end_progress();
  return all;
}

model::ExitCode ValidateCommand::run(Console& console, std::stop_token stop) {
  model::Diagnostics problems;
  const std::string source(model::kCommandLineSource);
  if (tables_.empty())
    problems.add_error(source, "table", "at least one CSV file is needed");
  if (shots_ && (*shots_ < 1 || *shots_ > kMaxShots))
    problems.add_error(source, "--shots", std::to_string(*shots_) + " is out of range; allowed: 1 to 1000");
  if (hold_out_ && (*hold_out_ < 0 || *hold_out_ > kMaxShots))
    problems.add_error(source, "--holdout-card", std::to_string(*hold_out_) + " is out of range; allowed: 0 to 1000");
  if (hold_out_ && cross_validate_)
    problems.add_error(source, "--holdout-card", "does not go with --cross-validate", "leave one of the two out");
  if (seed_ && *seed_ < 0)
    problems.add_error(source, "--seed", std::to_string(*seed_) + " is below 0");
  if (max_median_pct_ && *max_median_pct_ < 0)
    problems.add_error(source, "--max-median", std::to_string(*max_median_pct_) + " is below 0");
  const std::vector<validation::Table> tables = read_tables(tables_, problems);
  model::throw_if_errors(problems);
  const std::vector<validation::RowResult> rows = results(tables, console, stop);
  if (out_)
    model::write_file_atomically(*out_, validation::to_csv(rows));
  console.result(json        ? validation::to_json(rows)
                 : markdown_ ? validation::to_markdown(rows)
                             : validation::to_report(rows, rows_));
  if (stop.stop_requested()) {
    console.error("interrupted: the rows after the last one are missing");
    return model::ExitCode::answer_is_no;
  }
  const std::optional<double> median = validation::summarise(rows).median_abs_error;
  constexpr double kPercent = 100.0;
  const bool missed = max_median_pct_ && (!median || *median * kPercent > static_cast<double>(*max_median_pct_));
  return missed ? model::ExitCode::answer_is_no : model::ExitCode::done;
}

}  // namespace trainwright::cli
