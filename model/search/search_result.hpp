// What a search found, and what became of every layout it went through.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/plan/layout.hpp"
#include "model/search/search_goal.hpp"

namespace trainwright::model {

struct FoundPlan {
  Layout layout;
  PlanFigures figures;
  double score = 0.0;
  std::uint64_t place = 0;  ///< in the order of the search: decides between equals
  friend bool operator==(const FoundPlan&, const FoundPlan&) = default;
};
[[nodiscard]] inline bool operator<(const FoundPlan& a, const FoundPlan& b) {
  return a.score != b.score ? a.score < b.score : a.place < b.place;
}

/// Layouts that break one rule; a layout that breaks several counts for each.
struct RejectedRule {
  std::int64_t layouts = 0;
  std::string message;  ///< of the first one
  Layout example;
  PlanFigures figures;               ///< of the example, where it was costed
  std::optional<FoundPlan> nearest;  ///< feasible, fewest doublings of degrees away from the example
};

struct SearchCounts {
  std::int64_t layouts = 0;   ///< of the space gone through; the others add up to this
  std::int64_t rejected = 0;  ///< break a rule, a constraint or the memory
  std::int64_t pruned = 0;    ///< cannot beat what was found, by a bound
  std::int64_t costed = 0;    ///< step and memory computed
  std::int64_t walked = 0;    ///< of those, by walking over all passes
  SearchCounts& operator+=(const SearchCounts& other) {
    layouts += other.layouts;
    rejected += other.rejected;
    pruned += other.pruned;
    costed += other.costed;
    walked += other.walked;
    return *this;
  }
};

/// Of a part of the space. Merging parts in their order gives the same as one search over all.
struct SearchFindings {
  std::vector<FoundPlan> best;        ///< best first
  std::vector<FoundPlan> pareto;      ///< in order of step time
  std::vector<FoundPlan> of_degrees;  ///< the best of each set of degrees
  std::map<std::string, RejectedRule> rules;
  SearchCounts counts;

  /// The score that the next of the best must beat.
  [[nodiscard]] double bound(std::size_t top) const {
    return best.size() < top ? std::numeric_limits<double>::infinity() : best.back().score;
  }
  void add_best(const FoundPlan& plan, std::size_t top);
  void add_front(const FoundPlan& plan);
  /// Whether a known plan is at least as good in all that the front compares.
  [[nodiscard]] bool is_dominated(const PlanFigures& plan) const;
  void reject(const std::string& rule, const std::string& message, const Layout& example, const PlanFigures& figures,
              std::int64_t layouts);
  void merge(const SearchFindings& other, std::size_t top);
};

/// Fills `nearest` of every rule from the best of each set of degrees.
void find_nearest(SearchFindings& findings);

}  // namespace trainwright::model
