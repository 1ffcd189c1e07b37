// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/flow_patterns.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <unordered_map>

#include "simulator/engine/link_privacy.hpp"

namespace trainwright::simulator {
namespace {

// Largest flow of a scene. Any value would do: times scale.
constexpr double kSceneBytes = 1e9;

class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[static_cast<std::size_t>(i)] != i) {
      int& parent = parent_[static_cast<std::size_t>(i)];
      parent = parent_[static_cast<std::size_t>(parent)];
      i = parent;
    }
    return i;
  }
  // The smaller index stays, so that a component is named by its first group.
  void unite(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

void append_bits(std::string& key, double value) {
  char bits[sizeof value];
  std::memcpy(bits, &value, sizeof value);
  key.append(bits, sizeof value);
}
void append_bits(std::string& key, std::int32_t value) {
  char bits[sizeof value];
  std::memcpy(bits, &value, sizeof value);
  key.append(bits, sizeof value);
}

}  // namespace

FlowPatterns::FlowPatterns(const Scene& scene, const CommCatalog& catalog, const model::Topology& topology,
                           const std::vector<bool>& wanted)
    : scene_(scene), catalog_(catalog), topology_(topology), timings_(catalog.works.size()) {
  for (std::size_t w = 0; w < wanted.size(); ++w)
    if (wanted[w])
      add_work(static_cast<int>(w));
}

model::Seconds FlowPatterns::seconds(int work, int group) const {
  const CommWork& w = catalog_.works[static_cast<std::size_t>(work)];
  const Structure& structure = structures_.at({w.siblings, w.is_collective ? static_cast<int>(w.collective.kind) : -1});
  const Place place = structure.place_of_group[static_cast<std::size_t>(group)];
  const Timing& timing = timings_[static_cast<std::size_t>(work)][static_cast<std::size_t>(place.component)]
                                 [static_cast<std::size_t>(place.slot)];
  if (timing.scene < 0)
    return model::Seconds(timing.latency);
  const FlowScene& scene = scenes_[static_cast<std::size_t>(timing.scene)];
  return model::Seconds(timing.latency + timing.scale * scene.slot_seconds[static_cast<std::size_t>(place.slot)]);
}

// Bytes, latencies and links by order of first appearance: equal for components that differ in names only.
std::string FlowPatterns::key_of(const std::vector<FlowScene::Flow>& flows, const std::vector<double>& latencies,
                                 const model::Topology& topology, bool with_latency) {
  std::string key;
  std::unordered_map<int, std::int32_t> local;
  std::vector<model::LinkId> links;
  for (const FlowScene::Flow& flow : flows) {
    append_bits(key, static_cast<std::int32_t>(flow.slot));
    append_bits(key, flow.bytes);
    links.clear();
    append_binding_route(topology, flow.from, flow.to, links);
    append_bits(key, static_cast<std::int32_t>(links.size()));
    for (const model::LinkId link : links) {
      const auto [found, is_new] = local.try_emplace(link.value(), static_cast<std::int32_t>(local.size()));
      append_bits(key, found->second);
      if (is_new) {
        append_bits(key, topology.link(link).bandwidth.count());
        append_bits(key, static_cast<std::int32_t>(topology.link(link).is_shared));
      }
    }
  }
  if (with_latency)
    for (const double latency : latencies)
      append_bits(key, latency);
  return key;
}

const FlowPatterns::Structure& FlowPatterns::structure_of(const CommWork& work) {
  const auto [found, is_new] =
      structures_.try_emplace({work.siblings, work.is_collective ? static_cast<int>(work.collective.kind) : -1});
  Structure& structure = found->second;
  if (!is_new)
    return structure;
  const std::vector<std::vector<model::RankId>>& groups =
      catalog_.siblings[static_cast<std::size_t>(work.siblings)].groups;
  const model::Placement& placement = scene_.graph.placement();
  std::vector<model::FlowPlan> plans;
  UnionFind components(groups.size());
  std::vector<int> user(topology_.link_count(), -1);
  std::vector<model::LinkId> links;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    plans.push_back(flow_plan(scene_, work, groups[g]));
    for (const model::Flow& flow : plans.back().flows) {
      links.clear();
      append_binding_route(topology_, placement.device(flow.from), placement.device(flow.to), links);
      for (const model::LinkId link : links) {
        if (!topology_.link(link).is_shared)
          continue;
        int& first = user[link.index()];
        if (first >= 0)
          components.unite(first, static_cast<int>(g));
        else
          first = static_cast<int>(g);
      }
    }
  }
  std::vector<std::vector<int>> members(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    members[static_cast<std::size_t>(components.find(static_cast<int>(g)))].push_back(static_cast<int>(g));
  structure.place_of_group.resize(groups.size());
  std::map<std::string, int> class_of_key;
  for (const std::vector<int>& component : members) {
    if (component.empty())
      continue;
    std::vector<FlowScene::Flow> flows;
    std::vector<double> latencies;
    for (std::size_t slot = 0; slot < component.size(); ++slot) {
      const model::FlowPlan& plan = plans[static_cast<std::size_t>(component[slot])];
      latencies.push_back(plan.latency.count());
      for (const model::Flow& flow : plan.flows)
        flows.push_back(
            {placement.device(flow.from), placement.device(flow.to), flow.bytes.count(), static_cast<int>(slot)});
    }
    const auto [same, is_new_class] =
        class_of_key.try_emplace(key_of(flows, latencies, topology_, true), static_cast<int>(structure.example.size()));
    if (is_new_class)
      structure.example.push_back(component);
    for (std::size_t slot = 0; slot < component.size(); ++slot)
      structure.place_of_group[static_cast<std::size_t>(component[slot])] = {same->second, static_cast<int>(slot)};
  }
  return structure;
}

void FlowPatterns::add_work(int index) {
  const CommWork& work = catalog_.works[static_cast<std::size_t>(index)];
  const Structure& structure = structure_of(work);
  const model::Placement& placement = scene_.graph.placement();
  const std::vector<std::vector<model::RankId>>& groups = catalog_.siblings_of(index).groups;
  for (const std::vector<int>& component : structure.example) {
    FlowScene scene;
    std::vector<Timing> timings(component.size());
    double largest = 0.0;
    for (std::size_t slot = 0; slot < component.size(); ++slot) {
      const model::FlowPlan plan = flow_plan(scene_, work, groups[static_cast<std::size_t>(component[slot])]);
      timings[slot].latency = plan.latency.count();
      for (const model::Flow& flow : plan.flows) {
        largest = std::max(largest, flow.bytes.count());
        scene.flows.push_back(
            {placement.device(flow.from), placement.device(flow.to), flow.bytes.count(), static_cast<int>(slot)});
      }
    }
    if (largest > 0.0) {
      // Rounded to whole bytes, of a billion, so that the last digit of a ratio does not make another scene.
      for (FlowScene::Flow& flow : scene.flows)
        flow.bytes = std::round(flow.bytes / largest * kSceneBytes);
      const auto [found, is_new] =
          scene_of_key_.try_emplace(key_of(scene.flows, {}, topology_, false), static_cast<int>(scenes_.size()));
      if (is_new) {
        scene.slot_seconds.assign(component.size(), 0.0);
        scenes_.push_back(std::move(scene));
      }
      for (Timing& timing : timings) {
        timing.scene = found->second;
        timing.scale = largest / kSceneBytes;
      }
    }
    timings_[static_cast<std::size_t>(index)].push_back(std::move(timings));
  }
}

}  // namespace trainwright::simulator
