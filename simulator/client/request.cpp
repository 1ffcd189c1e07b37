// SPDX-License-Identifier: Apache-2.0
#include "simulator/client/request.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "model/io/json_reader.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::simulator {
namespace {

constexpr std::array<std::pair<std::string_view, model::EstimatorKind>, 2> kSimulatedWords{
    {{"folded", model::EstimatorKind::folded}, {"full", model::EstimatorKind::full}}};

constexpr std::array<std::pair<std::string_view, int>, 5> kContextWords{
    {{"default", 0}, {"raw", 1}, {"boost", 2}, {"ucontext", 3}, {"thread", 4}}};

std::string_view word_of(model::EstimatorKind kind) {
  return kind == model::EstimatorKind::full ? "full" : "folded";
}

EngineSettings read_engine(model::JsonObject& object) {
  EngineSettings engine;
  engine.time_precision_s = object.number("time_precision_s", {1e-15, 1e-3});
  engine.sharing_precision = object.number("sharing_precision", {1e-15, 1e-3});
  engine.stack_kib = static_cast<int>(object.integer("stack_kib", {16, 1 << 16}));
  const auto context = object.choice<int>("contexts", kContextWords);
  if (context > 0)
    engine.context_factory = kContextWords[static_cast<std::size_t>(context)].first;
  engine.fuse = object.boolean("fuse");
  object.finish();
  return engine;
}

}  // namespace

std::string to_request_json(const SimulationRequest& request) {
  nlohmann::ordered_json slowdowns = nlohmann::ordered_json::array();
  for (const RankSlowdown& slowdown : request.slowdowns)
    slowdowns.push_back({{"rank", slowdown.rank.value()}, {"factor", slowdown.factor}});
  const nlohmann::ordered_json document{
      {"format", "trainwright/simulation_request/v1"},
      {"estimator", word_of(request.estimator)},
      {"keep_timeline", request.keep_timeline},
      {"timeline_ranks", request.timeline_ranks},
      {"slowdowns", std::move(slowdowns)},
      {"engine",
       {{"time_precision_s", request.engine.time_precision_s},
        {"sharing_precision", request.engine.sharing_precision},
        {"stack_kib", request.engine.stack_kib},
        {"contexts", request.engine.context_factory.empty() ? "default" : request.engine.context_factory},
        {"fuse", request.engine.fuse}}},
      {"plan", model::plan_value(request.plan)}};
  return document.dump() + "\n";
}

SimulationRequest request_from_json(std::string_view text, const std::string& source, model::Diagnostics& diagnostics) {
  SimulationRequest request;
  const std::optional<model::JsonDocument> document = model::JsonDocument::parse(text, source, diagnostics);
  if (!document)
    return request;
  model::JsonObject root = document->root(diagnostics);
  if (!model::check_format(root, "simulation_request"))
    return request;
  request.estimator = root.choice<model::EstimatorKind>("estimator", kSimulatedWords);
  request.keep_timeline = root.boolean("keep_timeline");
  request.timeline_ranks = static_cast<int>(root.integer("timeline_ranks", {1, 1 << 20}));
  for (model::JsonObject& slowdown : root.objects("slowdowns")) {
    request.slowdowns.push_back({model::RankId(static_cast<std::int32_t>(slowdown.integer("rank", {0, 1 << 24}))),
                                 slowdown.number("factor", {1e-3, 1e6})});
    slowdown.finish();
  }
  model::JsonObject engine = root.object("engine");
  request.engine = read_engine(engine);
  model::JsonObject plan = root.object("plan");
  request.plan = model::read_plan(plan);
  root.finish();
  return request;
}

}  // namespace trainwright::simulator
