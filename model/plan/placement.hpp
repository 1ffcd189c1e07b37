// Rank <-> coordinates <-> device: one bijection for the whole program. Order of the axes, innermost first: TP, CP, DP,
// PP (Megatron-Core's default "tp-cp-ep-dp-pp"; EP is a regrouping of the DP x CP ranks).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <string_view>
#include <vector>

#include "model/base/id.hpp"
#include "model/hardware/cluster.hpp"
#include "model/plan/layout.hpp"

namespace trainwright::model {

struct Coordinates {
  int tp = 0;
  int cp = 0;
  int dp = 0;
  int pp = 0;
  friend auto operator<=>(const Coordinates&, const Coordinates&) = default;
};

/// Which ranks a collective joins, seen from one rank.
enum class GroupAxis : std::uint8_t {
  tensor,        ///< same cp, dp, pp
  context,       ///< same tp, dp, pp
  data,          ///< same tp, cp, pp
  data_context,  ///< same tp, pp: where dense gradients are reduced
  data_shard,    ///< of data_context, zero_group neighbours that share one set of states
  data_replica,  ///< of data_context, ranks that hold the same shard
  expert_data,   ///< same pp and same experts: where gradients of experts are reduced
  pipeline,      ///< same tp, cp, dp
  embedding,     ///< first and last stage of one pipeline (tied embeddings)
  mirror,        ///< the two stages that hold the same layers (DualPipe)
  expert,        ///< same pp, consecutive ep of the dp x cp x tp ranks
  world,
  expert_tensor,  ///< same pp, expert: the etp ranks that share one expert's matrices
};
inline constexpr std::array<std::string_view, 13> kGroupAxisWords{
    {"tensor", "context", "data", "data-context", "data-shard", "data-replica", "expert-data", "pipeline", "embedding",
     "mirror", "expert", "world", "expert-tensor"}};
[[nodiscard]] constexpr std::string_view to_word(GroupAxis axis) {
  return kGroupAxisWords[static_cast<std::size_t>(axis)];
}

class Placement {
 public:
  /// Rank r on device r of the cluster; where devices share cores, ranks beyond the devices wrap around.
  Placement(const Layout& layout, const Cluster& cluster);

  [[nodiscard]] int world_size() const { return world_size_; }
  [[nodiscard]] Coordinates coordinates(RankId rank) const;
  [[nodiscard]] RankId rank(const Coordinates& coordinates) const;
  /// Members in ascending order of the varying coordinate; contains `rank` itself.
  [[nodiscard]] std::vector<RankId> group(RankId rank, GroupAxis axis) const;
  /// Every distinct group of the axis, in order of its first rank.
  [[nodiscard]] std::vector<std::vector<RankId>> groups(GroupAxis axis) const;
  [[nodiscard]] DeviceId device(RankId rank) const;
  [[nodiscard]] StageId stage(RankId rank) const { return StageId(coordinates(rank).pp); }
  /// The rank of the same pipeline (same tp, cp, dp) at another stage.
  [[nodiscard]] RankId at_stage(RankId rank, StageId stage) const;
  [[nodiscard]] const Layout& layout() const { return layout_; }

 private:
  Layout layout_;
  int world_size_;
  int device_count_;
};

}  // namespace trainwright::model
