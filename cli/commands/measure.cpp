// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/measure.hpp"

#include "cli/process/child_process.hpp"
#include "cli/process/executor_events.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/report/calibration_report.hpp"

namespace trainwright::cli {

void MeasureCommand::add_options(OptionSet& options) {
  options.group("What to measure");
  options.word("--backend", "auto and gloo: processes on CPU cores; there is nothing for nccl yet", kBackendWords,
               backend_);
  options.integer("--nproc", "Ranks that measure together", nproc_);
  options.integer("--budget", "Seconds to spend", budget_);
  options.flag("--quick", "Fewer points", quick_);
  options.path("--run-dir", "Folder whose storage is measured", run_dir_);
  options.path("--out", "File to write; left out: measurement.json", out_);
}

model::ExitCode MeasureCommand::run(Console& console, std::stop_token stop) {
  require_measurable(backend_);
  const std::filesystem::path out = out_.value_or("measurement.json");
  std::vector<std::string> arguments{"measure", "--out", out.string()};
  if (nproc_)
    arguments.insert(arguments.end(), {"--nproc", std::to_string(*nproc_)});
  if (budget_)
    arguments.insert(arguments.end(), {"--budget", std::to_string(*budget_)});
  if (quick_)
    arguments.emplace_back("--quick");
  if (run_dir_)
    arguments.insert(arguments.end(), {"--run-dir", run_dir_->string()});
  bool is_written = false;
  const ChildResult child =
      run_child(sibling_program("trainwright-execute"), arguments, stop, [&](const std::string& line) {
        const std::optional<ExecutorEvent> event = parse_event(line);
        if (!event)
          return;
        is_written = is_written || event->measurement.has_value();
        if (const std::string text = progress_text(*event, event->steps.value_or(0)); !text.empty())
          console.status(text);
      });
  console.end_progress();
  // It may have been killed before it could take care of the signal itself.
  if (stop.stop_requested() && (child.was_killed || !is_written)) {
    console.error("interrupted; nothing was written");
    return model::ExitCode::answer_is_no;
  }
  if (child.was_killed)
    throw model::EnvironmentError("trainwright-execute was killed by signal " + std::to_string(child.exit_code - 128));
  if (!is_written)
    return static_cast<model::ExitCode>(child.exit_code);
  model::Diagnostics problems;
  const std::string text = model::read_file(out, problems);
  const std::optional<model::Measurement> measurement = model::measurement_from_json(text, out.string(), problems);
  if (!measurement)
    throw model::EnvironmentError("the executor left no usable measurement in " + out.string(), problems.to_text());
  console.result(json ? text : model::measurement_report(*measurement) + "  measurement: " + out.string() + "\n");
  if (stop.stop_requested())
    console.error("interrupted: " + out.string() + " holds what had been measured");
  return static_cast<model::ExitCode>(child.exit_code);
}

}  // namespace trainwright::cli
