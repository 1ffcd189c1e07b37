// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/search.hpp"

#include <algorithm>
#include <utility>

#include "cli/estimators/make_estimator.hpp"
#include "model/io/file.hpp"
#include "model/io/load.hpp"
#include "model/io/plan_v1.hpp"
#include "model/io/search_v1.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/report/search_report.hpp"

namespace trainwright::cli {
namespace {

constexpr std::int64_t kMostDevices = 1 << 20;
constexpr std::int64_t kMostPlans = 1000;
constexpr std::int64_t kUsualPlans = 5;
constexpr double kSecondsPerDay = 86400.0;

template <class T>
void narrow(std::vector<T>& values, const std::optional<std::vector<std::int64_t>>& stated) {
  if (stated)
    values.assign(stated->begin(), stated->end());
}

template <class T>
void narrow(std::vector<T>& values, const std::optional<T>& stated) {
  if (stated)
    values = {*stated};
}

void in_range(const std::string& option, const std::optional<std::vector<std::int64_t>>& values, std::int64_t least,
              std::int64_t most, model::Diagnostics& problems) {
  if (!values)
    return;
  for (const std::int64_t value : *values)
    if (value < least || value > most)
      problems.add_error(
          std::string(model::kCommandLineSource), option,
          std::to_string(value) + " is out of range; allowed: " + std::to_string(least) + " to " + std::to_string(most),
          {});
}

}  // namespace

void SearchCommand::add_options(OptionSet& options) {
  options.group("What to search for");
  options.text("--model", "Profile id, profile file or Hugging Face config.json", model_);
  options.text("--cluster", "Profile id or file", cluster_);
  options.integers("--gpus", "Cluster sizes to look at: 1024,2048; left out: the whole cluster", gpus_);
  options.integers("--global-batch", "Sequences a step; several are allowed", global_batch_);
  options.integer("--seq-len", "Tokens a sequence", job_.seq_len);
  options.word("--objective", "What to make best", model::kSearchObjectiveWords, objective_);
  options.integer("--top", "Plans to list (default 5)", top_);
  options.flag("--pareto", "List the plans that none beats in step time, GPUs and memory at once", pareto_);
  options.word("--estimator",
               "What the listed plans are verified with: folded (default), full, or analytic to verify nothing",
               model::kEstimatorWords, estimator_);
  options.path("--save", "Write the best plan to this file, for simulate and execute", save_);
  options.path("--calibration", "Constants fitted by `trainwright calibrate`", calibration_);
  options.integer("--threads", "Left out: one for each core", threads_);
  add_limits(options);
  options.group("Job");
  options.word("--precision", "Of matrix products", model::kPrecisionWords, job_.precision);
  options.word("--optimizer", "Optimizer", model::kOptimizerKindWords, job_.optimizer);
  options.word("--attention", "Attention kernel", model::kAttentionKernelWords, job_.attention);
  options.text("--framework", "Software whose rules and kernels apply", job_.framework);
  options.integer("--year", "Of the software; left out: the newest", job_.year);
  options.number("--expert-imbalance", "Tokens of the fullest rank's experts / average", job_.expert_imbalance);
  options.number("--expert-capacity", "Tokens an expert takes at most / average", job_.expert_capacity);
}

void SearchCommand::add_limits(OptionSet& options) {
  options.group("Limits (left out: all that can matter is tried)");
  options.integers("--tp", "Tensor parallelism: 4,8", tp_);
  options.integers("--pp", "Pipeline stages", pp_);
  options.integers("--vpp", "Chunks a stage", vpp_);
  options.integers("--dp", "Data-parallel replicas", dp_);
  options.integers("--cp", "Context parallelism", cp_);
  options.integers("--ep", "Expert parallelism", ep_);
  options.integers("--etp", "Tensor parallelism inside experts", etp_);
  options.integers("--micro-batch", "Sequences a rank and micro-batch", micro_batch_);
  options.integers("--zero", "Levels of sharding", zero_);
  options.integers("--hsdp", "Ranks that share one shard set; 0: all", zero_group_);
  options.word("--schedule", "Order of the pipeline", model::kPipelineScheduleWords, schedule_);
  options.word("--recompute", "Activations to recompute", model::kRecomputeWords, recompute_);
  options.word("--cp-kind", "Kind of context parallelism", model::kContextKindWords, cp_kind_);
  options.on_off("--sequence-parallel", "Split norms and dropout over the tensor-parallel group", sequence_parallel_);
  options.on_off("--overlap", "Reduce gradients beside the backward pass", overlap_gradients_);
  options.on_off("--overlap-parameters", "Gather sharded parameters beside compute", overlap_parameters_);
  options.byte_count("--bucket", "Size of a gradient bucket", bucket_);
  options.integer("--steps", "Length of the training, at the first global batch", steps_);
  options.number("--tokens", "Length of the training in tokens", tokens_);
  options.number("--max-days", "Longest training that is allowed", max_days_);
  options.number("--max-price", "Dearest training that is allowed, in the cluster's currency", max_price_);
  options.number("--memory-margin", "Share of a device's memory that stays free (default 0.05)", memory_margin_);
}

std::optional<model::Plan> SearchCommand::base(model::Diagnostics& problems) const {
  const std::string source(model::kCommandLineSource);
  for (const auto& [name, value] : {std::pair{"--model", model_}, std::pair{"--cluster", cluster_}})
    if (!value)
      problems.add_error(source, name, "is needed", "`trainwright profiles` lists the ids");
  if (!global_batch_)
    problems.add_error(source, "--global-batch", "is needed: layouts are compared at the same batch", {});
  in_range("--global-batch", global_batch_, 1, std::int64_t{1} << 30, problems);
  in_range("--gpus", gpus_, 1, kMostDevices, problems);
  if (problems.has_errors()) {
    // What is wrong with the files is said at once too.
    if (model_)
      (void)model::load_model(*model_, problems);
    if (cluster_)
      (void)model::load_cluster(*cluster_, problems);
    return std::nullopt;
  }
  // One rank stands for all layouts: what it lacks, the search brings.
  model::FoundPlan one;
  one.figures.global_batch = global_batch_->front();
  std::optional<model::Plan> plan =
      model::resolve_request({*model_, *cluster_, calibration_, model::choices_of(one, job_)}, source, problems);
  if (plan)
    std::erase_if(plan->assumptions, [](const std::string& line) { return line.starts_with("1 of the cluster's"); });
  return plan;
}

model::SearchSpace SearchCommand::space(const model::Plan& base, model::Diagnostics& problems) const {
  for (const auto& [option, list] : {std::pair{"--tp", &tp_},
                                     {"--pp", &pp_},
                                     {"--vpp", &vpp_},
                                     {"--dp", &dp_},
                                     {"--cp", &cp_},
                                     {"--ep", &ep_},
                                     {"--etp", &etp_},
                                     {"--micro-batch", &micro_batch_}})
    in_range(option, *list, 1, kMostDevices, problems);
  in_range("--zero", zero_, 0, 3, problems);
  in_range("--hsdp", zero_group_, 0, kMostDevices, problems);
  model::SearchSpace space;
  space.devices = {model::device_count(base.cluster)};
  narrow(space.devices, gpus_);
  narrow(space.global_batches, global_batch_);
  narrow(space.tp, tp_);
  narrow(space.pp, pp_);
  narrow(space.vpp, vpp_);
  narrow(space.dp, dp_);
  narrow(space.cp, cp_);
  narrow(space.ep, ep_);
  narrow(space.etp, etp_);
  narrow(space.micro_batch, micro_batch_);
  narrow(space.zero, zero_);
  narrow(space.zero_group, zero_group_);
  narrow(space.schedule, schedule_);
  narrow(space.recompute, recompute_);
  narrow(space.cp_kind, cp_kind_);
  narrow(space.sequence_parallel, sequence_parallel_);
  narrow(space.overlap_gradients, overlap_gradients_);
  narrow(space.overlap_parameters, overlap_parameters_);
  narrow(space.bucket, bucket_);
  for (const int devices : space.devices) {
    const std::int64_t capacity = model::rank_capacity(model::plan_of_size(base, devices, 1).cluster);
    if (devices > capacity)
      problems.add_error(std::string(model::kCommandLineSource), "--gpus",
                         std::to_string(devices) + " are more than the " + std::to_string(capacity) +
                             " that the cluster holds and can be enlarged to",
                         {});
  }
  if (!problems.has_errors() && model::search_items(space, base).empty())
    problems.add_error(std::string(model::kCommandLineSource), "--gpus", "no layout has the degrees that are allowed",
                       "their product must divide the number of GPUs");
  return space;
}

model::SearchGoal SearchCommand::goal(const model::Plan& base, model::Diagnostics& problems) const {
  const std::string source(model::kCommandLineSource);
  model::SearchGoal goal;
  goal.objective = objective_.value_or(model::SearchObjective::throughput);
  in_range("--top", std::vector<std::int64_t>{top_.value_or(kUsualPlans)}, 1, kMostPlans, problems);
  in_range("--threads", std::vector<std::int64_t>{threads_.value_or(1)}, 1, 4096, problems);
  goal.top = static_cast<std::size_t>(std::clamp<std::int64_t>(top_.value_or(kUsualPlans), 1, kMostPlans));
  goal.pareto = pareto_;
  goal.memory_margin = memory_margin_.value_or(goal.memory_margin);
  if (!(goal.memory_margin >= 0.0 && goal.memory_margin < 1.0))
    problems.add_error(source, "--memory-margin", "is out of range; allowed: 0 to below 1", {});
  if (steps_ && tokens_)
    problems.add_error(source, "--tokens", "says the same as --steps, which is stated too", "leave one of the two out");
  if (steps_)
    goal.samples = static_cast<double>(*steps_) * static_cast<double>(global_batch_->front());
  else if (tokens_)
    goal.samples = *tokens_ / static_cast<double>(base.job.seq_len);
  if (goal.samples && !(*goal.samples > 0.0))
    problems.add_error(source, steps_ ? "--steps" : "--tokens", "is out of range; allowed: above 0", {});
  if (max_days_)
    goal.deadline_s = *max_days_ * kSecondsPerDay;
  goal.max_price = max_price_;
  if ((max_days_ || max_price_) && !goal.samples)
    problems.add_error(source, max_days_ ? "--max-days" : "--max-price", "needs the length of the training",
                       "give --steps or --tokens");
  if (max_price_ && !base.cluster.price_per_device_hour)
    problems.add_error(source, "--max-price", "cluster " + base.cluster.id + " states no price",
                       "add price_per_device_hour to its file");
  return goal;
}

void SearchCommand::verify(model::SearchAnswer& answer, const model::LayoutSearch& search, Console& console,
                           std::stop_token stop) const {
  const model::EstimatorKind kind = estimator_.value_or(model::EstimatorKind::folded);
  if (kind == model::EstimatorKind::analytic || answer.best.empty() || stop.stop_requested())
    return;
  try {
    model::verify(answer, search, *make_estimator(kind, false), kind, stop,
                  [&](double fraction) { console.progress("verifying", fraction); });
    console.end_progress();
  } catch (const model::EnvironmentError& error) {
    console.end_progress();
    if (estimator_)
      throw;
    console.remark(std::string("plans were not verified: ") + error.what());
  }
}

void SearchCommand::save(const model::SearchAnswer& answer) const {
  model::Diagnostics problems;
  const std::optional<model::Plan> plan =
      model::resolve_request({*model_, *cluster_, calibration_, model::choices_of(answer.best.front().found, job_)},
                             std::string(model::kCommandLineSource), problems);
  model::throw_if_errors(problems);
  model::write_file_atomically(*save_, model::to_plan_json(*plan));
}

model::ExitCode SearchCommand::run(Console& console, std::stop_token stop) {
  model::Diagnostics problems;
  const std::optional<model::Plan> plan = base(problems);
  model::throw_if_errors(problems);
  model::SearchRequest request{*plan, space(*plan, problems), goal(*plan, problems)};
  model::throw_if_errors(problems);
  console.warnings(problems);
  model::LayoutSearch search(std::move(request));
  search.advance(static_cast<int>(threads_.value_or(0)), stop,
                 [&](double fraction) { console.progress("searching", fraction); });
  console.end_progress();
  model::SearchAnswer answer = model::answer_of(search);
  verify(answer, search, console, stop);
  if (save_ && !answer.best.empty())
    save(answer);
  console.result(json ? model::to_search_json(answer) : model::search_report(answer));
  return answer.best.empty() || !answer.is_complete ? model::ExitCode::answer_is_no : model::ExitCode::done;
}

}  // namespace trainwright::cli
