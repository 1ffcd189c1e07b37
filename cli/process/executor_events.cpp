// SPDX-License-Identifier: Apache-2.0
#include "cli/process/executor_events.hpp"

#include <nlohmann/json.hpp>

#include "model/units/format.hpp"

namespace trainwright::cli {
namespace {

using Json = nlohmann::json;

std::optional<std::string> text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string())
    return std::nullopt;
  return found->get<std::string>();
}

std::optional<std::int64_t> integer_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer())
    return std::nullopt;
  return found->get<std::int64_t>();
}

std::optional<double> number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number())
    return std::nullopt;
  return found->get<double>();
}

}  // namespace

std::optional<ExecutorEvent> parse_event(const std::string& line) {
  const Json object = Json::parse(line, nullptr, false);
  if (!object.is_object())
    return std::nullopt;
  const std::optional<std::string> word = text_of(object, "event");
  if (!word)
    return std::nullopt;
  ExecutorEvent event;
  event.event = *word;
  event.phase = text_of(object, "phase");
  event.ranks = integer_of(object, "ranks");
  event.step = integer_of(object, "step");
  event.steps = integer_of(object, "steps");
  event.time_s = number_of(object, "time_s");
  event.fraction = number_of(object, "done");
  event.what = text_of(object, "what");
  for (const char* key : {"measurement", "out"})  // of `run` and of `measure`
    if (const auto path = text_of(object, key))
      event.measurement = *path;
  if (const auto path = text_of(object, "trace"))
    event.trace = *path;
  return event;
}

std::string progress_text(const ExecutorEvent& event, std::int64_t steps) {
  if (event.event == "phase" && event.phase)
    return *event.phase;
  if (event.event == "step" && event.step) {
    std::string text = "step " + std::to_string(*event.step);
    if (steps > 0)
      text += " of " + std::to_string(steps);
    if (event.time_s)
      text += ", " + model::format(model::Seconds(*event.time_s));
    return text;
  }
  if (event.event == "progress") {
    std::string text = event.what.value_or("measuring");
    if (event.fraction)
      text += " " + model::format_fixed(100.0 * *event.fraction, 0) + " %";
    return text;
  }
  return {};
}

}  // namespace trainwright::cli
