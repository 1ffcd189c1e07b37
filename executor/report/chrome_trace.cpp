// SPDX-License-Identifier: Apache-2.0
#include "executor/report/chrome_trace.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace trainwright::executor {
namespace {

using Json = nlohmann::ordered_json;

double microseconds(SteadyNs duration) {
  return static_cast<double>(duration) / 1e3;
}

Json name_event(const char* kind, int rank, std::size_t stream, const std::string& name) {
  return {{"ph", "M"}, {"name", kind}, {"pid", rank}, {"tid", stream}, {"args", {{"name", name}}}};
}

}  // namespace

std::string to_chrome_trace(const model::ExecutionGraph& graph, const LaunchResult& result, std::size_t max_events) {
  const auto per_step = static_cast<std::size_t>(std::max<std::int64_t>(graph.task_count(), 1));
  const auto kept = static_cast<std::int64_t>(std::max<std::size_t>(max_events / per_step, 1));
  const std::int64_t first = std::max<std::int64_t>(result.steps - kept, 0);
  const SteadyNs origin = result.reports.front().front().common_start;

  Json events = Json::array();
  for (int rank = 0; rank < graph.rank_count(); ++rank) {
    const model::Program& program = graph.program_of_rank(model::RankId(rank));
    events.push_back(name_event("process_name", rank, 0, "rank " + std::to_string(rank)));
    for (std::size_t stream = 0; stream < model::kStreamCount; ++stream)
      events.push_back(name_event("thread_name", rank, stream, std::string(model::kStreamWords[stream])));
    std::vector<std::string> texts;
    for (const model::Task& task : program.tasks)
      texts.push_back(to_text(task));
    for (std::int64_t s = first; s < result.steps; ++s) {
      const StepReport& step = result.reports[static_cast<std::size_t>(rank)][static_cast<std::size_t>(s)];
      for (std::size_t i = 0; i < step.tasks.size(); ++i)
        events.push_back({{"ph", "X"},
                          {"name", kind_word(program.tasks[i])},
                          {"pid", rank},
                          {"tid", static_cast<int>(program.tasks[i].stream)},
                          {"ts", microseconds(step.tasks[i].start - origin)},
                          {"dur", microseconds(step.tasks[i].end - step.tasks[i].start)},
                          {"args", {{"what", texts[i]}, {"task", i}, {"step", s}}}});
    }
  }
  const Json trace{{"traceEvents", std::move(events)},
                   {"displayTimeUnit", "ms"},
                   {"otherData", {{"steps", result.steps}, {"steps_left_out", first}}}};
  return trace.dump();
}

}  // namespace trainwright::executor
