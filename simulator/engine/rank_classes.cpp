// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/rank_classes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace trainwright::simulator {
namespace {

// A number for every distinct key, in order of first appearance.
template <class Key>
class Numbering {
 public:
  int operator()(const Key& key) { return index_.try_emplace(key, static_cast<int>(index_.size())).first->second; }
  [[nodiscard]] std::size_t size() const { return index_.size(); }

 private:
  std::map<Key, int> index_;
};

// Which sibling sets a program takes part in, as member, sender or receiver.
struct Ties {
  std::set<int> works;
  std::set<int> axes;                  // indices of sibling sets
  std::set<std::int32_t> peer_stages;  // senders and receivers
};

std::vector<Ties> ties_of_programs(const model::ExecutionGraph& graph, const CommCatalog& catalog) {
  std::vector<Ties> ties(graph.program_count());
  for (std::size_t p = 0; p < ties.size(); ++p) {
    const model::Program& program = graph.program(model::ProgramId(p));
    for (std::size_t t = 0; t < program.tasks.size(); ++t) {
      if (const int work = catalog.work_of_task[p][t]; work >= 0) {
        ties[p].works.insert(work);
        if (catalog.works[static_cast<std::size_t>(work)].is_collective)
          ties[p].axes.insert(catalog.works[static_cast<std::size_t>(work)].siblings);
      }
      if (const auto* transfer = std::get_if<model::TransferWork>(&program.tasks[t].work))
        ties[p].peer_stages.insert(transfer->peer.value());
    }
  }
  return ties;
}

}  // namespace

RankClasses find_rank_classes(const model::ExecutionGraph& graph, const CommCatalog& catalog,
                              const std::vector<int>& compute_class,
                              const std::function<double(int, int)>& comm_seconds) {
  const auto ranks = static_cast<std::size_t>(graph.rank_count());
  const std::vector<Ties> ties = ties_of_programs(graph, catalog);
  std::vector<int> color(ranks);
  std::size_t colors = 0;
  {
    Numbering<std::vector<double>> number;
    for (std::size_t r = 0; r < ranks; ++r) {
      const model::ProgramId program = graph.program_of(model::RankId(r));
      std::vector<double> key{static_cast<double>(program.value()), static_cast<double>(compute_class[r])};
      for (const int work : ties[program.index()].works)
        key.push_back(comm_seconds(work, catalog.siblings_of(work).group_of_rank[r]));
      color[r] = number(key);
    }
    colors = number.size();
  }
  while (true) {
    std::vector<std::vector<int>> group_color(catalog.siblings.size());
    for (std::size_t s = 0; s < catalog.siblings.size(); ++s) {
      Numbering<std::vector<int>> number;
      for (const std::vector<model::RankId>& group : catalog.siblings[s].groups) {
        std::vector<int> members;
        for (const model::RankId rank : group)
          members.push_back(color[rank.index()]);
        std::sort(members.begin(), members.end());
        group_color[s].push_back(number(members));
      }
    }
    Numbering<std::vector<int>> number;
    std::vector<int> next(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      const model::RankId rank(r);
      std::vector<int> key{color[r]};
      const Ties& own = ties[graph.program_of(rank).index()];
      for (const int axis : own.axes) {
        const auto s = static_cast<std::size_t>(axis);
        key.push_back(group_color[s][static_cast<std::size_t>(catalog.siblings[s].group_of_rank[r])]);
      }
      for (const std::int32_t stage : own.peer_stages)
        key.push_back(color[graph.placement().at_stage(rank, model::StageId(stage)).index()]);
      next[r] = number(key);
    }
    color = std::move(next);
    if (number.size() == colors)
      break;
    colors = number.size();
  }
  RankClasses classes;
  classes.class_of_rank = color;
  classes.size.assign(colors, 0);
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto c = static_cast<std::size_t>(color[r]);
    if (classes.size[c]++ == 0)
      classes.representative.push_back(model::RankId(r));
  }
  return classes;
}

RankClasses all_ranks_apart(int ranks) {
  RankClasses classes;
  classes.class_of_rank.resize(static_cast<std::size_t>(ranks));
  std::iota(classes.class_of_rank.begin(), classes.class_of_rank.end(), 0);
  classes.size.assign(static_cast<std::size_t>(ranks), 1);
  for (int r = 0; r < ranks; ++r)
    classes.representative.push_back(model::RankId(r));
  return classes;
}

}  // namespace trainwright::simulator
