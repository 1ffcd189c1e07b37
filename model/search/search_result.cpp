// SPDX-License-Identifier: Apache-2.0
#include "model/search/search_result.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace trainwright::model {
namespace {

auto degrees(const FoundPlan& plan) {
  const Layout& l = plan.layout;
  return std::tuple(plan.figures.devices, plan.figures.global_batch, l.tp, l.pp, l.cp, l.dp, l.ep, l.etp);
}

bool dominates(const PlanFigures& a, const PlanFigures& b) {
  return a.step_s / static_cast<double>(a.global_batch) <= b.step_s / static_cast<double>(b.global_batch) &&
         a.devices <= b.devices && a.peak_bytes <= b.peak_bytes;
}

double doublings(std::int64_t a, std::int64_t b) {
  return std::abs(std::log2(static_cast<double>(a)) - std::log2(static_cast<double>(b)));
}

double distance(const Layout& a, const Layout& b) {
  return doublings(a.tp, b.tp) + doublings(a.pp, b.pp) + doublings(a.cp, b.cp) + doublings(a.ep, b.ep) +
         doublings(a.etp, b.etp) + doublings(a.vpp, b.vpp) + doublings(a.micro_batch, b.micro_batch);
}

}  // namespace

bool SearchFindings::is_dominated(const PlanFigures& plan) const {
  return std::any_of(pareto.begin(), pareto.end(),
                     [&](const FoundPlan& known) { return dominates(known.figures, plan); });
}

void SearchFindings::add_best(const FoundPlan& plan, std::size_t top) {
  if (best.size() < top || plan < best.back()) {
    best.insert(std::upper_bound(best.begin(), best.end(), plan), plan);
    if (best.size() > top)
      best.pop_back();
  }
  const auto known = std::find_if(of_degrees.begin(), of_degrees.end(),
                                  [&](const FoundPlan& other) { return degrees(other) == degrees(plan); });
  if (known == of_degrees.end())
    of_degrees.push_back(plan);
  else if (plan < *known)
    *known = plan;
}

void SearchFindings::add_front(const FoundPlan& plan) {
  if (is_dominated(plan.figures))
    return;
  std::erase_if(pareto, [&](const FoundPlan& known) { return dominates(plan.figures, known.figures); });
  const auto by_step = [](const FoundPlan& a, const FoundPlan& b) {
    return std::tuple(a.figures.step_s, a.place) < std::tuple(b.figures.step_s, b.place);
  };
  pareto.insert(std::upper_bound(pareto.begin(), pareto.end(), plan, by_step), plan);
}

void SearchFindings::reject(const std::string& rule, const std::string& message, const Layout& example,
                            const PlanFigures& figures, std::int64_t layouts) {
  const auto [entry, is_new] = rules.try_emplace(rule);
  entry->second.layouts += layouts;
  if (is_new) {
    entry->second.message = message;
    entry->second.example = example;
    entry->second.figures = figures;
  }
}

void SearchFindings::merge(const SearchFindings& other, std::size_t top) {
  for (const FoundPlan& plan : other.of_degrees)
    add_best(plan, top);
  for (const FoundPlan& plan : other.best)
    if (std::find(best.begin(), best.end(), plan) == best.end())
      add_best(plan, top);
  for (const FoundPlan& plan : other.pareto)
    add_front(plan);
  for (const auto& [rule, rejected] : other.rules)
    reject(rule, rejected.message, rejected.example, rejected.figures, rejected.layouts);
  counts += other.counts;
}

void find_nearest(SearchFindings& findings) {
  for (auto& [rule, rejected] : findings.rules) {
    rejected.nearest.reset();
    std::tuple<double, double, std::uint64_t> nearest;
    for (const FoundPlan& plan : findings.of_degrees) {
      const std::tuple far{distance(rejected.example, plan.layout), plan.score, plan.place};
      if (!rejected.nearest || far < nearest) {
        nearest = far;
        rejected.nearest = plan;
      }
    }
  }
}

}  // namespace trainwright::model
