// The first step of resolving a plan: how many ranks, on which nodes, and how they split into degrees.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/plan/resolve.hpp"

namespace trainwright::model {

struct RankDerivation {
  Layout layout;                      ///< degrees only; stand-ins where they could not be derived
  Cluster cluster;                    ///< with nodes added where the ranks need them
  std::optional<std::int64_t> ranks;  ///< as stated or taken from the cluster
  bool dp_is_known = true;            ///< false: dp is a stand-in, an error was reported
  std::vector<std::string> assumptions;
};

/// Precondition: every stated number is in its range, the model has layers and the cluster nodes.
[[nodiscard]] RankDerivation derive_ranks(const Model& model, const Cluster& cluster, const PlanChoices& choices,
                                          const std::string& source, Diagnostics& problems);

}  // namespace trainwright::model
