// SPDX-License-Identifier: Apache-2.0
#include "model/io/measurement_v1.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/io/document.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kMaxCount = 1L << 60;
constexpr int kMaxRanks = 10'000'000;
constexpr double kMaxSeconds = 1e9;

constexpr std::array<std::pair<std::string_view, CollectiveKind>, 6> kKindWords{
    {{kCollectiveWords[0], CollectiveKind::all_reduce},
     {kCollectiveWords[1], CollectiveKind::all_gather},
     {kCollectiveWords[2], CollectiveKind::reduce_scatter},
     {kCollectiveWords[3], CollectiveKind::broadcast},
     {kCollectiveWords[4], CollectiveKind::reduce},
     {kCollectiveWords[5], CollectiveKind::all_to_all}}};

constexpr std::array<std::pair<std::string_view, bool>, 2> kDirectionWords{{{"read", false}, {"write", true}}};

// The keys of a sample summary stand beside those of the point it belongs to.
void add_summary(ordered_json& value, const SampleSummary& time) {
  value["samples"] = time.count;
  value["invalid"] = time.invalid;
  value["median_s"] = time.median_s;
  value["min_s"] = time.min_s;
  value["max_s"] = time.max_s;
  value["noise"] = time.noise;
  value["converged"] = time.converged;
}

SampleSummary read_summary(JsonObject& object) {
  SampleSummary time;
  const ProblemWatch watch(object);
  time.count = object.integer("samples", {1, kMaxCount});
  time.invalid = object.integer("invalid", {0, kMaxCount});
  time.median_s = object.number("median_s", {0.0, kMaxSeconds});
  time.min_s = object.number("min_s", {0.0, kMaxSeconds});
  time.max_s = object.number("max_s", {0.0, kMaxSeconds});
  time.noise = object.number("noise", {0.0, kMaxSeconds});
  time.converged = object.boolean("converged");
  if (watch.is_clean() && (time.min_s > time.median_s || time.median_s > time.max_s))
    object.add_error("median_s", "is not between \"min_s\" and \"max_s\"",
                     "the file was changed by hand or is damaged");
  return time;
}

SampleSummary read_summary_of(JsonObject& object, std::string_view key) {
  JsonObject inner = object.object(key);
  SampleSummary time = read_summary(inner);
  inner.finish();
  return time;
}

template <class Point, class Read>
std::vector<Point> read_points(JsonObject& object, std::string_view key, Read read) {
  std::vector<Point> points;
  for (JsonObject& item : optional_objects(object, key)) {
    points.push_back(read(item));
    item.finish();
  }
  return points;
}

template <class Point, class Value>
ordered_json list_value(const std::vector<Point>& points, Value value) {
  auto list = ordered_json::array();
  for (const Point& point : points)
    list.push_back(value(point));
  return list;
}

ordered_json gemm_value(const GemmPoint& point) {
  ordered_json value{{"m", point.work.m},
                     {"n", point.work.n},
                     {"k", point.work.k},
                     {"batch", point.work.batch},
                     {"precision", to_word(point.work.precision)},
                     {"ranks", point.ranks}};
  add_summary(value, point.time);
  return value;
}

GemmPoint read_gemm(JsonObject& object) {
  GemmPoint point;
  point.work.m = object.integer("m", {1, kMaxCount});
  point.work.n = object.integer("n", {1, kMaxCount});
  point.work.k = object.integer("k", {1, kMaxCount});
  point.work.batch = object.integer("batch", {1, kMaxCount});
  point.work.precision = object.choice<Precision>("precision", kPrecisionWords);
  point.ranks = read_int(object, "ranks", 1, kMaxRanks);
  point.time = read_summary(object);
  return point;
}

ordered_json memory_value(const MemoryPoint& point) {
  ordered_json value{{"bytes", point.bytes}, {"ranks", point.ranks}};
  add_summary(value, point.time);
  return value;
}

MemoryPoint read_memory(JsonObject& object) {
  MemoryPoint point;
  point.bytes = object.integer("bytes", {1, kMaxCount});
  point.ranks = read_int(object, "ranks", 1, kMaxRanks);
  point.time = read_summary(object);
  return point;
}

ordered_json collective_value(const CollectivePoint& point) {
  ordered_json value{
      {"kind", to_word(point.kind)}, {"ranks", point.ranks}, {"nodes", point.nodes}, {"bytes", point.bytes}};
  add_summary(value, point.time);
  return value;
}

CollectivePoint read_collective(JsonObject& object) {
  CollectivePoint point;
  const ProblemWatch watch(object);
  point.kind = object.choice<CollectiveKind>("kind", kKindWords);
  point.ranks = read_int(object, "ranks", 1, kMaxRanks);
  point.nodes = read_int(object, "nodes", 1, kMaxRanks);
  if (watch.is_clean() && point.nodes > point.ranks)
    object.add_error("nodes", "is " + std::to_string(point.nodes),
                     "at most the number of ranks, " + std::to_string(point.ranks));
  point.bytes = object.integer("bytes", {1, kMaxCount});
  point.time = read_summary(object);
  return point;
}

ordered_json transfer_value(const TransferPoint& point) {
  ordered_json value{{"bytes", point.bytes}, {"nodes", point.nodes}};
  add_summary(value, point.time);
  return value;
}

TransferPoint read_transfer(JsonObject& object) {
  TransferPoint point;
  point.bytes = object.integer("bytes", {1, kMaxCount});
  point.nodes = read_int(object, "nodes", 1, 2);
  point.time = read_summary(object);
  return point;
}

ordered_json storage_value(const StoragePoint& point) {
  ordered_json value{{"direction", word_of(kDirectionWords, point.is_write)}, {"bytes", point.bytes}};
  add_summary(value, point.time);
  return value;
}

StoragePoint read_storage(JsonObject& object) {
  StoragePoint point;
  point.is_write = object.choice<bool>("direction", kDirectionWords);
  point.bytes = object.integer("bytes", {1, kMaxCount});
  point.time = read_summary(object);
  return point;
}

ordered_json interference_value(const InterferencePoint& point) {
  auto alone = ordered_json::object();
  add_summary(alone, point.alone);
  auto beside = ordered_json::object();
  add_summary(beside, point.beside_communication);
  return {{"alone", std::move(alone)}, {"beside_communication", std::move(beside)}};
}

InterferencePoint read_interference(JsonObject& object) {
  return {read_summary_of(object, "alone"), read_summary_of(object, "beside_communication")};
}

ordered_json rank_value(const std::vector<TaskRecord>& tasks) {
  return {{"tasks", list_value(tasks, [](const TaskRecord& record) -> ordered_json {
             return {{"task", record.task.value()}, {"start_s", record.start_s}, {"duration_s", record.duration_s}};
           })}};
}

bool all_in(const std::vector<double>& numbers, double min, double max) {
  return std::all_of(numbers.begin(), numbers.end(), [&](double number) { return number >= min && number <= max; });
}

std::vector<double> read_times(JsonObject& object, std::string_view key) {
  std::vector<double> times = object.numbers(key);
  if (!all_in(times, 0.0, kMaxSeconds))
    object.add_error(key,
                     "holds a time below 0 or above " + std::to_string(static_cast<std::int64_t>(kMaxSeconds)) + " s");
  return times;
}

TaskRecord read_task(JsonObject& object) {
  TaskRecord record;
  const ProblemWatch watch(object);
  record.task = TaskId(read_int(object, "task", 0, std::numeric_limits<std::int32_t>::max()));
  record.start_s = read_times(object, "start_s");
  record.duration_s = read_times(object, "duration_s");
  if (watch.is_clean() && record.start_s.size() != record.duration_s.size())
    object.add_error("duration_s",
                     "has " + std::to_string(record.duration_s.size()) + " entries, \"start_s\" has " +
                         std::to_string(record.start_s.size()),
                     "both have one for each measured step");
  return record;
}

ordered_json run_value(const ExecutedRun& run) {
  return {{"name", run.name},
          {"modes", run.modes},
          {"step_s", run.step_s},
          {"peak_memory_bytes", run.peak_memory_bytes},
          {"ranks", list_value(run.tasks, rank_value)},
          {"plan", plan_value(run.plan)}};
}

ExecutedRun read_run(JsonObject& object) {
  ExecutedRun run;
  run.name = object.string("name");
  run.modes = optional_strings(object, "modes");
  run.step_s = read_times(object, "step_s");
  run.peak_memory_bytes = object.integers("peak_memory_bytes", {0, kMaxCount});
  run.tasks = read_points<std::vector<TaskRecord>>(
      object, "ranks", [](JsonObject& rank) { return read_points<TaskRecord>(rank, "tasks", read_task); });
  JsonObject plan = object.object("plan");
  run.plan = read_plan(plan);
  return run;
}

Measurement read_measurement(JsonObject& object) {
  Measurement measurement;
  JsonObject environment = object.object("environment");
  measurement.environment = read_environment(environment);
  measurement.partial = object.optional_boolean("partial").value_or(false);
  measurement.notes = optional_strings(object, "notes");
  measurement.gemm = read_points<GemmPoint>(object, "gemm", read_gemm);
  measurement.memory = read_points<MemoryPoint>(object, "memory", read_memory);
  measurement.collectives = read_points<CollectivePoint>(object, "collectives", read_collective);
  measurement.transfers = read_points<TransferPoint>(object, "transfers", read_transfer);
  measurement.storage = read_points<StoragePoint>(object, "storage", read_storage);
  measurement.interference = read_points<InterferencePoint>(object, "interference", read_interference);
  measurement.runs = read_points<ExecutedRun>(object, "runs", read_run);
  object.finish();
  return measurement;
}

}  // namespace

ordered_json environment_value(const Environment& environment) {
  ordered_json value{{"host", environment.host},
                     {"date", environment.date},
                     {"processor", environment.processor},
                     {"cores", environment.cores},
                     {"memory_bytes", environment.memory_bytes},
                     {"backend", environment.backend},
                     {"versions", list_value(environment.versions,
                                             [](const auto& version) -> ordered_json {
                                               return {{"library", version.first}, {"version", version.second}};
                                             })},
                     {"command", environment.command}};
  if (environment.power_limit_watts)
    value["power_limit_watts"] = *environment.power_limit_watts;
  if (environment.clock_mhz)
    value["clock_mhz"] = *environment.clock_mhz;
  return value;
}

Environment read_environment(JsonObject& object) {
  Environment environment;
  environment.host = object.string("host");
  environment.date = object.string("date");
  environment.processor = object.string("processor");
  environment.cores = read_int(object, "cores", 0, std::numeric_limits<int>::max());
  environment.memory_bytes = object.integer("memory_bytes", {0, kMaxCount});
  environment.backend = object.string("backend");
  for (JsonObject& item : optional_objects(object, "versions")) {
    std::string library = item.string("library");
    environment.versions.emplace_back(std::move(library), item.string("version"));
    item.finish();
  }
  environment.command = object.string("command");
  environment.power_limit_watts = object.optional_number("power_limit_watts", {0.0, kMaxSeconds});
  environment.clock_mhz = object.optional_number("clock_mhz", {0.0, kMaxSeconds});
  object.finish();
  return environment;
}

std::string to_measurement_json(const Measurement& measurement) {
  ordered_json value{{"format", "trainwright/measurement/v1"}};
  value["environment"] = environment_value(measurement.environment);
  value["partial"] = measurement.partial;
  value["notes"] = measurement.notes;
  value["gemm"] = list_value(measurement.gemm, gemm_value);
  value["memory"] = list_value(measurement.memory, memory_value);
  value["collectives"] = list_value(measurement.collectives, collective_value);
  value["transfers"] = list_value(measurement.transfers, transfer_value);
  value["storage"] = list_value(measurement.storage, storage_value);
  value["interference"] = list_value(measurement.interference, interference_value);
  value["runs"] = list_value(measurement.runs, run_value);
  return canonical_text(value);
}

std::optional<Measurement> measurement_from_json(std::string_view text, std::string source, Diagnostics& diagnostics) {
  return read_document(text, std::move(source), "measurement", diagnostics, read_measurement);
}

}  // namespace trainwright::model
