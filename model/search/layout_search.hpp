// The search over layouts and cluster sizes: exact, over all cores, and the same whatever the number of cores. Items
// are worked through in rounds; an item knows what earlier rounds found, so that what it leaves out does not depend on
// time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

#include "model/plan/resolve.hpp"
#include "model/search/search_goal.hpp"
#include "model/search/search_result.hpp"
#include "model/search/search_space.hpp"

namespace trainwright::model {

struct SearchRequest {
  Plan base;  ///< model, cluster, job and constants
  SearchSpace space;
  SearchGoal goal;
};

class LayoutSearch {
 public:
  /// Precondition: the space names devices and batches, and the goal asks for at least one plan.
  explicit LayoutSearch(SearchRequest request);

  /// Goes on until everything is done or `stop` is requested; items that were not finished by then are begun anew by
  /// the next call. `threads` of 0: one for each core. `progress` is called between items, from any thread, one at a
  /// time.
  void advance(int threads, std::stop_token stop, const std::function<void(double)>& progress);

  [[nodiscard]] bool is_complete() const { return next_ == items_.size(); }
  /// The best so far.
  [[nodiscard]] SearchFindings findings() const;
  [[nodiscard]] const SearchRequest& request() const { return request_; }
  /// The plan of what was found: the base on a cluster of that size with that layout.
  [[nodiscard]] Plan plan_of(const FoundPlan& found) const;

 private:
  SearchRequest request_;
  std::vector<SearchItem> items_;
  std::size_t next_ = 0;                              // the first item of the round in work
  std::vector<std::optional<SearchFindings>> round_;  // what its items found, as far as they are done
  SearchFindings found_;                              // by the rounds before
};

/// The layout as if the user had stated every field of it, laid over what `job` states.
[[nodiscard]] PlanChoices choices_of(const FoundPlan& found, PlanChoices job);

}  // namespace trainwright::model
