// SPDX-License-Identifier: Apache-2.0
#include "model/plan/resolve_ranks.hpp"

#include <algorithm>

#include "model/plan/plan_fields.hpp"
#include "model/plan/plan_rules.hpp"

namespace trainwright::model {
namespace {

std::string number(std::int64_t value) {
  return std::to_string(value);
}

bool shares_cores(const Cluster& cluster) {
  return std::any_of(cluster.groups.begin(), cluster.groups.end(),
                     [](const NodeGroup& group) { return group.devices_share_cores; });
}

class RankResolver {
 public:
  RankResolver(const Model& model, const Cluster& cluster, const PlanChoices& choices, const std::string& source,
               Diagnostics& problems)
      : model_(model), choices_(choices), source_(source), problems_(problems) {
    result_.cluster = cluster;
  }

  RankDerivation run() {
    Layout& layout = result_.layout;
    layout.tp = static_cast<int>(choices_.tp.value_or(1));
    layout.pp = static_cast<int>(choices_.pp.value_or(1));
    layout.cp = static_cast<int>(choices_.cp.value_or(1));
    layout.ep = static_cast<int>(choices_.ep.value_or(1));
    layout.etp = static_cast<int>(choices_.etp.value_or(1));
    if (choices_.gpus)
      result_.ranks = *choices_.gpus;
    else if (!choices_.dp)
      take_whole_cluster();
    split_ranks();
    derive_chunks();
    place_on_nodes();
    return std::move(result_);
  }

 private:
  void assume(std::string text) { result_.assumptions.push_back(std::move(text)); }
  void error(std::string_view field, std::string message, std::string hint, std::string rule) {
    problems_.add({Severity::error, source_, field_path(source_, PlanSection::layout, field), std::move(message),
                   std::move(hint), std::move(rule)});
  }

  /// tp x pp x cp in 64 bits: each is at most 2^20.
  std::int64_t without_dp() const { return std::int64_t{result_.layout.tp} * result_.layout.pp * result_.layout.cp; }

  void take_whole_cluster() {
    result_.ranks = device_count(result_.cluster);
    assume("all " + number(*result_.ranks) + (shares_cores(result_.cluster) ? " cores" : " devices") +
           " of the cluster are used");
  }

  void split_ranks() {
    Layout& layout = result_.layout;
    if (!result_.ranks) {  // dp is stated, the number of ranks is not: their product is
      layout.dp = static_cast<int>(*choices_.dp);
      result_.ranks = without_dp() * layout.dp;
      return;
    }
    const std::int64_t ranks = *result_.ranks;
    if (choices_.dp) {
      layout.dp = static_cast<int>(*choices_.dp);
      derive_one_left_out(ranks);
      if (without_dp() * layout.dp == ranks)
        return;
      const std::int64_t product = without_dp() * layout.dp;
      const bool divides = ranks % without_dp() == 0;
      error("dp",
            "dp " + number(layout.dp) + " x tp " + number(layout.tp) + " x pp " + number(layout.pp) + " x cp " +
                number(layout.cp) + " = " + number(product) + " ranks, but there are " + number(ranks) +
                (divides ? "; dp is the rest: " + number(ranks) + " / " + number(without_dp()) + " = " +
                               number(ranks / without_dp())
                         : ""),
            "give --gpus " + number(product) + " or leave --dp out", "layout.world-size");
      result_.dp_is_known = false;
      return;
    }
    if (ranks % without_dp() == 0) {
      layout.dp = static_cast<int>(ranks / without_dp());
      if (layout.dp > 1 || without_dp() > 1)
        assume("dp " + number(layout.dp) + " = " + number(ranks) + " ranks / (tp " + number(layout.tp) + " x pp " +
               number(layout.pp) + " x cp " + number(layout.cp) + ")");
      return;
    }
    const std::int64_t unit = without_dp();
    error("gpus",
          number(ranks) + " ranks are no multiple of tp " + number(layout.tp) + " x pp " + number(layout.pp) +
              " x cp " + number(layout.cp) + " = " + number(unit) + "; a multiple of " + number(unit) + " is needed",
          "for example --gpus " + number((ranks + unit - 1) / unit * unit), "layout.world-size");
    layout.dp = static_cast<int>(std::max<std::int64_t>(ranks / unit, 1));
    result_.dp_is_known = false;
  }

  /// dp and ranks are stated and exactly one of tp and pp is not: it is what is left.
  void derive_one_left_out(std::int64_t ranks) {
    Layout& layout = result_.layout;
    if (choices_.tp.has_value() == choices_.pp.has_value())
      return;
    const std::int64_t rest = without_dp() * layout.dp;
    if (ranks % rest != 0 || ranks == rest)
      return;
    int& degree = choices_.tp ? layout.pp : layout.tp;
    degree = static_cast<int>(ranks / rest);
    assume(std::string(choices_.tp ? "pp " : "tp ") + number(degree) + ": what is left of " + number(ranks) + " ranks");
  }

  void derive_chunks() {
    Layout& layout = result_.layout;
    layout.vpp = static_cast<int>(choices_.vpp.value_or(1));
    if (!choices_.layers_per_chunk)
      return;
    const std::int64_t size = *choices_.layers_per_chunk;
    const std::int64_t layers = layer_count(model_);
    const std::int64_t pp = layout.pp;
    if (choices_.vpp) {
      error("layers_per_chunk", "says the same as vpp, which is stated too", "leave one of the two out",
            "layout.layers-divide");
      return;
    }
    if (layers % (pp * size) == 0) {
      layout.vpp = static_cast<int>(layers / (pp * size));
      return;
    }
    std::vector<std::int64_t> allowed;
    for (const std::int64_t candidate : divisors(layers))
      if (layers % (pp * candidate) == 0)
        allowed.push_back(candidate);
    error("layers_per_chunk",
          number(layers) + " layers do not divide into " + number(pp) + " stages of chunks of " + number(size) +
              ": would build " + number(layers / pp / size * size * pp) + " of " + number(layers) +
              "; allowed: " + (allowed.empty() ? "none with this pp" : join_numbers(allowed)),
          allowed.empty() ? "pp may be " + join_numbers(divisors(layers)) : "", "layout.layers-divide");
  }

  void place_on_nodes() {
    const std::int64_t ranks = *result_.ranks;
    Cluster& cluster = result_.cluster;
    const std::int64_t devices = device_count(cluster);
    if (ranks < devices) {
      if (choices_.gpus || choices_.dp)
        assume(number(ranks) + " of the cluster's " + number(devices) +
               (shares_cores(cluster) ? " cores" : " devices") + " are used");
      return;
    }
    if (ranks == devices)
      return;
    if (shares_cores(cluster)) {
      if (ranks <= rank_capacity(cluster))
        assume(number(ranks) + " ranks on " + number(devices) + " cores: up to " +
               number((ranks + devices - 1) / devices) + " ranks take turns on a core");
      return;  // beyond capacity: the rule cluster.holds-ranks says so
    }
    if (!is_uniform(cluster) || !cluster.groups.front().network || ranks > (1 << 20))
      return;  // the same rule
    const int before = node_count(cluster);
    cluster = resized(cluster, static_cast<int>(ranks));
    assume("cluster resized from " + number(before) + " to " + number(node_count(cluster)) + " nodes of " +
           number(cluster.groups.front().devices_per_node) + " devices to hold " + number(ranks) + " ranks");
  }

  const Model& model_;
  const PlanChoices& choices_;
  const std::string& source_;
  Diagnostics& problems_;
  RankDerivation result_;
};

}  // namespace

RankDerivation derive_ranks(const Model& model, const Cluster& cluster, const PlanChoices& choices,
                            const std::string& source, Diagnostics& problems) {
  return RankResolver(model, cluster, choices, source, problems).run();
}

}  // namespace trainwright::model
