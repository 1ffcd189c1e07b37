// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/report.hpp"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/io/estimate_v1.hpp"
#include "model/io/json_reader.hpp"
#include "model/io/json_writer.hpp"

namespace trainwright::simulator {
namespace {

using nlohmann::ordered_json;

constexpr model::Range<double> kNotNegative{0.0, std::numeric_limits<double>::max()};
// Rounding may leave a part of the step just below nothing.
constexpr model::Range<double> kPart{-1e-6, std::numeric_limits<double>::max()};
constexpr std::int64_t kMaxCount = std::int64_t{1} << 60;

using CountField = std::pair<std::string_view, std::int64_t SimulationCounts::*>;
constexpr std::array<CountField, 6> kCounts{{{"ranks", &SimulationCounts::ranks},
                                             {"simulated_ranks", &SimulationCounts::simulated_ranks},
                                             {"tasks", &SimulationCounts::tasks},
                                             {"items", &SimulationCounts::items},
                                             {"actors", &SimulationCounts::actors},
                                             {"flows", &SimulationCounts::flows}}};

void read(model::JsonObject& root, SimulationReport& report) {
  report.estimator = root.choice<model::EstimatorKind>("estimator", model::kEstimatorWords);
  report.step = model::Seconds(root.number("step_time_s", kNotNegative));
  model::JsonObject breakdown = root.object("breakdown_s");
  for (std::size_t i = 0; i < model::kStepPartCount; ++i)
    report.breakdown[i] = breakdown.number(model::kStepPartWords[i], kPart);
  breakdown.finish();
  for (const double seconds : root.numbers("stage_busy_s"))
    report.stage_busy.emplace_back(seconds);
  report.assumptions = root.strings("assumptions");
  model::JsonObject counts = root.object("counts");
  for (const auto& [key, field] : kCounts)
    report.counts.*field = counts.integer(key, {0, kMaxCount});
  counts.finish();
  report.engine = root.string("engine");
  model::JsonObject settings = root.object("settings");
  for (const std::string& key : settings.keys())
    report.settings.emplace_back(key, settings.string(key));
  if (std::optional<model::JsonObject> timeline = root.optional_object("timeline"))
    report.timeline = model::read_timeline(*timeline);
  root.finish();
}

}  // namespace

std::string to_report_json(const SimulationReport& report) {
  ordered_json breakdown = ordered_json::object();
  for (std::size_t i = 0; i < model::kStepPartCount; ++i)
    breakdown[std::string(model::kStepPartWords[i])] = report.breakdown[i];
  ordered_json busy = ordered_json::array();
  for (const model::Seconds seconds : report.stage_busy)
    busy.push_back(seconds.count());
  ordered_json counts = ordered_json::object();
  for (const auto& [key, field] : kCounts)
    counts[std::string(key)] = report.counts.*field;
  ordered_json settings = ordered_json::object();
  for (const auto& [key, value] : report.settings)
    settings[key] = value;
  ordered_json document{{"format", "trainwright/simulation_report/v1"},
                        {"estimator", model::word_of(model::kEstimatorWords, report.estimator)},
                        {"step_time_s", report.step.count()},
                        {"breakdown_s", std::move(breakdown)},
                        {"stage_busy_s", std::move(busy)},
                        {"assumptions", report.assumptions},
                        {"counts", std::move(counts)},
                        {"engine", report.engine},
                        {"settings", std::move(settings)}};
  if (report.timeline)
    document["timeline"] = model::timeline_value(*report.timeline);
  return model::canonical_text(document);
}

SimulationReport report_from_json(std::string_view text, const std::string& source, model::Diagnostics& diagnostics) {
  SimulationReport report;
  const std::optional<model::JsonDocument> document = model::JsonDocument::parse(text, source, diagnostics);
  if (!document)
    return report;
  model::JsonObject root = document->root(diagnostics);
  if (model::check_format(root, "simulation_report"))
    read(root, report);
  return report;
}

}  // namespace trainwright::simulator
