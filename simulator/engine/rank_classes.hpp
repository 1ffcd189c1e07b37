// Classes of ranks that behave alike, found from the graph, not assumed: color refinement. Ranks begin with the color
// of what they do (program, compute times, communication times); then ranks whose groups or message partners differ in
// color get different colors, until nothing changes. The classes are equitable: every rank of a class meets the same
// classes, so one representative each, meeting the others' representatives, takes the same course as the whole job,
// provided that siblings communicate at the same time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "simulator/engine/comm_catalog.hpp"

namespace trainwright::simulator {

struct RankClasses {
  std::vector<int> class_of_rank;
  std::vector<model::RankId> representative;  ///< by class: its lowest rank
  std::vector<int> size;                      ///< by class
};

/// `compute_class`: by rank, equal for ranks with equal compute times. `comm_seconds(work, group)`: time of a
/// communication of the catalog.
[[nodiscard]] RankClasses find_rank_classes(const model::ExecutionGraph& graph, const CommCatalog& catalog,
                                            const std::vector<int>& compute_class,
                                            const std::function<double(int, int)>& comm_seconds);

/// Every rank a class of its own.
[[nodiscard]] RankClasses all_ranks_apart(int ranks);

}  // namespace trainwright::simulator
