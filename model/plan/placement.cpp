// SPDX-License-Identifier: Apache-2.0
#include "model/plan/placement.hpp"

#include <algorithm>

#include "model/base/contract.hpp"

namespace trainwright::model {

Placement::Placement(const Layout& layout, const Cluster& cluster)
    : layout_(layout), world_size_(model::world_size(layout)), device_count_(model::device_count(cluster)) {
  TRAINWRIGHT_EXPECTS(world_size_ > 0 && device_count_ > 0,
                      std::to_string(world_size_) + " ranks, " + std::to_string(device_count_) + " devices");
}

Coordinates Placement::coordinates(RankId rank) const {
  int rest = rank.value();
  Coordinates c;
  c.tp = rest % layout_.tp;
  rest /= layout_.tp;
  c.cp = rest % layout_.cp;
  rest /= layout_.cp;
  c.dp = rest % layout_.dp;
  c.pp = rest / layout_.dp;
  return c;
}

RankId Placement::rank(const Coordinates& c) const {
  return RankId(((c.pp * layout_.dp + c.dp) * layout_.cp + c.cp) * layout_.tp + c.tp);
}

std::vector<RankId> Placement::group(RankId member, GroupAxis axis) const {
  const Coordinates own = coordinates(member);
  std::vector<RankId> ranks;
  const auto vary = [&](int count, auto set) {
    for (int i = 0; i < count; ++i) {
      Coordinates c = own;
      set(c, i);
      ranks.push_back(rank(c));
    }
  };
  switch (axis) {
    case GroupAxis::tensor:
      vary(layout_.tp, [](Coordinates& c, int i) { c.tp = i; });
      break;
    case GroupAxis::context:
      vary(layout_.cp, [](Coordinates& c, int i) { c.cp = i; });
      break;
    case GroupAxis::data:
      vary(layout_.dp, [](Coordinates& c, int i) { c.dp = i; });
      break;
    case GroupAxis::data_context:
      vary(layout_.dp * layout_.cp, [this](Coordinates& c, int i) {
        c.cp = i % layout_.cp;
        c.dp = i / layout_.cp;
      });
      break;
    case GroupAxis::data_shard:
    case GroupAxis::data_replica: {
      const int all = layout_.dp * layout_.cp;
      const int shards = layout_.zero_group > 0 ? layout_.zero_group : all;
      const int position = own.dp * layout_.cp + own.cp;
      const bool is_shard = axis == GroupAxis::data_shard;
      vary(is_shard ? shards : all / shards, [&](Coordinates& c, int i) {
        const int member_position = is_shard ? position / shards * shards + i : i * shards + position % shards;
        c.cp = member_position % layout_.cp;
        c.dp = member_position / layout_.cp;
      });
      break;
    }
    case GroupAxis::expert_data: {
      const int stage_size = world_size_ / layout_.pp;
      const int first = own.pp * stage_size;
      const int block = layout_.ep * layout_.etp;
      for (int i = (member.value() - first) % block; i < stage_size; i += block)
        ranks.push_back(RankId(first + i));
      break;
    }
    case GroupAxis::mirror:
      if (2 * own.pp + 1 == layout_.pp) {
        ranks.push_back(member);
        break;
      }
      vary(2, [this, &own](Coordinates& c, int i) {
        const int low = std::min(own.pp, layout_.pp - 1 - own.pp);
        c.pp = i == 0 ? low : layout_.pp - 1 - low;
      });
      break;
    case GroupAxis::pipeline:
      vary(layout_.pp, [](Coordinates& c, int i) { c.pp = i; });
      break;
    case GroupAxis::embedding:
      if (layout_.pp > 1 && (own.pp == 0 || own.pp == layout_.pp - 1))
        vary(2, [this](Coordinates& c, int i) { c.pp = i * (layout_.pp - 1); });
      else
        ranks.push_back(member);
      break;
    case GroupAxis::expert: {
      // Within one stage, blocks of ep x etp ranks; expert-TP innermost.
      const int stage_size = world_size_ / layout_.pp;
      const int first = own.pp * stage_size;
      const int in_stage = member.value() - first;
      const int block = layout_.ep * layout_.etp;
      for (int i = 0; i < layout_.ep; ++i)
        ranks.push_back(RankId(first + in_stage / block * block + i * layout_.etp + in_stage % layout_.etp));
      break;
    }
    case GroupAxis::expert_tensor: {
      const int first = member.value() / layout_.etp * layout_.etp;
      for (int i = 0; i < layout_.etp; ++i)
        ranks.push_back(RankId(first + i));
      break;
    }
    case GroupAxis::world:
      for (int i = 0; i < world_size_; ++i)
        ranks.push_back(RankId(i));
      break;
  }
  return ranks;
}

std::vector<std::vector<RankId>> Placement::groups(GroupAxis axis) const {
  std::vector<std::vector<RankId>> result;
  std::vector<bool> seen(static_cast<std::size_t>(world_size_), false);
  for (int r = 0; r < world_size_; ++r) {
    if (seen[static_cast<std::size_t>(r)])
      continue;
    std::vector<RankId> members = group(RankId(r), axis);
    for (const RankId member : members)
      seen[member.index()] = true;
    result.push_back(std::move(members));
  }
  return result;
}

DeviceId Placement::device(RankId rank) const {
  if (world_size_ <= device_count_)
    return DeviceId(rank.value());
  return DeviceId(static_cast<int>(static_cast<std::int64_t>(rank.value()) * device_count_ / world_size_));
}

RankId Placement::at_stage(RankId rank, StageId stage) const {
  Coordinates c = coordinates(rank);
  c.pp = stage.value();
  return this->rank(c);
}

}  // namespace trainwright::model
