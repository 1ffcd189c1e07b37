// SPDX-License-Identifier: Apache-2.0
#include "model/graph/execution_graph.hpp"

#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <map>
#include <set>
#include <tuple>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

// The ranks whose programs, put together, hold every kind of meeting there is. When all ranks of a stage share one
// program, one pipeline stands for all: a collective over equal programs is matched by construction.
std::vector<RankId> ranks_to_check(const ExecutionGraph& graph) {
  std::map<StageId, std::set<ProgramId>> programs_of_stage;
  for (int r = 0; r < graph.rank_count(); ++r)
    programs_of_stage[graph.placement().stage(RankId(r))].insert(graph.program_of(RankId(r)));
  bool symmetric = true;
  for (const auto& [stage, programs] : programs_of_stage)
    symmetric = symmetric && programs.size() == 1;
  if (symmetric)
    return graph.placement().group(RankId(0), GroupAxis::pipeline);
  std::vector<RankId> all;
  for (int r = 0; r < graph.rank_count(); ++r)
    all.push_back(RankId(r));
  return all;
}

class Checker {
 public:
  explicit Checker(const ExecutionGraph& graph) : graph_(graph), ranks_(ranks_to_check(graph)) {
    for (const RankId rank : ranks_) {
      first_vertex_[rank] = boost::num_vertices(precedence_);
      for (std::size_t i = 0; i < graph_.program_of_rank(rank).tasks.size(); ++i)
        boost::add_vertex(precedence_);
    }
    predecessors_.resize(boost::num_vertices(precedence_));
  }

  std::vector<std::string> run() {
    for (const RankId rank : ranks_)
      add_order(rank);
    match_messages();
    match_collectives();
    for (std::size_t v = 0; v < predecessors_.size(); ++v)
      for (const std::size_t before : predecessors_[v])
        boost::add_edge(before, v, precedence_);
    find_cycles();
    return std::move(problems_);
  }

 private:
  std::size_t vertex(RankId rank, std::size_t task) { return first_vertex_[rank] + task; }
  std::string name(RankId rank, std::size_t task) {
    return "rank " + std::to_string(rank.value()) + ": " + to_text(graph_.program_of_rank(rank).tasks[task]);
  }

  void add_order(RankId rank) {
    const Program& program = graph_.program_of_rank(rank);
    std::array<std::int64_t, kStreamCount> last;
    last.fill(-1);
    for (std::size_t i = 0; i < program.tasks.size(); ++i) {
      std::int64_t& previous = last[static_cast<std::size_t>(program.tasks[i].stream)];
      if (previous >= 0)
        predecessors_[vertex(rank, i)].push_back(vertex(rank, static_cast<std::size_t>(previous)));
      previous = static_cast<std::int64_t>(i);
    }
    for (const Dependency& d : program.dependencies) {
      if (d.before.index() >= program.tasks.size() || d.after.index() >= program.tasks.size()) {
        problems_.push_back("rank " + std::to_string(rank.value()) + ": a dependency names task " +
                            std::to_string(std::max(d.before, d.after).value()) + " of " +
                            std::to_string(program.tasks.size()));
        continue;
      }
      predecessors_[vertex(rank, d.after.index())].push_back(vertex(rank, d.before.index()));
    }
  }

  void match_messages() {
    // (from, to, tag) -> vertices of sends and receives, in order
    using Key = std::tuple<RankId, RankId, std::int32_t, Stream>;
    std::map<Key, std::vector<std::pair<RankId, std::size_t>>> sends;
    std::map<Key, std::vector<std::pair<RankId, std::size_t>>> receives;
    for (const RankId rank : ranks_) {
      const Program& program = graph_.program_of_rank(rank);
      for (std::size_t i = 0; i < program.tasks.size(); ++i) {
        const auto* transfer = std::get_if<TransferWork>(&program.tasks[i].work);
        if (transfer == nullptr)
          continue;
        const RankId peer = graph_.placement().at_stage(rank, transfer->peer);
        const Stream stream = program.tasks[i].stream;
        if (transfer->is_send)
          sends[{rank, peer, transfer->tag, stream}].emplace_back(rank, i);
        else
          receives[{peer, rank, transfer->tag,
                    stream == Stream::receive_forward ? Stream::send_forward : Stream::send_backward}]
              .emplace_back(rank, i);
      }
    }
    for (const auto& [key, list] : sends) {
      const auto found = receives.find(key);
      const std::size_t matched = found == receives.end() ? 0 : found->second.size();
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (i >= matched) {
          problems_.push_back(name(list[i].first, list[i].second) + " is never received");
          continue;
        }
        const auto& [to, task] = found->second[i];
        for (const std::size_t before : predecessors_[vertex(list[i].first, list[i].second)])
          predecessors_[vertex(to, task)].push_back(before);
      }
    }
    for (const auto& [key, list] : receives) {
      const auto found = sends.find(key);
      const std::size_t matched = found == sends.end() ? 0 : found->second.size();
      for (std::size_t i = matched; i < list.size(); ++i)
        problems_.push_back(name(list[i].first, list[i].second) + " is never sent");
    }
  }

  void match_collectives() {
    // group (by its first rank), axis, stream, position -> members that reach it
    using Key = std::tuple<GroupAxis, Stream, RankId, std::size_t>;
    std::map<Key, std::vector<std::pair<RankId, std::size_t>>> meetings;
    const std::set<RankId> checked(ranks_.begin(), ranks_.end());
    for (const RankId rank : ranks_) {
      const Program& program = graph_.program_of_rank(rank);
      std::map<std::pair<GroupAxis, Stream>, std::size_t> position;
      for (std::size_t i = 0; i < program.tasks.size(); ++i)
        if (const auto* work = std::get_if<CollectiveWork>(&program.tasks[i].work)) {
          const Stream stream = program.tasks[i].stream;
          const RankId first = graph_.placement().group(rank, work->axis).front();
          meetings[{work->axis, stream, first, position[{work->axis, stream}]++}].emplace_back(rank, i);
        }
    }
    for (const auto& [key, members] : meetings) {
      const auto& [first_rank, first_task] = members.front();
      const auto& first_work = std::get<CollectiveWork>(graph_.program_of_rank(first_rank).tasks[first_task].work);
      std::size_t expected = 0;
      for (const RankId rank : graph_.placement().group(first_rank, first_work.axis))
        expected += checked.count(rank);
      if (members.size() != expected)
        problems_.push_back(name(first_rank, first_task) + " is reached by " + std::to_string(members.size()) + " of " +
                            std::to_string(expected) + " ranks");
      std::vector<std::size_t> arrivals;
      for (const auto& [rank, task] : members) {
        const auto& work = std::get<CollectiveWork>(graph_.program_of_rank(rank).tasks[task].work);
        if (work.kind != first_work.kind || work.bytes != first_work.bytes)
          problems_.push_back(name(rank, task) + " meets " + name(first_rank, first_task));
        const auto& before = predecessors_[vertex(rank, task)];
        arrivals.insert(arrivals.end(), before.begin(), before.end());
      }
      for (const auto& [rank, task] : members)
        predecessors_[vertex(rank, task)] = arrivals;
    }
  }

  void find_cycles() {
    std::vector<std::size_t> component(boost::num_vertices(precedence_));
    const std::size_t count = boost::strong_components(
        precedence_,
        boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, precedence_)));
    std::vector<std::size_t> size(count, 0);
    for (const std::size_t c : component)
      ++size[c];
    for (const RankId rank : ranks_)
      for (std::size_t i = 0; i < graph_.program_of_rank(rank).tasks.size(); ++i) {
        const std::size_t v = vertex(rank, i);
        const bool self_loop = boost::edge(v, v, precedence_).second;
        if (size[component[v]] > 1 || self_loop) {
          problems_.push_back(name(rank, i) + " waits for itself in a cycle of " + std::to_string(size[component[v]]) +
                              " tasks");
          size[component[v]] = 0;  // one line a cycle
        }
      }
  }

  const ExecutionGraph& graph_;
  std::vector<RankId> ranks_;
  std::map<RankId, std::size_t> first_vertex_;
  std::vector<std::vector<std::size_t>> predecessors_;
  Graph precedence_;
  std::vector<std::string> problems_;
};

std::string layers_text(const Phase& phase) {
  if (phase.layer_begin < 0)
    return "";
  if (phase.layer_end == phase.layer_begin + 1)
    return ", layer " + std::to_string(phase.layer_begin);
  return ", layers " + std::to_string(phase.layer_begin) + "-" + std::to_string(phase.layer_end - 1);
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}

struct WorkText {
  std::string operator()(const GemmWork& w) const {
    return "gemm " + (w.batch > 1 ? number(w.batch) + "x" : "") + number(w.m) + "x" + number(w.n) + "x" + number(w.k) +
           " " + std::string(to_word(w.precision));
  }
  std::string operator()(const AttentionWork& w) const {
    return "attention batch " + number(w.batch) + ", " + number(w.seq_q) + "x" + number(w.seq_kv) + ", " +
           number(w.heads) + " heads of " + number(w.head_dim);
  }
  std::string operator()(const MemoryWork& w) const { return "memory " + number((w.reads + w.writes).count()) + " B"; }
  std::string operator()(const OptimizerWork& w) const { return "optimizer " + number(w.parameters) + " parameters"; }
  std::string operator()(const FixedWork&) const { return "fixed"; }
  std::string operator()(const CollectiveWork& w) const {
    return std::string(to_word(w.kind)) + " " + std::string(to_word(w.axis)) + " " + number(w.bytes.count()) + " B";
  }
  std::string operator()(const TransferWork& w) const {
    return std::string(w.is_send ? "send to" : "receive from") + " stage " + number(w.peer.value()) + " " +
           number(w.bytes.count()) + " B";
  }
  std::string operator()(const HostIoWork& w) const {
    return std::string(w.is_write ? "write " : "read ") + number(w.bytes.count()) + " B";
  }
};

}  // namespace

ExecutionGraph::ExecutionGraph(Placement placement, std::vector<Program> programs,
                               std::vector<ProgramId> program_of_rank)
    : placement_(std::move(placement)), programs_(std::move(programs)), program_of_rank_(std::move(program_of_rank)) {
  TRAINWRIGHT_EXPECTS(
      program_of_rank_.size() == static_cast<std::size_t>(placement_.world_size()),
      std::to_string(program_of_rank_.size()) + " ranks mapped of " + std::to_string(placement_.world_size()));
  for (const ProgramId id : program_of_rank_)
    TRAINWRIGHT_EXPECTS(id.index() < programs_.size(), "program " + std::to_string(id.value()));
}

std::int64_t ExecutionGraph::task_count() const {
  std::int64_t count = 0;
  for (const ProgramId id : program_of_rank_)
    count += static_cast<std::int64_t>(programs_[id.index()].tasks.size());
  return count;
}

std::vector<std::string> ExecutionGraph::check() const {
  return Checker(*this).run();
}

std::string to_text(const Task& task) {
  std::string text = std::visit(WorkText{}, task.work);
  text += layers_text(task.phase) + ", " + std::string(to_word(task.phase.pass));
  if (task.phase.part == BackwardPart::input)
    text += " (input gradient)";
  if (task.phase.part == BackwardPart::weight)
    text += " (weight gradient)";
  if (task.phase.micro_batch >= 0)
    text += ", micro-batch " + std::to_string(task.phase.micro_batch);
  return text;
}

std::string_view kind_word(const Task& task) {
  struct Word {
    std::string_view operator()(const GemmWork&) const { return "gemm"; }
    std::string_view operator()(const AttentionWork&) const { return "attention"; }
    std::string_view operator()(const MemoryWork&) const { return "memory"; }
    std::string_view operator()(const OptimizerWork&) const { return "optimizer"; }
    std::string_view operator()(const FixedWork&) const { return "fixed"; }
    std::string_view operator()(const CollectiveWork& w) const { return to_word(w.kind); }
    std::string_view operator()(const TransferWork& w) const { return w.is_send ? "send" : "receive"; }
    std::string_view operator()(const HostIoWork& w) const { return w.is_write ? "write" : "read"; }
  };
  return std::visit(Word{}, task.work);
}

}  // namespace trainwright::model
