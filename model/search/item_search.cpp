// SPDX-License-Identifier: Apache-2.0
#include "model/search/item_search.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "model/estimate/memory_estimate.hpp"
#include "model/plan/pipeline_shape.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/plan/unsupported_features.hpp"
#include "model/search/search_bounds.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

bool puts_weights_off(PipelineSchedule schedule) {
  return schedule == PipelineSchedule::zero_bubble_h1 || schedule == PipelineSchedule::dual_pipe;
}

class ItemSearch {
 public:
  ItemSearch(const ItemRequest& request, PlanEvaluator& evaluator, std::stop_token stop)
      : request_(request),
        goal_(request.goal),
        evaluator_(evaluator),
        stop_(std::move(stop)),
        place_(request.place << 40),
        batch_(request.item.global_batch) {
    figures_.devices = request.item.devices;
    figures_.global_batch = batch_;
  }

  std::optional<SearchFindings> run() {
    const std::vector<Layout> grids = item_grids(request_.space, request_.item, evaluator_.plan());
    for (const Layout& grid : grids) {
      search(grid);
      if (stop_.stop_requested())
        return std::nullopt;
    }
    return std::move(found_);
  }

 private:
  // A stage structure with every way to shard it.
  struct Sharded {
    std::vector<ShardTable> tables;
    double least_update = 0.0;
  };

  [[nodiscard]] double bound() const { return std::min(request_.bound, found_.bound(goal_.top)); }

  void count(std::int64_t layouts, std::int64_t SearchCounts::*kind) {
    found_.counts.layouts += layouts;
    found_.counts.*kind += layouts;
  }

  // Counts `layouts` under each rule that `layout` breaks; false if there is one.
  bool obeys(const std::vector<Violation>& violations, const Layout& layout, std::int64_t layouts) {
    bool is_broken = false;
    for (const Violation& violation : violations)
      if (violation.severity == Severity::error) {
        found_.reject(violation.rule, violation.message, layout, {}, layouts);
        is_broken = true;
      }
    if (is_broken)
      count(layouts, &SearchCounts::rejected);
    return !is_broken;
  }

  bool obeys_layout_rules(const Layout& layout, std::int64_t layouts) {
    const Plan& plan = evaluator_.plan();
    const RuleInput input{plan.model, plan.cluster, plan.job, layout};
    std::vector<Violation> violations = check_ranges(input);
    if (violations.empty()) {
      violations = check_layout_rules(input);
      const std::vector<Violation> batch = check_batch_rules(input);
      violations.insert(violations.end(), batch.begin(), batch.end());
    }
    return obeys(violations, layout, layouts);
  }

  bool is_supported(const Layout& layout, std::int64_t layouts) {
    const Diagnostics problems = unsupported_features(evaluator_.plan_with(layout), "");
    if (!problems.has_errors())
      return true;
    found_.reject(problems.list().front().rule, problems.list().front().message, layout, {}, layouts);
    count(layouts, &SearchCounts::rejected);
    return false;
  }

  void search(const Layout& grid) {
    const Plan& plan = evaluator_.plan();
    sharding_ = sharded(request_.space, grid, plan);
    chunkings_ = chunkings(request_.space, grid, plan);
    passes_ = pass_choices(request_.space, grid, plan);
    const std::vector<std::int64_t> micro_batches = micro_batch_choices(request_.space, grid, batch_);
    ways_ = static_cast<std::int64_t>(sharding_.size());
    const std::int64_t chunked = ways_ * static_cast<std::int64_t>(chunkings_.size());
    const auto sizes = static_cast<std::int64_t>(micro_batches.size());
    const std::int64_t all = chunked * static_cast<std::int64_t>(passes_.size()) * sizes;
    limit_ = static_cast<double>(rank_capacity(evaluator_.plan_with(grid)).count()) * (1.0 - goal_.memory_margin);
    sharded_.clear();
    if (!obeys_layout_rules(grid, all))
      return;
    for (const PassChoice& choice : passes_) {
      Layout layout = grid;
      layout.sequence_parallel = choice.sequence_parallel;
      layout.recompute = choice.recompute;
      layout.cp_kind = choice.cp_kind;
      if (!obeys_layout_rules(layout, chunked * sizes) || !is_supported(layout, chunked * sizes))
        continue;
      for (std::size_t i = 0; i < micro_batches.size(); ++i) {
        layout.micro_batch = micro_batches[i];
        if (!obeys_layout_rules(layout, chunked))
          continue;
        // More tokens at a time never hold less: once nothing fits, nothing larger does.
        if (search_passes(layout))
          continue;
        for (++i; i < micro_batches.size(); ++i) {
          layout.micro_batch = micro_batches[i];
          found_.reject("memory.fits", "does not fit with a smaller micro-batch already", layout, {}, chunked);
          count(chunked, &SearchCounts::rejected);
        }
      }
      if (stop_.stop_requested())
        return;
    }
  }

  // All chunkings of a split; false if each of them is known to be too large for the memory.
  bool search_passes(Layout layout) {
    bool may_fit = false;
    std::map<std::pair<int, bool>, StageTable> stages;  // by chunks and weights put off
    for (const Chunking& chunking : chunkings_) {
      layout.vpp = chunking.vpp;
      layout.schedule = chunking.schedule;
      if (chunking.schedule != PipelineSchedule::one_f_one_b && !obeys_layout_rules(layout, ways_)) {
        may_fit = true;  // not known
        continue;
      }
      const bool weights_off = puts_weights_off(layout.schedule);
      auto table = stages.find({layout.vpp, weights_off});
      if (table == stages.end())
        table = stages
                    .emplace(std::pair{layout.vpp, weights_off},
                             stage_table(evaluator_.passes(layout, weights_off), layout))
                    .first;
      may_fit = search_run(layout, table->second, weights_off) || may_fit;
    }
    return may_fit;
  }

  const Sharded& sharded_of(const Layout& layout, const StageTable& stages) {
    const std::tuple key{layout.vpp, layout.schedule == PipelineSchedule::dual_pipe, layout.recompute};
    const auto found = sharded_.find(key);
    if (found != sharded_.end())
      return found->second;
    Sharded all;
    for (std::size_t i = 0; i < sharding_.size(); ++i) {
      Layout own = with_sharding(layout, i);
      all.tables.push_back(evaluator_.shards(own, stages));
      const ShardTable& table = all.tables.back();
      const double update = *std::min_element(table.updates.begin(), table.updates.end());
      all.least_update = i == 0 ? update : std::min(all.least_update, update);
    }
    return sharded_.emplace(key, std::move(all)).first->second;
  }

  [[nodiscard]] Layout with_sharding(const Layout& layout, std::size_t i) const {
    const Layout& sharding = sharding_[i];
    Layout own = layout;
    own.zero = sharding.zero;
    own.zero_group = sharding.zero_group;
    own.bucket = sharding.bucket;
    own.overlap_gradients = sharding.overlap_gradients;
    own.overlap_parameters = sharding.overlap_parameters;
    own.reshard_after_forward = sharding.reshard_after_forward;
    own.gathers_in_flight = sharding.gathers_in_flight;
    return own;
  }

  // Whether a plan of at least so many seconds a step can still be wanted. `peak` is at most its own.
  bool is_wanted(double seconds, std::int64_t peak) {
    PlanFigures least = figures_;
    least.step_s = seconds;
    least.peak_bytes = peak;
    if (!broken_constraint(goal_, least, evaluator_.plan().cluster).empty())
      return true;  // counted under the constraint by keep_to_constraints
    // Bounds are sums in another order: equal plans must not be lost to rounding.
    constexpr double kRounding = 1.0 - 1e-9;
    least.step_s *= kRounding;
    if (score(goal_.objective, least) <= bound())
      return true;
    return goal_.pareto && !found_.is_dominated(least) && !request_.known.is_dominated(least);
  }

  // All ways to shard one pipeline; false if its passes are known not to fit whatever the way.
  bool search_run(const Layout& layout, const StageTable& stages, bool weights_off) {
    if (!evaluator_.has_tables(layout))
      return search_estimated(layout);
    const Sharded& ways = sharded_of(layout, stages);
    const std::int64_t count_of_step = micro_batches(layout, batch_);
    const std::int64_t through_chunk = micro_batches_of_chunk(layout, count_of_step);
    const double host = evaluator_.host_time(count_of_step).count();
    if (!is_wanted(busiest_seconds(stages, layout, through_chunk, weights_off) + host + ways.least_update, 0)) {
      count(ways_, &SearchCounts::pruned);
      return true;
    }
    const PipelineRun run = evaluator_.run(layout, stages);
    const bool run_is_wanted = is_wanted(run.total + host + ways.least_update, 0);
    bool may_fit = false;
    std::optional<FoundPlan> best;
    for (std::size_t i = 0; i < ways.tables.size(); ++i) {
      ++place_;
      const ShardTable& shards = ways.tables[i];
      PlanFigures figures = figures_;
      figures.peak_bytes = peak_bytes(run, shards);
      if (static_cast<double>(figures.peak_bytes) > limit_) {
        reject_memory(with_sharding(layout, i), figures);
        continue;
      }
      may_fit = true;
      const Layout own = with_sharding(layout, i);
      const PlanTables tables{own, stages, run, shards};
      double least = run.total;
      if (shards.communicates && shards.rules.reduces_every_pass)
        least = std::max(least, message_seconds(stages, layout, shards, through_chunk));
      least += host + *std::min_element(shards.updates.begin(), shards.updates.end());
      if (!run_is_wanted || !is_wanted(least, figures.peak_bytes)) {
        count(1, &SearchCounts::pruned);
        continue;
      }
      figures.step_s = evaluator_.step(tables).count();
      consider(own, figures, best);
    }
    if (best)
      found_.add_best(*best, goal_.top);
    return may_fit;
  }

  // What the tables cannot tell goes through the estimator, layout by layout.
  bool search_estimated(const Layout& layout) {
    bool may_fit = false;
    std::optional<FoundPlan> best;
    for (std::size_t i = 0; i < sharding_.size(); ++i) {
      ++place_;
      const Layout own = with_sharding(layout, i);
      const PlanCost cost = evaluator_.cost(own);
      PlanFigures figures = figures_;
      figures.step_s = cost.step.count();
      figures.peak_bytes = cost.peak.count();
      if (static_cast<double>(figures.peak_bytes) > limit_) {
        reject_memory(own, figures);
        continue;
      }
      may_fit = true;
      consider(own, figures, best);
    }
    if (best)
      found_.add_best(*best, goal_.top);
    return may_fit;
  }

  void reject_memory(const Layout& layout, const PlanFigures& figures) {
    const bool is_first = !found_.rules.contains("memory.fits");
    found_.reject("memory.fits",
                  is_first ? "needs " + format(ByteCount(figures.peak_bytes)) + ", " +
                                 format(ByteCount(static_cast<std::int64_t>(limit_))) + " may be used"
                           : std::string(),
                  layout, figures, 1);
    count(1, &SearchCounts::rejected);
  }

  // Of the ways to shard one pipeline at one level of sharding the best is listed.
  void consider(const Layout& layout, const PlanFigures& figures, std::optional<FoundPlan>& best) {
    const std::string_view broken = broken_constraint(goal_, figures, evaluator_.plan().cluster);
    if (!broken.empty()) {
      found_.reject(std::string(broken), "beyond what is allowed", layout, figures, 1);
      count(1, &SearchCounts::rejected);
      return;
    }
    count(1, &SearchCounts::costed);
    const FoundPlan plan{layout, figures, score(goal_.objective, figures), place_};
    if (goal_.pareto)
      found_.add_front(plan);
    if (best && best->layout.zero != layout.zero) {
      found_.add_best(*best, goal_.top);
      best.reset();
    }
    if (!best || plan < *best)
      best = plan;
  }

  const ItemRequest& request_;
  const SearchGoal& goal_;
  PlanEvaluator& evaluator_;
  std::stop_token stop_;
  std::uint64_t place_;
  std::int64_t batch_;
  PlanFigures figures_;
  double limit_ = 0.0;
  std::int64_t ways_ = 0;
  std::vector<Layout> sharding_;
  std::vector<Chunking> chunkings_;
  std::vector<PassChoice> passes_;
  std::map<std::tuple<int, bool, Recompute>, Sharded> sharded_;  // by chunks, DualPipe, recomputation
  SearchFindings found_;
};

}  // namespace

std::optional<SearchFindings> search_item(const ItemRequest& request, PlanEvaluator& evaluator, std::stop_token stop) {
  const std::int64_t walked = evaluator.walked();
  std::optional<SearchFindings> found = ItemSearch(request, evaluator, std::move(stop)).run();
  if (found)
    found->counts.walked = evaluator.walked() - walked;
  return found;
}

}  // namespace trainwright::model
