// SPDX-License-Identifier: Apache-2.0
#include "model/io/chrome_trace.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "model/base/contract.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

std::string json_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

// Nanoseconds are the finest a trace viewer shows.
std::string microseconds(Seconds time) {
  return format_fixed(time.count() * 1e6, 3);
}

/// Written as text piece by piece: a trace of a thousand ranks has millions of events, which as JSON values would take
/// several times the memory of the text.
class TraceWriter {
 public:
  explicit TraceWriter(const ExecutionGraph& graph) : graph_(graph) {}

  void describe(const RankTimeline& lane, const std::array<bool, kStreamCount>& used) {
    const std::string process = std::to_string(lane.rank.value());
    const StageId stage = graph_.program_of_rank(lane.rank).stage;
    std::string name = "rank " + process + ", stage " + std::to_string(stage.value());
    if (lane.represents > 1)
      name += " (stands for " + std::to_string(lane.represents) + " ranks)";
    event(R"({"ph": "M", "name": "process_name", "pid": )" + process + R"(, "args": {"name": )" + json_text(name) +
          "}}");
    event(R"({"ph": "M", "name": "process_sort_index", "pid": )" + process + R"(, "args": {"sort_index": )" + process +
          "}}");
    for (std::size_t stream = 0; stream < kStreamCount; ++stream)
      if (used[stream])
        event(R"({"ph": "M", "name": "thread_name", "pid": )" + process + R"(, "tid": )" + std::to_string(stream) +
              R"(, "args": {"name": )" + json_text(std::string(kStreamWords[stream])) + "}}");
  }

  void interval(RankId rank, const Interval& interval) {
    const Program& program = graph_.program_of_rank(rank);
    TRAINWRIGHT_EXPECTS(interval.task.index() < program.tasks.size(),
                        "task " + std::to_string(interval.task.value()) + " of rank " + std::to_string(rank.value()));
    const Task& task = program.tasks[interval.task.index()];
    event(R"({"ph": "X", "name": )" + json_text(std::string(kind_word(task))) + R"(, "cat": )" +
          json_text(std::string(to_word(task.phase.pass))) + R"(, "pid": )" + std::to_string(rank.value()) +
          R"(, "tid": )" + std::to_string(static_cast<std::size_t>(task.stream)) + R"(, "ts": )" +
          microseconds(interval.start) + R"(, "dur": )" + microseconds(interval.end - interval.start) +
          R"(, "args": {"task": )" + std::to_string(interval.task.value()) + R"(, "what": )" +
          json_text(to_text(task)) + "}}");
  }

  std::string finish(std::string_view title) {
    return "{\"displayTimeUnit\": \"ms\", \"otherData\": {\"title\": " + json_text(std::string(title)) +
           "},\n\"traceEvents\": [\n" + events_ + "\n]}\n";
  }

 private:
  void event(const std::string& text) { events_ += (events_.empty() ? "" : ",\n") + text; }

  const ExecutionGraph& graph_;
  std::string events_;
};

}  // namespace

std::string to_chrome_trace_json(const Timeline& timeline, const ExecutionGraph& graph, std::string_view title) {
  TraceWriter writer(graph);
  for (const RankTimeline& lane : timeline.ranks) {
    std::array<bool, kStreamCount> used{};
    const Program& program = graph.program_of_rank(lane.rank);
    for (const Interval& interval : lane.intervals)
      if (interval.task.index() < program.tasks.size())
        used[static_cast<std::size_t>(program.tasks[interval.task.index()].stream)] = true;
    writer.describe(lane, used);
    for (const Interval& interval : lane.intervals)
      writer.interval(lane.rank, interval);
  }
  return writer.finish(title);
}

}  // namespace trainwright::model
