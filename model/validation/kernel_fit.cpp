// SPDX-License-Identifier: Apache-2.0
#include "model/validation/kernel_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "model/base/contract.hpp"
#include "model/calibration/robust_fit.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kNoise = 0.05;  // scale of the residuals, as robust_fit has it
// From this many bytes on, for each rank of a switch and for all of a PCIe tree, rings change their protocol. The
// tables' sizes are powers of two, so that only the gap between two of them can be told.
constexpr std::array<double, 5> kBulkBytes{190e3, 380e3, 760e3, 1.5e6, 3.0e6};

constexpr double kNoCopy = 100.0;

RowResult result_of(const KernelPoint& point, const CostConstants& constants) {
  RowResult result;
  result.row_id = point.id.row_id;
  result.source = point.id.source;
  result.group = point.group;
  result.measured_s = point.measured_s;
  result.predicted_s = point.predict_s(constants);
  return result;
}

double objective(const KernelSet& set, const std::vector<std::size_t>& points, const CostConstants& constants) {
  double sum = 0.0;
  for (const std::size_t i : points) {
    const double r = std::log(set.points[i].predict_s(constants) / set.points[i].measured_s) / kNoise;
    sum += 2.0 * (std::sqrt(1.0 + r * r) - 1.0);
  }
  return sum;
}

// A share of a data-sheet figure is at most 1.
bool is_share(std::string_view name) {
  return name.ends_with("bandwidth_fraction") || name.ends_with("efficiency");
}

std::vector<std::size_t> all_points(const KernelSet& set) {
  std::vector<std::size_t> all(set.points.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  return all;
}

// For what no set can tell about another: starting values that a fit can move, where the built-in ones say "does not".
CostConstants starting_values(const KernelSet& set) {
  CostConstants start;
  if (set.kind != KernelSet::Kind::collective)
    return start;
  start.node_link.all_to_all_plateau_s = 6e-6;
  if (set.link == "nvlink-switch") {
    start.node_link.bulk_bytes = kBulkBytes[2];
    start.node_link.bulk_s = 3.6e-6;
    start.node_link.bulk_step_s = 0.9e-6;
    start.node_link.in_switch_efficiency = 0.54;
    start.node_link.knee_s = 8e-6;
  }
  if (set.link == "pcie") {
    start.node_link.efficiency = 0.5;
    start.node_link.crowding = 0.5;
    start.node_link.bulk_bytes = kBulkBytes[2];
    start.node_link.bulk_rank_power = 0.0;
    start.node_link.bulk_s = 5e-6;
    start.node_link.bulk_step_s = 0.5e-6;
    start.node_link.small_bandwidth_ratio = 0.45;
    start.node_link.copy_ratio = kNoCopy;
    start.node_link.all_to_all_copy_ratio = kNoCopy;
  }
  return start;
}

bool are_comparable(const KernelSet& a, const KernelSet& b) {
  return a.kind == b.kind && a.precision == b.precision && a.link == b.link &&
         a.name.substr(0, a.name.find(' ')) != "network";
}

CostConstants fit_once(const KernelSet& set, const std::vector<std::size_t>& points, const CostConstants& prior) {
  CostConstants constants = prior;
  struct Moved {
    double shadow;
    double* target;
    bool share;
  };
  std::vector<Moved> moved;
  std::vector<double> widths;
  const std::vector<ConstantRef> refs = constant_refs(constants);
  for (const std::string& name : set.parameters)
    for (const ConstantRef& ref : refs)
      if (ref.name == name && *ref.value > 0.0) {
        moved.push_back({*ref.value, ref.value, is_share(name)});
        widths.push_back(ref.prior_log_width);
      }
  const auto put = [&] {
    for (const Moved& m : moved)
      *m.target = m.share ? std::min(m.shadow, 1.0) : m.shadow;
  };
  std::vector<FitParameter> parameters;
  for (std::size_t i = 0; i < moved.size(); ++i)
    parameters.push_back({&moved[i].shadow, widths[i]});
  std::vector<FitPoint> fit_points;
  for (const std::size_t i : points)
    fit_points.push_back({set.points[i].id.row_id, set.points[i].measured_s, 1.0, [&set, &constants, &put, i] {
                            put();
                            return set.points[i].predict_s(constants);
                          }});
  robust_fit(parameters, fit_points);
  put();
  return constants;
}

}  // namespace

std::vector<RowResult> validate_kernels(const std::vector<KernelSet>& sets) {
  std::vector<RowResult> results;
  for (const KernelSet& set : sets)
    for (const KernelPoint& point : set.points)
      results.push_back(result_of(point, set.shipped));
  return results;
}

CostConstants fit_set(const KernelSet& set, const std::vector<std::size_t>& points, const CostConstants& prior) {
  const bool has_switch = set.kind == KernelSet::Kind::collective && prior.node_link.bulk_bytes > 0.0;
  if (!has_switch)
    return fit_once(set, points, prior);
  CostConstants best = prior;
  double least = std::numeric_limits<double>::infinity();
  for (const double bytes : kBulkBytes) {
    CostConstants start = prior;
    start.node_link.bulk_bytes = bytes;
    const CostConstants fitted = fit_once(set, points, start);
    if (const double value = objective(set, points, fitted); value < least) {
      least = value;
      best = fitted;
    }
  }
  return best;
}

CostConstants pooled_prior(const KernelSet& set, const std::vector<KernelSet>& sets,
                           const std::vector<CostConstants>& fitted, bool other_families) {
  TRAINWRIGHT_EXPECTS(sets.size() == fitted.size(), "one fit for each set");
  CostConstants prior = starting_values(set);
  for (const ConstantRef& ref : constant_refs(prior)) {
    if (std::find(set.parameters.begin(), set.parameters.end(), ref.name) == set.parameters.end() || *ref.value <= 0.0)
      continue;
    double sum = 0.0;
    int count = 0;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      if (sets[s].name == set.name || !are_comparable(sets[s], set) || (other_families && sets[s].family == set.family))
        continue;
      CostConstants other = fitted[s];
      for (const ConstantRef& candidate : constant_refs(other))
        if (candidate.name == ref.name && *candidate.value > 0.0) {
          sum += std::log(*candidate.value);
          ++count;
        }
    }
    if (count > 0)
      *ref.value = std::exp(sum / count);
  }
  return prior;
}

namespace {

std::vector<CostConstants> fit_all(const std::vector<KernelSet>& sets) {
  std::vector<CostConstants> fitted;
  for (const KernelSet& set : sets)
    fitted.push_back(fit_set(set, all_points(set), starting_values(set)));
  return fitted;
}

void test_on(const KernelSet& set, const std::vector<std::size_t>& points, const CostConstants& constants,
             std::vector<RowResult>& results) {
  for (const std::size_t i : points)
    results.push_back(result_of(set.points[i], constants));
}

// Which of two halves a shape is in; the same shape is in the same half on every card.
bool in_first_half(const std::string& shape, std::uint64_t seed) {
  std::uint64_t hash = 1469598103934665603ULL ^ (seed * 0x9E3779B97F4A7C15ULL);  // FNV-1a
  for (const char c : shape)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return ((hash >> 32) & 1) == 0;
}

}  // namespace

std::vector<RowResult> cross_validate(const std::vector<KernelSet>& sets, std::uint64_t seed) {
  std::vector<RowResult> results;
  const std::vector<CostConstants> fitted = fit_all(sets);
  for (const KernelSet& set : sets) {
    const CostConstants prior =
        set.kind == KernelSet::Kind::collective ? pooled_prior(set, sets, fitted, false) : starting_values(set);
    std::set<std::string> folds;
    for (const KernelPoint& point : set.points)
      folds.insert(set.kind == KernelSet::Kind::collective ? point.fold
                                                           : (in_first_half(point.fold, seed) ? "first" : "second"));
    for (const std::string& fold : folds) {
      std::vector<std::size_t> train;
      std::vector<std::size_t> test;
      for (const std::size_t i : all_points(set)) {
        const std::string& own = set.points[i].fold;
        const bool tested = set.kind == KernelSet::Kind::collective
                                ? own == fold
                                : (in_first_half(own, seed) ? "first" : "second") == fold;
        (tested ? test : train).push_back(i);
      }
      test_on(set, test, fit_set(set, train, prior), results);
    }
  }
  return results;
}

std::vector<RowResult> hold_out_cards(const std::vector<KernelSet>& sets, int count, std::uint64_t seed) {
  std::vector<RowResult> results;
  const std::vector<CostConstants> fitted = fit_all(sets);
  std::mt19937_64 generator(seed);
  for (const KernelSet& set : sets) {
    const CostConstants prior = pooled_prior(set, sets, fitted, true);
    std::vector<std::size_t> order = all_points(set);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return set.points[a].size < set.points[b].size; });
    // One point from each of `count` equal stretches of the sizes.
    std::vector<std::size_t> train;
    const auto strata = static_cast<std::size_t>(std::max(0, count));
    for (std::size_t s = 0; s < strata && strata < order.size(); ++s) {
      const std::size_t begin = s * order.size() / strata;
      const std::size_t end = (s + 1) * order.size() / strata;
      train.push_back(order[begin + generator() % (end - begin)]);
    }
    std::vector<std::size_t> test;
    for (const std::size_t i : order)
      if (std::find(train.begin(), train.end(), i) == train.end())
        test.push_back(i);
    const CostConstants constants = train.empty() ? prior : fit_set(set, train, prior);
    test_on(set, test, constants, results);
    for (const std::size_t i : train) {
      results.push_back(result_of(set.points[i], constants));
      results.back().calibrates = true;
    }
  }
  return results;
}

}  // namespace trainwright::model::validation
