// SPDX-License-Identifier: Apache-2.0
#include "model/io/estimate_v1.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/io/document.hpp"
#include "model/io/json_writer.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kMaxBytes = 1L << 60;
constexpr int kMaxRanks = 10'000'000;
constexpr double kPerTera = 1e-12;
constexpr Range<double> kNotNegative{0.0, std::numeric_limits<double>::max()};

Seconds read_seconds(JsonObject& object, std::string_view key) {
  return Seconds(object.number(key, kNotNegative));
}

std::vector<double> counts(const std::vector<Seconds>& times) {
  std::vector<double> numbers;
  numbers.reserve(times.size());
  for (const Seconds time : times)
    numbers.push_back(time.count());
  return numbers;
}

ordered_json terms_value(const StageMemory& stage) {
  auto terms = ordered_json::object();
  for (std::size_t i = 0; i < kMemoryTermCount; ++i)
    terms[std::string(kMemoryTermWords[i])] = stage.terms[i].count();
  return terms;
}

ordered_json phases_value(const StageMemory& stage) {
  auto phases = ordered_json::object();
  for (std::size_t i = 0; i < kMemoryPhaseCount; ++i)
    phases[std::string(kMemoryPhaseWords[i])] = stage.phases[i].count();
  return phases;
}

ordered_json host_value(const HostMemory& host) {
  auto items = ordered_json::array();
  for (const HostMemory::Item& item : host.items)
    items.push_back({{"name", item.name}, {"bytes", item.bytes.count()}});
  return {{"used_bytes", host.used.count()},
          {"capacity_bytes", host.capacity.count()},
          {"verdict", word_of(kMemoryVerdictWords, host.verdict)},
          {"load_bytes", host.load.count()},
          {"items", std::move(items)}};
}

ordered_json memory_value(const MemoryEstimate& memory) {
  ordered_json value{{"peak_bytes", memory.peak.count()},
                     {"capacity_bytes", memory.capacity.count()},
                     {"verdict", word_of(kMemoryVerdictWords, memory.verdict)}};
  // The terms of the fullest stage once more, where a reader looks first.
  auto terms = ordered_json::array();
  const auto fullest = std::max_element(memory.stages.begin(), memory.stages.end(),
                                        [](const auto& a, const auto& b) { return a.peak < b.peak; });
  if (fullest != memory.stages.end())
    for (std::size_t i = 0; i < kMemoryTermCount; ++i)
      terms.push_back({{"term", kMemoryTermWords[i]}, {"bytes", fullest->terms[i].count()}});
  value["terms"] = std::move(terms);
  auto stages = ordered_json::array();
  for (const StageMemory& stage : memory.stages)
    stages.push_back({{"stage", stage.stage.value()},
                      {"ranks", stage.ranks},
                      {"peak_bytes", stage.peak.count()},
                      {"peak_phase", stage.peak_phase},
                      {"terms_bytes", terms_value(stage)},
                      {"phases_bytes", phases_value(stage)}});
  value["stages"] = std::move(stages);
  value["host"] = host_value(memory.host);
  return value;
}

StageMemory read_stage(JsonObject& object) {
  StageMemory stage;
  stage.stage = StageId(read_int(object, "stage", 0, kMaxRanks));
  stage.ranks = read_int(object, "ranks", 1, kMaxRanks);
  stage.peak = ByteCount(object.integer("peak_bytes", {0, kMaxBytes}));
  stage.peak_phase = object.string("peak_phase");
  JsonObject terms = object.object("terms_bytes");
  for (std::size_t i = 0; i < kMemoryTermCount; ++i)
    stage.terms[i] = ByteCount(terms.integer(kMemoryTermWords[i], {0, kMaxBytes}));
  terms.finish();
  JsonObject phases = object.object("phases_bytes");
  for (std::size_t i = 0; i < kMemoryPhaseCount; ++i)
    stage.phases[i] = ByteCount(phases.integer(kMemoryPhaseWords[i], {0, kMaxBytes}));
  phases.finish();
  object.finish();
  return stage;
}

HostMemory read_host(JsonObject& object) {
  HostMemory host;
  host.used = ByteCount(object.integer("used_bytes", {0, kMaxBytes}));
  host.capacity = ByteCount(object.integer("capacity_bytes", {0, kMaxBytes}));
  host.verdict = object.choice<MemoryVerdict>("verdict", kMemoryVerdictWords);
  host.load = ByteCount(object.integer("load_bytes", {0, kMaxBytes}));
  for (JsonObject& item : object.objects("items")) {
    host.items.push_back({item.string("name"), ByteCount(item.integer("bytes", {0, kMaxBytes}))});
    item.finish();
  }
  object.finish();
  return host;
}

MemoryEstimate read_memory(JsonObject& object) {
  MemoryEstimate memory;
  memory.peak = ByteCount(object.integer("peak_bytes", {0, kMaxBytes}));
  memory.capacity = ByteCount(object.integer("capacity_bytes", {0, kMaxBytes}));
  memory.verdict = object.choice<MemoryVerdict>("verdict", kMemoryVerdictWords);
  object.ignore("terms");
  for (JsonObject& stage : object.objects("stages"))
    memory.stages.push_back(read_stage(stage));
  JsonObject host = object.object("host");
  memory.host = read_host(host);
  object.finish();
  return memory;
}

ordered_json what_if_value(const WhatIf& what_if) {
  return {{"resource", what_if.resource}, {"factor", what_if.factor}, {"step_time_s", what_if.step.count()}};
}

WhatIf read_what_if(JsonObject& object) {
  WhatIf what_if;
  what_if.resource = object.string("resource");
  what_if.factor = object.number("factor", kNotNegative);
  what_if.step = read_seconds(object, "step_time_s");
  object.finish();
  return what_if;
}

ordered_json advice_value(const Advice& advice) {
  ordered_json value{{"action", advice.action}, {"reason", advice.reason}};
  if (advice.step_after)
    value["step_time_after_s"] = advice.step_after->count();
  if (advice.peak_memory_after)
    value["peak_bytes_after"] = advice.peak_memory_after->count();
  return value;
}

Advice read_advice(JsonObject& object) {
  Advice advice;
  advice.action = object.string("action");
  advice.reason = object.string("reason");
  if (const auto seconds = object.optional_number("step_time_after_s", kNotNegative))
    advice.step_after = Seconds(*seconds);
  if (const auto bytes = object.optional_integer("peak_bytes_after", {0, kMaxBytes}))
    advice.peak_memory_after = ByteCount(*bytes);
  object.finish();
  return advice;
}

// Three lists side by side instead of a list of objects: a timeline has millions of intervals.
ordered_json rank_timeline_value(const RankTimeline& rank) {
  std::vector<std::int32_t> tasks;
  std::vector<double> starts;
  std::vector<double> ends;
  for (const Interval& interval : rank.intervals) {
    tasks.push_back(interval.task.value());
    starts.push_back(interval.start.count());
    ends.push_back(interval.end.count());
  }
  return {{"rank", rank.rank.value()},
          {"represents", rank.represents},
          {"task", tasks},
          {"start_s", starts},
          {"end_s", ends}};
}

RankTimeline read_rank_timeline(JsonObject& object) {
  RankTimeline rank;
  rank.rank = RankId(read_int(object, "rank", 0, kMaxRanks));
  rank.represents = read_int(object, "represents", 1, kMaxRanks);
  const std::vector<std::int64_t> tasks = object.integers("task", {0, std::numeric_limits<std::int32_t>::max()});
  const std::vector<double> starts = object.numbers("start_s");
  const std::vector<double> ends = object.numbers("end_s");
  object.finish();
  if (tasks.size() != starts.size() || tasks.size() != ends.size()) {
    object.add_error("task",
                     "has " + std::to_string(tasks.size()) + " entries, \"start_s\" has " +
                         std::to_string(starts.size()) + ", \"end_s\" has " + std::to_string(ends.size()),
                     "each interval has one entry in all three");
    return rank;
  }
  for (std::size_t i = 0; i < tasks.size(); ++i)
    rank.intervals.push_back({TaskId(static_cast<std::int32_t>(tasks[i])), Seconds(starts[i]), Seconds(ends[i])});
  return rank;
}

}  // namespace

ordered_json timeline_value(const Timeline& timeline) {
  auto ranks = ordered_json::array();
  for (const RankTimeline& rank : timeline.ranks)
    ranks.push_back(rank_timeline_value(rank));
  auto value = ordered_json::object();
  value["ranks"] = std::move(ranks);
  return value;
}

Timeline read_timeline(JsonObject& object) {
  Timeline timeline;
  for (JsonObject& rank : object.objects("ranks"))
    timeline.ranks.push_back(read_rank_timeline(rank));
  object.finish();
  return timeline;
}

namespace {

void read_interval(JsonObject& object, Estimate& estimate) {
  const std::vector<double> interval = object.numbers("step_time_interval_s");
  if (interval.size() == 2 && 0.0 <= interval[0] && interval[0] <= interval[1]) {
    estimate.step_low = Seconds(interval[0]);
    estimate.step_high = Seconds(interval[1]);
  } else if (!interval.empty()) {
    object.add_error("step_time_interval_s", "is not [low, high]", "two numbers in ascending order are needed");
  }
}

template <class Read>
auto read_list(JsonObject& object, std::string_view key, Read read) {
  std::vector<std::invoke_result_t<Read, JsonObject&>> list;
  for (JsonObject& item : object.objects(key))
    list.push_back(read(item));
  return list;
}

template <class Item, class Value>
ordered_json list_value(const std::vector<Item>& items, Value value) {
  auto list = ordered_json::array();
  for (const Item& item : items)
    list.push_back(value(item));
  return list;
}

void fill(const Estimate& estimate, const Plan& plan, ordered_json& value) {
  const double ranks = world_size(plan.layout);
  const double step = estimate.step.count();
  value["estimator"] = word_of(kEstimatorWords, estimate.estimator);
  value["model"] = plan.model.id;
  value["cluster"] = plan.cluster.id;
  value["gpus"] = world_size(plan.layout);
  value["step_time_s"] = step;
  value["step_time_interval_s"] = {estimate.step_low.count(), estimate.step_high.count()};
  value["tokens_per_s"] = estimate.tokens_per_second;
  value["tokens_per_s_per_gpu"] = estimate.tokens_per_second / ranks;
  value["samples_per_s"] = step > 0.0 ? static_cast<double>(plan.job.global_batch) / step : 0.0;
  value["tflops_per_gpu_model"] = estimate.model_rate_per_device.count() * kPerTera;
  value["model_flops_per_s_per_gpu"] = estimate.model_rate_per_device.count();
  value["mfu"] = estimate.mfu;
  value["hfu"] = estimate.hfu;
  value["model_flops_per_step"] = estimate.model_flops.count();
  value["hardware_flops_per_step"] = estimate.hardware_flops.count();
  auto breakdown = ordered_json::object();
  for (std::size_t i = 0; i < kStepPartCount; ++i)
    breakdown[std::string(kStepPartWords[i])] = estimate.breakdown[i];
  value["breakdown_s"] = std::move(breakdown);
  value["stage_busy_s"] = counts(estimate.stage_busy);
  value["memory"] = memory_value(estimate.memory);
  value["bottleneck"] = estimate.bottleneck;
  value["what_ifs"] = list_value(estimate.what_ifs, what_if_value);
  value["advice"] = list_value(estimate.advice, advice_value);
  value["assumptions"] = estimate.assumptions;
  value["constants_origin"] = plan.constants.origin;
  if (estimate.timeline)
    value["timeline"] = timeline_value(*estimate.timeline);
}

}  // namespace

ordered_json estimate_value(const Estimate& estimate, const Plan& plan) {
  auto value = ordered_json::object();
  fill(estimate, plan, value);
  return value;
}

Estimate read_estimate(JsonObject& object) {
  Estimate estimate;
  for (const std::string_view derived : {"model", "cluster", "gpus", "tokens_per_s_per_gpu", "samples_per_s",
                                         "tflops_per_gpu_model", "constants_origin"})
    object.ignore(derived);
  estimate.estimator = object.choice<EstimatorKind>("estimator", kEstimatorWords);
  estimate.step = read_seconds(object, "step_time_s");
  read_interval(object, estimate);
  estimate.tokens_per_second = object.number("tokens_per_s", kNotNegative);
  estimate.model_rate_per_device = FlopsPerSecond(object.number("model_flops_per_s_per_gpu", kNotNegative));
  estimate.mfu = object.number("mfu", kNotNegative);
  estimate.hfu = object.number("hfu", kNotNegative);
  estimate.model_flops = Flops(object.number("model_flops_per_step", kNotNegative));
  estimate.hardware_flops = Flops(object.number("hardware_flops_per_step", kNotNegative));
  JsonObject breakdown = object.object("breakdown_s");
  for (std::size_t i = 0; i < kStepPartCount; ++i)
    estimate.breakdown[i] = breakdown.number(kStepPartWords[i]);
  breakdown.finish();
  for (const double busy : object.numbers("stage_busy_s"))
    estimate.stage_busy.emplace_back(busy);
  JsonObject memory = object.object("memory");
  estimate.memory = read_memory(memory);
  estimate.bottleneck = object.string("bottleneck");
  estimate.what_ifs = read_list(object, "what_ifs", read_what_if);
  estimate.advice = read_list(object, "advice", read_advice);
  estimate.assumptions = object.strings("assumptions");
  if (std::optional<JsonObject> timeline = object.optional_object("timeline"))
    estimate.timeline = read_timeline(*timeline);
  object.finish();
  return estimate;
}

std::string to_estimate_json(const Estimate& estimate, const Plan& plan) {
  ordered_json value{{"format", "trainwright/estimate/v1"}};
  fill(estimate, plan, value);
  return canonical_text(value);
}

std::optional<Estimate> estimate_from_json(std::string_view text, std::string source, Diagnostics& diagnostics) {
  return read_document(text, std::move(source), "estimate", diagnostics, read_estimate);
}

}  // namespace trainwright::model
