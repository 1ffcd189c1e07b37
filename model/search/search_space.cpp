// SPDX-License-Identifier: Apache-2.0
#include "model/search/search_space.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "model/plan/plan_fields.hpp"

namespace trainwright::model {
namespace {

// Beyond this a rank holds too few tokens of any sequence trained today to be worth its messages.
constexpr int kMostContextRanks = 64;

std::vector<int> divisors_up_to(std::int64_t number, std::int64_t most) {
  std::vector<int> list;
  for (const std::int64_t divisor : divisors(number))
    if (divisor <= most)
      list.push_back(static_cast<int>(divisor));
  return list;
}

template <class T>
std::vector<T> dividing(const std::vector<T>& stated, std::int64_t number) {
  std::vector<T> list;
  for (const T value : stated)
    if (value > 0 && number % value == 0)
      list.push_back(value);
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::vector<int> degree(const std::vector<int>& stated, std::int64_t number, std::int64_t most) {
  return stated.empty() ? divisors_up_to(number, most) : dividing(stated, number);
}

std::int64_t most_heads(const Model& model) {
  std::int64_t most = 1;
  for (const LayerRun& run : model.layers)
    most = std::max(most, run.layer.attention.heads);
  return most;
}

// Experts of every mixture layer; 0: the model has none.
std::int64_t expert_count(const Model& model) {
  std::int64_t count = 0;
  for (const LayerRun& run : model.layers)
    if (run.layer.moe)
      count = std::max(count, run.layer.moe->experts);
  return count;
}

bool has_unfused_scores(const Plan& base) {
  return base.job.attention == AttentionKernel::unfused;
}

}  // namespace

Plan plan_of_size(const Plan& base, int devices, std::int64_t global_batch) {
  Plan plan = base;
  plan.job.global_batch = global_batch;
  if (devices > device_count(base.cluster) && is_uniform(base.cluster) && base.cluster.groups.front().network &&
      !base.cluster.groups.front().devices_share_cores)
    plan.cluster = resized(base.cluster, devices);
  return plan;
}

std::vector<SearchItem> search_items(const SearchSpace& space, const Plan& base) {
  const int in_node = base.cluster.groups.front().devices_per_node;
  const std::int64_t experts = expert_count(base.model);
  std::vector<SearchItem> items;
  for (const int devices : space.devices)
    for (const std::int64_t batch : space.global_batches)
      for (const int tp : degree(space.tp, devices, most_heads(base.model)))
        for (const int cp : degree(space.cp, devices / tp, kMostContextRanks)) {
          const std::vector<int> eps = experts > 0 ? degree(space.ep, experts, devices) : std::vector<int>{1};
          const std::vector<int> etps = experts > 0 ? degree(space.etp, in_node, in_node) : std::vector<int>{1};
          for (const int ep : eps)
            for (const int etp : etps)
              if (devices % (ep * etp) == 0)
                items.push_back({devices, batch, tp, cp, ep, etp});
        }
  const auto promise = [&](const SearchItem& item) {
    return std::tuple(std::log2(item.cp) + std::log2(item.etp) +
                          std::abs(std::log2(item.tp) - std::log2(std::max(1, in_node))) +
                          std::abs(std::log2(item.ep) - (experts > 0 ? std::log2(std::max(1, in_node)) : 0.0)),
                      -item.devices, -item.global_batch);
  };
  std::stable_sort(items.begin(), items.end(),
                   [&](const SearchItem& a, const SearchItem& b) { return promise(a) < promise(b); });
  return items;
}

std::vector<Layout> item_grids(const SearchSpace& space, const SearchItem& item, const Plan& base) {
  std::vector<Layout> grids;
  const int rest = item.devices / (item.tp * item.cp);
  for (const int pp : degree(space.pp, rest, layer_count(base.model))) {
    Layout grid;
    grid.tp = item.tp;
    grid.cp = item.cp;
    grid.pp = pp;
    grid.dp = rest / pp;
    grid.ep = item.ep;
    grid.etp = item.etp;
    if (space.dp.empty() || std::find(space.dp.begin(), space.dp.end(), grid.dp) != space.dp.end())
      grids.push_back(grid);
  }
  return grids;
}

std::vector<Chunking> chunkings(const SearchSpace& space, const Layout& grid, const Plan& base) {
  if (grid.pp == 1)
    return {Chunking{}};
  const int layers = layer_count(base.model);
  std::vector<Chunking> list;
  for (const PipelineSchedule schedule : space.schedule) {
    if (schedule != PipelineSchedule::interleaved) {
      list.push_back({1, schedule});
      continue;
    }
    if (layers % grid.pp != 0)
      continue;
    for (const int vpp : degree(space.vpp, layers / grid.pp, layers))
      if (vpp > 1)
        list.push_back({vpp, schedule});
  }
  return list;
}

std::vector<PassChoice> pass_choices(const SearchSpace& space, const Layout& grid, const Plan& base) {
  std::vector<PassChoice> list;
  for (const bool sequence_parallel : space.sequence_parallel)
    for (const Recompute recompute : space.recompute)
      for (const ContextKind kind : space.cp_kind) {
        if (sequence_parallel && grid.tp == 1 && space.sequence_parallel.size() > 1)
          continue;
        if (grid.cp == 1 && kind != space.cp_kind.front())
          continue;
        // A fused kernel keeps no scores that could be recomputed.
        if (recompute == Recompute::selective && !has_unfused_scores(base) && space.recompute.size() > 1)
          continue;
        list.push_back({sequence_parallel, recompute, kind});
      }
  return list;
}

std::vector<std::int64_t> micro_batch_choices(const SearchSpace& space, const Layout& grid, std::int64_t global_batch) {
  if (!space.micro_batch.empty())
    return space.micro_batch;  // those that do not divide break a rule, and are counted there
  return global_batch % grid.dp == 0 ? divisors(global_batch / grid.dp) : std::vector<std::int64_t>{1};
}

std::vector<Layout> sharded(const SearchSpace& space, const Layout& grid, const Plan& base) {
  const int replicas = grid.dp * grid.cp;
  const int in_node = base.cluster.groups.front().devices_per_node;
  std::vector<Layout> list;
  const auto add = [&](const Layout& layout) {
    if (std::find(list.begin(), list.end(), layout) == list.end())
      list.push_back(layout);
  };
  for (const int zero : space.zero) {
    if (zero > 0 && replicas == 1 && space.zero.size() > 1)
      continue;
    std::set<int> groups{0};
    if (zero > 0 && !space.zero_group.empty())
      groups = {space.zero_group.begin(), space.zero_group.end()};
    else if (const int inside = in_node / std::min(in_node, grid.tp);
             zero > 0 && inside > 1 && inside < replicas && replicas % inside == 0)
      groups.insert(inside);
    for (const int group : groups)
      for (const bool gradients : space.overlap_gradients)
        for (const bool parameters : space.overlap_parameters)
          for (const ByteCount bucket : space.bucket)
            for (const bool reshard : space.reshard_after_forward)
              for (const int gathers : space.gathers_in_flight) {
                Layout layout = grid;
                layout.zero = zero;
                layout.zero_group = group;
                layout.overlap_gradients = gradients;
                // Units take the place of buckets; without overlap all is one.
                layout.bucket = zero == 3 || !gradients ? space.bucket.front() : bucket;
                layout.overlap_parameters = zero == 0 ? space.overlap_parameters.front() : parameters;
                layout.reshard_after_forward = zero < 3 ? space.reshard_after_forward.front() : reshard;
                layout.gathers_in_flight = zero < 3 || !parameters ? space.gathers_in_flight.front() : gathers;
                add(layout);
              }
  }
  return list;
}

}  // namespace trainwright::model
