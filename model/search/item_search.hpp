// One item of a search: all layouts that share tensor, context and expert degrees, in a fixed order, with whole
// branches left out where a bound shows that they cannot do better.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "model/search/plan_evaluator.hpp"
#include "model/search/search_result.hpp"
#include "model/search/search_space.hpp"

namespace trainwright::model {

struct ItemRequest {
  const SearchSpace& space;
  const SearchGoal& goal;
  const SearchItem& item;
  std::uint64_t place = 0;      ///< of the item among all
  double bound = 0.0;           ///< score that plans of the other items have reached
  const SearchFindings& known;  ///< their front
};

/// The findings of the item alone; empty when stopped. `evaluator` is of the item's size and batch.
[[nodiscard]] std::optional<SearchFindings> search_item(const ItemRequest& request, PlanEvaluator& evaluator,
                                                        std::stop_token stop);

}  // namespace trainwright::model
