// SPDX-License-Identifier: Apache-2.0
#include "model/validation/row_plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/base/error.hpp"
#include "model/estimate/least_recompute.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/load.hpp"
#include "model/validation/row_model.hpp"

namespace trainwright::model::validation {
namespace {

constexpr std::int64_t kDistributedOptimizerSince = 2023;
constexpr double kWikipediaFill = 0.5;

template <class Enum, std::size_t Count>
std::optional<Enum> word_value(const std::array<std::pair<std::string_view, Enum>, Count>& words,
                               std::string_view word) {
  for (const auto& [known, value] : words)
    if (known == word)
      return value;
  return std::nullopt;
}

// "none", "zero1", "zero3:64", "hsdp" (sharded in the node).
bool read_sharding(const std::string& word, int devices_per_node, PlanChoices& choices) {
  if (word.empty() || word == "none") {
    choices.zero = 0;
    return true;
  }
  if (word == "hsdp") {
    choices.zero = 3;
    choices.zero_group = devices_per_node;
    return true;
  }
  constexpr std::string_view kStem = "zero";
  if (!word.starts_with(kStem) || word.size() < kStem.size() + 1)
    return false;
  const char stage = word[kStem.size()];
  if (stage < '0' || stage > '3')
    return false;
  choices.zero = stage - '0';
  const std::string_view rest = std::string_view(word).substr(kStem.size() + 1);
  if (rest.empty())
    return true;
  std::int64_t group = 0;
  const char* const end = rest.data() + rest.size();
  const auto [at, problem] = std::from_chars(rest.data() + 1, end, group);
  if (rest.front() != ':' || problem != std::errc() || at != end || group < 1)
    return false;
  choices.zero_group = group;
  return true;
}

// Layers of each virtual stage where they do not divide: as even as possible, the larger ones in the middle, since the
// ends hold embedding and head. Empty where they divide, or where there are more stages than layers.
std::vector<std::int64_t> uneven_split(std::int64_t layers, const StepRow& row) {
  const std::int64_t stages = row.pp.value_or(1) * row.vpp.value_or(1);
  if (stages > layers || layers % stages == 0)
    return {};
  const std::int64_t more = layers % stages;
  const std::int64_t first = (stages - more) / 2;
  std::vector<std::int64_t> split(static_cast<std::size_t>(stages), layers / stages);
  for (std::int64_t i = first; i < first + more; ++i)
    ++split[static_cast<std::size_t>(i)];
  return split;
}

std::string reason_of(const Diagnostics& problems) {
  std::string text;
  for (const Diagnostic& problem : problems.list())
    if (problem.severity == Severity::error)
      text += (text.empty() ? "" : "; ") + problem.path + " " + problem.message;
  return text;
}

}  // namespace

RowChoices choices_of(const StepRow& row, const Cluster& cluster) {
  RowChoices result;
  PlanChoices& choices = result.choices;
  const auto unknown = [&](std::string_view column, const std::string& word) {
    result.problem += (result.problem.empty() ? "" : "; ") + std::string(column) + " \"" + word + "\" is not known";
  };
  const auto assume = [&](std::string text) { result.assumptions.push_back(std::move(text)); };
  choices.gpus = row.gpus;
  choices.tp = row.tp;
  choices.pp = row.pp;
  choices.dp = row.dp;
  choices.cp = row.cp;
  choices.vpp = row.vpp;
  choices.ep = row.ep;
  choices.seq_len = row.seq_len;
  choices.micro_batch = row.micro_batch;
  choices.global_batch = row.global_batch;
  choices.year = row.year;
  if (!row.framework.empty() && row.framework != "mixed")
    choices.framework = row.framework;
  else if (row.year && *row.year < kDistributedOptimizerSince)
    choices.framework = "pytorch-ddp";
  if (!row.precision.empty()) {
    choices.precision = precision_of(row.precision);
    if (!choices.precision)
      unknown("precision", row.precision);
  } else if (row.framework == "megatron-te" && cluster.groups.front().accelerator.peak(Precision::fp8)) {
    choices.precision = Precision::fp8;
    assume("precision fp8: what Transformer Engine is used for on cards that have it");
  }
  if (!row.attention.empty()) {
    choices.attention = word_value(kAttentionKernelWords, row.attention);
    if (!choices.attention)
      unknown("attention", row.attention);
  }
  if (!row.schedule.empty()) {
    choices.schedule = word_value(kPipelineScheduleWords, row.schedule);
    if (!choices.schedule)
      unknown("schedule", row.schedule);
  }
  if (!row.recompute.empty()) {
    choices.recompute = word_value(kRecomputeWords, row.recompute);
    if (!choices.recompute)
      unknown("recompute", row.recompute);
  }
  if (!read_sharding(row.dp_sharding, cluster.groups.front().devices_per_node, choices))
    unknown("dp_sharding", row.dp_sharding);
  if (row.id.notes.find("unpadded") != std::string::npos) {
    choices.sequence_fill = kWikipediaFill;
    assume("padding is skipped: half of the positions hold tokens, as in Wikipedia cut to 512 (arXiv 2107.02027)");
  }
  choices.sequence_parallel = row.sequence_parallel;
  const bool recent_megatron =
      row.framework == "megatron-te" && row.year.value_or(kDistributedOptimizerSince) >= kDistributedOptimizerSince;
  if (recent_megatron && row.tp.value_or(1) > 1 && !row.sequence_parallel) {
    choices.sequence_parallel = true;
    assume("sequence parallelism: on, as in the recipes of this framework");
  }
  if (recent_megatron && row.dp.value_or(1) > 1 && choices.zero == std::optional<std::int64_t>(0)) {
    choices.zero = 1;
    assume("distributed optimizer (zero 1), as in the recipes of this framework");
  }
  return result;
}

RowPlanner::Machine RowPlanner::find_machine(const StepRow& row) const {
  RowCluster found = cluster_of(row);
  Machine result{std::move(found.cluster), {}, std::move(found.problem), std::move(found.assumptions)};
  if (result.cluster)
    for (const auto& [word, software] : kSoftwareGenerationWords)
      result.constants.emplace(software, constants_of(*result.cluster, software));
  return result;
}

CostConstants RowPlanner::constants_of(const Cluster& cluster, SoftwareGeneration software) const {
  const CostConstants shipped = shipped_constants(cluster, software, steps_);
  return calibration_ ? apply(*calibration_, shipped) : shipped;
}

const RowPlanner::Machine& RowPlanner::machine(const StepRow& row) {
  const auto text = [](const auto& value) { return value ? std::to_string(*value) : std::string("-"); };
  const std::string key = row.cluster + "|" + row.accelerator + "|" + std::to_string(row.gpus) + "|" +
                          text(row.gpus_per_node) + "|" + text(row.inter_node_gbps) + "|" +
                          text(row.inter_node_latency_us);
  auto found = machines_.find(key);
  if (found == machines_.end())
    found = machines_.emplace(key, find_machine(row)).first;
  return found->second;
}

RowPlan RowPlanner::to_plan(const StepRow& row) {
  RowPlan result;
  const RowModel model = model_of(row);
  const Machine& where = machine(row);
  if (!model.model || !where.cluster) {
    result.problem = !model.model ? model.problem : where.problem;
    return result;
  }
  RowChoices stated = choices_of(row, *where.cluster);
  if (!stated.problem.empty()) {
    result.problem = stated.problem;
    return result;
  }
  if (const auto split = uneven_split(layer_count(*model.model), row); !split.empty()) {
    stated.choices.stage_layers = split;
    stated.assumptions.push_back("layers do not divide into the stages: the ends take fewer, the middle more");
  }
  const CostConstants& constants =
      where.constants.at(software_generation(stated.choices.framework.value_or(Job{}.framework), row.year.value_or(0)));
  Diagnostics problems;
  std::optional<Plan> plan =
      resolve_plan(*model.model, *where.cluster, constants, stated.choices, row.id.row_id, problems);
  if (!plan) {
    result.problem = reason_of(problems);
    return result;
  }
  const std::initializer_list<const std::vector<std::string>*> said{&where.assumptions, &model.assumptions,
                                                                    &stated.assumptions};
  for (const std::vector<std::string>* more : said)
    plan->assumptions.insert(plan->assumptions.end(), more->begin(), more->end());
  result.plan = stated.choices.recompute ? std::move(*plan) : with_least_recompute(std::move(*plan));
  return result;
}

}  // namespace trainwright::model::validation
