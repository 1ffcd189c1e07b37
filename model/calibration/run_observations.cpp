// SPDX-License-Identifier: Apache-2.0
#include "model/calibration/run_observations.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace trainwright::model {

double median_of(std::vector<double> values) {
  if (values.empty())
    return 0.0;
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

namespace {

constexpr double kDisturbedShare = 0.1;  // of a compute task beside communication

struct Span {
  double start = 0.0;
  double end = 0.0;
};

bool is_communication(const Task& task) {
  return std::holds_alternative<CollectiveWork>(task.work) || std::holds_alternative<TransferWork>(task.work);
}

class Observer {
 public:
  explicit Observer(const ExecutedRun& run) : run_(run), graph_(build_execution_graph(run.plan)) {
    for (std::size_t rank = 0; rank < run.tasks.size(); ++rank) {
      const std::size_t tasks = graph_.program_of_rank(RankId(rank)).tasks.size();
      spans_.emplace_back(tasks);
      for (const TaskRecord& record : run.tasks[rank]) {
        if (record.task.index() >= tasks || record.start_s.empty() || record.duration_s.empty())
          continue;
        const double start = median_of(record.start_s);
        spans_[rank][record.task.index()] = {start, start + median_of(record.duration_s)};
      }
    }
  }

  RunObservations run() {
    RunObservations result;
    observe_compute(result);
    observe_collectives(result);
    observe_transfers(result);
    return result;
  }

 private:
  // Equal work in the same pass counts as one observation, wherever in the step it was done.
  static std::string key(const Task& task) {
    Task bare = task;
    bare.phase.layer_begin = bare.phase.layer_end = bare.phase.micro_batch = -1;
    return to_text(bare);
  }

  [[nodiscard]] double communication_beside(std::size_t rank, const Span& span) const {
    const Program& program = graph_.program_of_rank(RankId(rank));
    double beside = 0.0;
    for (std::size_t i = 0; i < program.tasks.size(); ++i)
      if (is_communication(program.tasks[i]) && !is_waiting(program.tasks[i]))
        beside += std::max(0.0, std::min(span.end, spans_[rank][i].end) - std::max(span.start, spans_[rank][i].start));
    return beside;
  }

  // A posted receive waits for its message most of the time and takes nothing from the core.
  static bool is_waiting(const Task& task) {
    const auto* transfer = std::get_if<TransferWork>(&task.work);
    return transfer != nullptr && !transfer->is_send;
  }

  void observe_compute(RunObservations& result) {
    std::map<std::string, std::pair<Task, std::vector<double>>> seen;
    std::vector<double> gaps;
    for (std::size_t rank = 0; rank < spans_.size(); ++rank) {
      const Program& program = graph_.program_of_rank(RankId(rank));
      std::set<TaskId> waiting;
      for (const Dependency& d : program.dependencies)
        waiting.insert(d.after);
      double previous_end = -1.0;
      for (std::size_t i = 0; i < program.tasks.size(); ++i) {
        const Task& task = program.tasks[i];
        const Span& span = spans_[rank][i];
        if (task.stream != Stream::compute || span.end <= span.start)
          continue;
        if (previous_end >= 0.0 && waiting.count(TaskId(i)) == 0)
          gaps.push_back(std::max(0.0, span.start - previous_end));
        previous_end = span.end;
        if (communication_beside(rank, span) > kDisturbedShare * (span.end - span.start))
          continue;
        auto& [sample, durations] = seen[key(task)];
        sample = task;
        durations.push_back(span.end - span.start);
      }
    }
    double total = 0.0;
    for (const auto& [name, entry] : seen)
      total += median_of(entry.second) * static_cast<double>(entry.second.size());
    for (const auto& [name, entry] : seen) {
      const double median = median_of(entry.second);
      result.compute.push_back({entry.first, median, median * static_cast<double>(entry.second.size()) / total});
    }
    result.dispatch_s = median_of(gaps);
  }

  // A collective's own time is what the last rank to arrive sees: the shortest of its members' durations.
  void observe_collectives(RunObservations& result) {
    std::map<std::tuple<GroupAxis, Stream, RankId, std::size_t>, std::vector<double>> meetings;
    std::map<std::string, std::pair<CollectiveObservation, std::vector<double>>> seen;
    std::map<std::tuple<GroupAxis, Stream, RankId, std::size_t>, CollectiveWork> works;
    for (std::size_t rank = 0; rank < spans_.size(); ++rank) {
      const Program& program = graph_.program_of_rank(RankId(rank));
      std::map<std::pair<GroupAxis, Stream>, std::size_t> position;
      for (std::size_t i = 0; i < program.tasks.size(); ++i) {
        const auto* work = std::get_if<CollectiveWork>(&program.tasks[i].work);
        if (work == nullptr)
          continue;
        const Stream stream = program.tasks[i].stream;
        const std::tuple key{work->axis, stream, graph_.placement().group(RankId(rank), work->axis).front(),
                             position[{work->axis, stream}]++};
        if (compute_beside(rank, spans_[rank][i]) > kDisturbedShare * (spans_[rank][i].end - spans_[rank][i].start))
          continue;
        meetings[key].push_back(spans_[rank][i].end - spans_[rank][i].start);
        works[key] = *work;
      }
    }
    for (const auto& [key, durations] : meetings) {
      const auto& [axis, stream, first, position] = key;
      if (durations.size() != graph_.placement().group(first, axis).size())
        continue;
      const CollectiveWork& work = works[key];
      const std::string name =
          std::string(to_word(work.kind)) + std::string(to_word(axis)) + std::to_string(work.bytes.count());
      auto& [observation, list] = seen[name];
      observation = {work, group_shape(graph_.placement(), run_.plan.cluster, axis, first), 0.0};
      list.push_back(*std::min_element(durations.begin(), durations.end()));
    }
    for (auto& [name, entry] : seen) {
      entry.first.median_s = median_of(entry.second);
      if (entry.first.median_s > 0.0 && entry.first.shape.ranks > 1)
        result.collectives.push_back(entry.first);
    }
  }

  [[nodiscard]] double compute_beside(std::size_t rank, const Span& span) const {
    const Program& program = graph_.program_of_rank(RankId(rank));
    double beside = 0.0;
    for (std::size_t i = 0; i < program.tasks.size(); ++i)
      if (program.tasks[i].stream == Stream::compute)
        beside += std::max(0.0, std::min(span.end, spans_[rank][i].end) - std::max(span.start, spans_[rank][i].start));
    return beside;
  }

  // From the later of both starts to the end of the receive.
  void observe_transfers(RunObservations& result) {
    using Key = std::tuple<RankId, RankId, std::int32_t>;
    std::map<Key, double> send_starts;
    std::map<std::pair<std::int64_t, bool>, std::vector<double>> seen;
    for (const bool sends : {true, false})
      for (std::size_t rank = 0; rank < spans_.size(); ++rank) {
        const Program& program = graph_.program_of_rank(RankId(rank));
        for (std::size_t i = 0; i < program.tasks.size(); ++i) {
          const auto* work = std::get_if<TransferWork>(&program.tasks[i].work);
          if (work == nullptr || work->is_send != sends)
            continue;
          const RankId here(rank);
          const RankId peer = graph_.placement().at_stage(here, work->peer);
          if (sends) {
            send_starts[{here, peer, work->tag}] = spans_[rank][i].start;
            continue;
          }
          const auto found = send_starts.find({peer, here, work->tag});
          if (found == send_starts.end())
            continue;
          const double duration = spans_[rank][i].end - std::max(found->second, spans_[rank][i].start);
          const Cluster& cluster = run_.plan.cluster;
          const bool same_node = link_domain_of(cluster, graph_.placement().device(here)) ==
                                 link_domain_of(cluster, graph_.placement().device(peer));
          if (duration > 0.0)
            seen[{work->bytes.count(), same_node}].push_back(duration);
        }
      }
    for (const auto& [key, durations] : seen)
      result.transfers.push_back({ByteCount(key.first), key.second, median_of(durations)});
  }

  const ExecutedRun& run_;
  ExecutionGraph graph_;
  std::vector<std::vector<Span>> spans_;  // by rank and task; medians over the steps
};

}  // namespace

RunObservations observe(const ExecutedRun& run) {
  return Observer(run).run();
}

}  // namespace trainwright::model
