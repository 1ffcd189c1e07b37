// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/execute.hpp"

#include <nlohmann/json.hpp>

#include "cli/process/child_process.hpp"
#include "cli/process/executor_events.hpp"
#include "model/estimate/analytic_estimator.hpp"
#include "model/io/estimate_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/plan_request.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/report/estimate_report.hpp"
#include "model/report/run_report.hpp"

namespace trainwright::cli {
namespace {

using Json = nlohmann::ordered_json;

void add(std::vector<std::string>& arguments, const std::string& name, const std::optional<std::int64_t>& value) {
  if (value)
    arguments.insert(arguments.end(), {name, std::to_string(*value)});
}

void add(std::vector<std::string>& arguments, const std::string& name, const std::optional<std::string>& value) {
  if (value)
    arguments.insert(arguments.end(), {name, *value});
}

/// The run that the executor wrote. A file that cannot be read is a failure of the machine, not of the user.
model::ExecutedRun read_run(const std::filesystem::path& file) {
  model::Diagnostics problems;
  const std::string text = model::read_file(file, problems);
  const std::optional<model::Measurement> measurement = model::measurement_from_json(text, file.string(), problems);
  if (!measurement || measurement->runs.empty() || measurement->runs.front().step_s.empty())
    throw model::EnvironmentError("the executor left no usable measurement in " + file.string(), problems.to_text());
  return measurement->runs.front();
}

Json to_json(const model::RunComparison& comparison, const std::filesystem::path& measurement) {
  return {{"run", comparison.name},
          {"steps", comparison.steps},
          {"predicted_step_s", comparison.predicted.count()},
          {"predicted_interval_s", {comparison.predicted_low.count(), comparison.predicted_high.count()}},
          {"measured_step_s", comparison.measured.count()},
          {"measured_extremes_s", {comparison.measured_min.count(), comparison.measured_max.count()}},
          {"error", comparison.error},
          {"in_interval", comparison.in_interval},
          {"predicted_tokens_per_s", comparison.predicted_tokens_per_second},
          {"measured_tokens_per_s", comparison.measured_tokens_per_second},
          {"predicted_peak_bytes", comparison.predicted_peak_memory.count()},
          {"measured_peak_bytes", comparison.measured_peak_memory.count()},
          {"measurement", measurement.string()}};
}

}  // namespace

void ExecuteCommand::add_options(OptionSet& options) {
  options.group("What to run");
  options.path("--plan", "A saved plan (predict --save)", plan_);
  options.word("--backend", "nccl: a GPU for each rank; gloo: CPU cores; auto: nccl where this machine has the GPUs",
               kBackendWords, backend_);
  options.integer("--nproc", "Processes; must be the plan's ranks", nproc_);
  options.integer("--steps", "Measured steps", steps_);
  options.integer("--warmup", "Steps before them", warmup_);
  options.path("--run-dir", "Folder for logs, measurement.json and trace.json", run_dir_);
  options.text("--name", "Name of the run in the measurement", name_);
  options.text("--interface", "Network interface for data", interface_);
  options.integer("--timeout", "Seconds that any single operation may take", timeout_);
}

model::ExitCode ExecuteCommand::run(Console& console, std::stop_token stop) {
  model::Diagnostics problems;
  const std::string source(model::kCommandLineSource);
  if (!plan_)
    problems.add_error(source, "--plan", "is needed", "`trainwright predict --save plan.json` makes one");
  std::optional<model::Plan> plan;
  if (plan_)
    plan = model::load_plan_with(*plan_, {}, {}, source, problems);
  model::throw_if_errors(problems);
  console.warnings(problems);

  std::vector<std::string> arguments{"run", "--plan", plan_->string()};
  if (backend_)
    arguments.insert(arguments.end(), {"--backend", std::string(to_word(*backend_))});
  add(arguments, "--nproc", nproc_);
  add(arguments, "--steps", steps_);
  add(arguments, "--warmup", warmup_);
  add(arguments, "--timeout", timeout_);
  add(arguments, "--interface", interface_);
  add(arguments, "--name", name_);
  if (run_dir_)
    arguments.insert(arguments.end(), {"--run-dir", run_dir_->string()});

  std::int64_t steps = 0;
  std::optional<std::filesystem::path> measurement;
  const ChildResult child =
      run_child(sibling_program("trainwright-execute"), arguments, stop, [&](const std::string& line) {
        const std::optional<ExecutorEvent> event = parse_event(line);
        if (!event)
          return;
        if (event->event == "start")
          steps = event->steps.value_or(0);
        if (event->measurement)
          measurement = event->measurement;
        if (const std::string text = progress_text(*event, steps); !text.empty())
          console.status(text);
      });
  console.end_progress();
  if (child.was_killed && stop.stop_requested()) {  // before it could take care of the signal itself
    console.error("interrupted; nothing was written");
    return model::ExitCode::answer_is_no;
  }
  if (child.was_killed)
    throw model::EnvironmentError("trainwright-execute was killed by signal " + std::to_string(child.exit_code - 128));
  const auto exit_code = static_cast<model::ExitCode>(child.exit_code);
  if (!measurement)
    return exit_code;
  const model::ExecutedRun run = read_run(*measurement);
  const std::optional<model::Estimate> estimate = model::AnalyticEstimator().estimate(run.plan, {}, {});
  const model::RunComparison comparison = model::compare(run, *estimate);
  console.result(json ? model::canonical_text(to_json(comparison, *measurement))
                      : model::comparison_report(comparison, run) + "  measurement: " + measurement->string() + "\n");
  return exit_code;
}

}  // namespace trainwright::cli
