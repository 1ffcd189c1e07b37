// SPDX-License-Identifier: Apache-2.0
#include "executor/report/run_measurement.hpp"

namespace trainwright::executor {
namespace {

double seconds(SteadyNs duration) {
  return static_cast<double>(duration) / 1e9;
}

std::vector<model::TaskRecord> task_records(const std::vector<StepReport>& steps) {
  std::vector<model::TaskRecord> records(steps.front().tasks.size());
  for (std::size_t task = 0; task < records.size(); ++task) {
    records[task].task = model::TaskId(task);
    for (const StepReport& step : steps) {
      const TaskStamp& stamp = step.tasks[task];
      records[task].start_s.push_back(seconds(stamp.start - step.common_start));
      records[task].duration_s.push_back(seconds(stamp.end - stamp.start));
    }
  }
  return records;
}

}  // namespace

model::ExecutedRun make_executed_run(const model::Plan& plan, const std::string& name, std::vector<std::string> modes,
                                     int planned_steps, const LaunchResult& result) {
  model::ExecutedRun run;
  run.plan = plan;
  run.name = name;
  run.modes = std::move(modes);
  if (result.interrupted)
    run.modes.push_back("interrupted after " + std::to_string(result.steps) + " of " + std::to_string(planned_steps) +
                        " steps");
  for (std::int64_t step = 0; step < result.steps; ++step)
    run.step_s.push_back(step_seconds(result.reports, step));
  for (const auto& steps : result.reports)
    run.tasks.push_back(task_records(steps));
  run.peak_memory_bytes = result.peak_memory_bytes;
  return run;
}

}  // namespace trainwright::executor
