// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/quickstart.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/estimators/make_estimator.hpp"
#include "cli/estimators/stoppable_estimator.hpp"
#include "cli/process/child_process.hpp"
#include "cli/process/executor_events.hpp"
#include "model/base/error.hpp"
#include "model/calibration/calibration.hpp"
#include "model/calibration/run_observations.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/load.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/plan_v1.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/plan/resolve.hpp"
#include "model/report/calibration_report.hpp"
#include "model/report/prediction_table.hpp"
#include "model/units/format.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::cli {
namespace {

constexpr std::int64_t kSequence = 128;
// A machine's speed drifts over seconds (clock, neighbours). So plans take turns, and the steps of all rounds of a plan
// are taken together.
constexpr std::int64_t kRounds = 5;
constexpr std::int64_t kDefaultSteps = 8;
constexpr std::int64_t kWarmup = 2;
constexpr const char* kMeasureFolder = "measure";
// Small buckets, so that even this small model reduces gradients beside the backward pass.
constexpr model::ByteCount kBucket(2'000'000);

struct Case {
  std::string_view name;
  int dp;
  int tp;
  int pp;
  int micro_batch;
  int micro_batches;
  bool is_test;
};

// Three to fit, three held back. Each held-back plan differs from the fitted ones in what it needs to get right:
// a pipeline of its own, many small micro-batches, accumulation without reduction.
constexpr std::array<Case, 6> kCases{{{"dp2", 2, 1, 1, 4, 1, false},
                                      {"tp2", 1, 2, 1, 4, 2, false},
                                      {"dp2xpp2", 2, 1, 2, 2, 4, false},
                                      {"pp2", 1, 1, 2, 4, 2, true},
                                      {"pp2-mb8", 1, 1, 2, 1, 8, true},
                                      {"dp2-acc4", 2, 1, 1, 2, 4, true}}};

std::string layout_text(const Case& c) {
  std::string text;
  for (const auto& [word, degree] : {std::pair{"dp ", c.dp}, {"tp ", c.tp}, {"pp ", c.pp}})
    if (degree > 1)
      text += word + std::to_string(degree) + ", ";
  return text + std::to_string(c.micro_batches) + " micro-batch" + (c.micro_batches > 1 ? "es" : "") + " of " +
         std::to_string(c.micro_batch);
}

class Quickstart {
 public:
  Quickstart(Console& console, std::stop_token stop, std::filesystem::path folder, std::int64_t steps, bool quiet)
      : console_(console), stop_(std::move(stop)), folder_(std::move(folder)), steps_(steps), quiet_(quiet) {
    std::error_code error;
    std::filesystem::create_directories(folder_ / kMeasureFolder, error);
    if (error)
      throw model::EnvironmentError(folder_.string() + ": cannot be made: " + error.message());
    try {
      estimator_ = make_estimator(model::EstimatorKind::full, false);
    } catch (const model::EnvironmentError& problem) {
      console_.remark(std::string(problem.what()) + "; using the closed form instead");
      estimator_ = make_estimator(model::EstimatorKind::analytic, false);
    }
  }

  model::ExitCode run(const model::Model& model, const model::Cluster& cluster, bool json) {
    say("model " + model.name + ", " + std::to_string(model::parameter_count(model).total) + " parameters; " +
        cluster.name);
    const model::CostConstants shipped = model::shipped_constants(cluster);
    std::vector<model::Plan> plans;
    for (const Case& c : kCases)
      plans.push_back(plan_of(c, model, cluster, shipped));

    say("1 predict and simulate six plans with the shipped constants");
    std::vector<model::PredictionCase> cases;
    for (std::size_t i = 0; i < kCases.size(); ++i) {
      cases.push_back({std::string(kCases[i].name), layout_text(kCases[i]), kCases[i].is_test});
      const std::optional<model::Seconds> step = predict(plans[i]);
      if (!step)
        return interrupted();
      cases.back().before = *step;
    }

    say("2 measure this machine");
    std::vector<model::Measurement> measurements;
    const auto measured =
        start_executor({"measure", "--nproc", "2", "--out", (folder_ / "machine.measurement.json").string(),
                        "--run-dir", (folder_ / kMeasureFolder).string()});
    if (!measured)
      return interrupted();
    measurements.push_back(read_measurement(folder_ / "machine.measurement.json"));

    say("3 execute the six plans in turn, " + std::to_string(kRounds) + " rounds of " + std::to_string(steps_) +
        " steps");
    std::array<std::vector<model::Measurement>, kCases.size()> rounds;
    for (std::int64_t round = 1; round <= kRounds; ++round)
      for (std::size_t i = 0; i < kCases.size(); ++i) {
        std::optional<model::Measurement> measurement = execute(plans[i], std::string(kCases[i].name), round);
        if (!measurement)
          return interrupted();
        rounds[i].push_back(*std::move(measurement));
      }
    for (std::size_t i = 0; i < kCases.size(); ++i) {
      model::Measurement pooled = pooled_rounds(std::move(rounds[i]));
      cases[i].measured = model::Seconds(model::median_of(pooled.runs.front().step_s));
      if (!kCases[i].is_test)
        measurements.push_back(std::move(pooled));
    }

    say("4 calibrate on three of them");
    model::Calibration calibration;
    try {
      calibration = model::fit(measurements, cluster, shipped, StoppableEstimator(*estimator_, stop_));
    } catch (const Interrupted&) {
      return interrupted();
    }
    const std::filesystem::path calibration_file = folder_ / "calibration.json";
    model::write_file_atomically(calibration_file, model::to_calibration_json(calibration));

    say("5 predict again");
    const model::CostConstants calibrated = model::apply(calibration, shipped);
    for (std::size_t i = 0; i < kCases.size(); ++i) {
      plans[i].constants = calibrated;
      const std::optional<model::Seconds> step = predict(plans[i]);
      if (!step)
        return interrupted();
      cases[i].after = *step;
    }
    report(cases, calibration_file, json);
    return model::ExitCode::done;
  }

 private:
  void say(const std::string& line) {
    if (!quiet_)
      console_.remark(line);
  }

  model::ExitCode interrupted() {
    console_.end_progress();
    console_.remark("interrupted; what was measured so far is in " + folder_.string());
    return model::ExitCode::answer_is_no;
  }

  static model::Plan plan_of(const Case& c, const model::Model& model, const model::Cluster& cluster,
                             const model::CostConstants& constants) {
    model::PlanChoices choices;
    choices.gpus = c.dp * c.tp * c.pp;
    choices.dp = c.dp;
    choices.tp = c.tp;
    choices.pp = c.pp;
    choices.micro_batch = c.micro_batch;
    choices.micro_batches = c.micro_batches;
    choices.seq_len = kSequence;
    choices.bucket = kBucket;
    model::Diagnostics problems;
    std::optional<model::Plan> plan =
        model::resolve_plan(model, cluster, constants, choices, "plan " + std::string(c.name), problems);
    model::throw_if_errors(problems);
    return *std::move(plan);
  }

  // Empty when interrupted.
  std::optional<model::Seconds> predict(const model::Plan& plan) {
    const std::optional<model::Estimate> estimate = estimator_->estimate(plan, stop_, {});
    if (!estimate || stop_.stop_requested())
      return std::nullopt;
    return estimate->step;
  }

  // Empty when interrupted.
  std::optional<model::Measurement> execute(const model::Plan& plan, const std::string& name, std::int64_t round) {
    const std::filesystem::path plan_file = folder_ / (name + ".plan.json");
    if (round == 1)
      model::write_file_atomically(plan_file, model::to_plan_json(plan));
    const std::optional<std::filesystem::path> file = start_executor(
        {"run", "--plan", plan_file.string(), "--backend", "gloo", "--nproc", std::to_string(world_size(plan.layout)),
         "--steps", std::to_string(steps_), "--warmup", std::to_string(kWarmup), "--name", name, "--run-dir",
         (folder_ / name / ("round-" + std::to_string(round))).string()});
    if (!file)
      return std::nullopt;
    model::Measurement measurement = read_measurement(*file);
    if (measurement.runs.empty() || measurement.runs.front().step_s.empty())
      throw model::EnvironmentError("the executor left no steps in " + file->string());
    return measurement;
  }

  // The steps of all rounds, as if one run had made them.
  static model::Measurement pooled_rounds(std::vector<model::Measurement> rounds) {
    model::Measurement all = std::move(rounds.front());
    model::ExecutedRun& run = all.runs.front();
    for (std::size_t round = 1; round < rounds.size(); ++round) {
      const model::ExecutedRun& more = rounds[round].runs.front();
      run.step_s.insert(run.step_s.end(), more.step_s.begin(), more.step_s.end());
      for (std::size_t rank = 0; rank < std::min(run.tasks.size(), more.tasks.size()); ++rank)
        for (std::size_t task = 0; task < std::min(run.tasks[rank].size(), more.tasks[rank].size()); ++task) {
          model::TaskRecord& record = run.tasks[rank][task];
          const model::TaskRecord& other = more.tasks[rank][task];
          record.start_s.insert(record.start_s.end(), other.start_s.begin(), other.start_s.end());
          record.duration_s.insert(record.duration_s.end(), other.duration_s.begin(), other.duration_s.end());
        }
    }
    return all;
  }

  // The measurement the executor wrote; empty when interrupted.
  std::optional<std::filesystem::path> start_executor(const std::vector<std::string>& arguments) {
    std::optional<std::filesystem::path> measurement;
    const ChildResult child =
        run_child(sibling_program("trainwright-execute"), arguments, stop_, [&](const std::string& line) {
          const std::optional<ExecutorEvent> event = parse_event(line);
          if (!event)
            return;
          if (event->measurement)
            measurement = event->measurement;
          if (const std::string text = progress_text(*event, steps_); !text.empty())
            console_.status(text);
        });
    console_.end_progress();
    if (stop_.stop_requested())
      return std::nullopt;
    if (child.exit_code != 0 || !measurement)
      throw model::EnvironmentError("trainwright-execute " + arguments.front() + " ended with " +
                                    std::to_string(child.exit_code));
    return measurement;
  }

  static model::Measurement read_measurement(const std::filesystem::path& file) {
    model::Diagnostics problems;
    const std::string text = model::read_file(file, problems);
    std::optional<model::Measurement> measurement = model::measurement_from_json(text, file.string(), problems);
    if (!measurement)
      throw model::EnvironmentError("the executor left an unusable measurement: " + problems.to_text());
    return *std::move(measurement);
  }

  void report(const std::vector<model::PredictionCase>& cases, const std::filesystem::path& calibration_file,
              bool json) {
    if (!json) {
      console_.result(model::prediction_table(cases) + "\n  calibration: " + calibration_file.string() +
                      "\n  use it:      trainwright predict --cluster local --calibration " +
                      calibration_file.string() + " ...\n");
      return;
    }
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const model::PredictionCase& c : cases)
      rows.push_back({{"plan", c.name},
                      {"use", c.is_test ? "test" : "fit"},
                      {"before_s", c.before.count()},
                      {"after_s", c.after.count()},
                      {"measured_s", c.measured.count()}});
    const model::MeanErrors test = model::mean_errors(cases, true);
    const model::MeanErrors fitted = model::mean_errors(cases, false);
    console_.result(model::canonical_text({{"plans", rows},
                                           {"mean_error_test", {{"before", test.before}, {"after", test.after}}},
                                           {"mean_error_fit", {{"before", fitted.before}, {"after", fitted.after}}},
                                           {"calibration", calibration_file.string()}}));
  }

  Console& console_;
  std::stop_token stop_;
  std::filesystem::path folder_;
  std::int64_t steps_;
  bool quiet_;
  std::unique_ptr<model::Estimator> estimator_;
};

}  // namespace

void QuickstartCommand::add_options(OptionSet& options) {
  options.text("--model", "Profile id, model file or Hugging Face config.json; left out: gpt-tiny", model_);
  options.path("--run-dir", "Folder for plans, measurements and the calibration (default trainwright-quickstart)",
               run_dir_);
  options.integer("--steps", "Measured steps of each plan in each of 5 rounds (default 8)", steps_);
}

model::ExitCode QuickstartCommand::run(Console& console, std::stop_token stop) {
  model::Diagnostics problems;
  if (steps_ && *steps_ < 1)
    problems.add_error(std::string(model::kCommandLineSource), "--steps", "is " + std::to_string(*steps_),
                       "at least 1 is needed");
  const std::optional<model::Model> model = model::load_model(model_.value_or("gpt-tiny"), problems);
  const std::optional<model::Cluster> cluster = model::load_cluster("local", problems);
  model::throw_if_errors(problems);
  return Quickstart(console, std::move(stop), run_dir_.value_or("trainwright-quickstart"),
                    steps_.value_or(kDefaultSteps), json)
      .run(*model, *cluster, json);
}

}  // namespace trainwright::cli
