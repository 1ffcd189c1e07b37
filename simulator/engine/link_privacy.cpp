// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/link_privacy.hpp"

#include <algorithm>

namespace trainwright::simulator {

void append_binding_route(const model::Topology& topology, model::DeviceId from, model::DeviceId to,
                          std::vector<model::LinkId>& links) {
  const std::size_t before = links.size();
  topology.append_route(from, to, links);
  const auto begin = links.begin() + static_cast<std::ptrdiff_t>(before);
  links.erase(std::remove_if(begin, links.end(), [&](model::LinkId link) { return !topology.link(link).can_bind; }),
              links.end());
}

namespace {

constexpr int kNobody = -1;

class Prover {
 public:
  Prover(const Scene& scene, const CommCatalog& catalog, int siblings, const model::Topology& topology)
      : scene_(scene), catalog_(catalog), siblings_(siblings), topology_(topology) {}

  LinkPrivacy run() {
    const Siblings& own = catalog_.siblings[static_cast<std::size_t>(siblings_)];
    result_.group_is_private.assign(own.groups.size(), true);
    result_.disturbing_works.assign(catalog_.works.size(), false);
    owner_.assign(topology_.link_count(), kNobody);
    for (std::size_t w = 0; w < catalog_.works.size(); ++w)
      if (catalog_.works[w].siblings == siblings_)
        for (std::size_t g = 0; g < own.groups.size(); ++g)
          each_link(catalog_.works[w], own.groups[g], [&](model::LinkId link) { take(link, static_cast<int>(g)); });
    for (std::size_t w = 0; w < catalog_.works.size(); ++w)
      if (catalog_.works[w].siblings != siblings_)
        for (const std::vector<model::RankId>& group : catalog_.siblings_of(static_cast<int>(w)).groups)
          each_link(catalog_.works[w], group, [&](model::LinkId link) { intrude(link, w, group); });
    return std::move(result_);
  }

 private:
  template <class Visit>
  void each_link(const CommWork& work, const std::vector<model::RankId>& group, Visit visit) {
    const model::Placement& placement = scene_.graph.placement();
    for (const model::Flow& flow : flow_plan(scene_, work, group).flows) {
      links_.clear();
      append_binding_route(topology_, placement.device(flow.from), placement.device(flow.to), links_);
      for (const model::LinkId link : links_)
        if (topology_.link(link).is_shared)
          visit(link);
    }
  }

  void take(model::LinkId link, int group) {
    int& owner = owner_[link.index()];
    if (owner != kNobody && owner != group) {
      result_.group_is_private[static_cast<std::size_t>(owner)] = false;
      result_.group_is_private[static_cast<std::size_t>(group)] = false;
    }
    owner = group;
  }

  void intrude(model::LinkId link, std::size_t work, const std::vector<model::RankId>& group) {
    const int owner = owner_[link.index()];
    if (owner == kNobody)
      return;
    const Siblings& own = catalog_.siblings[static_cast<std::size_t>(siblings_)];
    const bool takes_part = catalog_.works[work].is_collective &&
                            std::any_of(group.begin(), group.end(),
                                        [&](model::RankId rank) { return own.group_of_rank[rank.index()] == owner; });
    if (takes_part)
      result_.disturbing_works[work] = true;
    else
      result_.group_is_private[static_cast<std::size_t>(owner)] = false;
  }

  const Scene& scene_;
  const CommCatalog& catalog_;
  int siblings_;
  const model::Topology& topology_;
  LinkPrivacy result_;
  std::vector<int> owner_;
  std::vector<model::LinkId> links_;
};

}  // namespace

LinkPrivacy prove_privacy(const Scene& scene, const CommCatalog& catalog, int siblings,
                          const model::Topology& topology) {
  return Prover(scene, catalog, siblings, topology).run();
}

}  // namespace trainwright::simulator
