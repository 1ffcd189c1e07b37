// The search against brute force: every layout of a small space through the closed-form estimator, one after the other.
// SPDX-License-Identifier: Apache-2.0
#include "model/search/layout_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/step_time.hpp"
#include "model/plan/plan_rules.hpp"
#include "tests/support/builders.hpp"

namespace trainwright {
namespace {

constexpr int kDevices = 8;
constexpr std::int64_t kBatch = 16;

model::SearchRequest small_search() {
  model::SearchRequest request;
  request.base.model = test::small_gpt(8, 512, 8, 4096);
  request.base.model.max_positions = 512;
  request.base.cluster = test::switched_cluster(kDevices / 2, 2);
  request.base.cluster.groups.front().accelerator.memory = model::ByteCount(1'150'000'000);
  request.base.job.seq_len = 512;
  request.base.job.global_batch = kBatch;
  request.space.devices = {kDevices};
  request.space.global_batches = {kBatch};
  request.space.micro_batch = {1, 2, 4};
  request.space.recompute = {model::Recompute::none, model::Recompute::full};
  request.space.cp_kind = {model::ContextKind::ring};
  request.space.bucket = {model::ByteCount(4'000'000)};
  request.space.overlap_gradients = {true};
  request.space.reshard_after_forward = {true};
  request.space.gathers_in_flight = {2};
  return request;
}

struct Costed {
  model::Layout layout;
  double step = 0.0;
  std::int64_t peak = 0;
};

// All that fits and breaks no rule.
std::vector<Costed> brute_force(const model::SearchRequest& request) {
  std::vector<Costed> all;
  model::Plan plan = request.base;
  model::Layout& l = plan.layout;
  l.bucket = request.space.bucket.front();
  const double limit =
      static_cast<double>(plan.cluster.groups.front().accelerator.memory.count()) * (1.0 - request.goal.memory_margin);
  const std::vector<int> degrees{1, 2, 4, 8};
  for (l.tp = 1; l.tp <= kDevices; l.tp *= 2)
    for (l.pp = 1; l.tp * l.pp <= kDevices; l.pp *= 2)
      for (l.cp = 1; l.tp * l.pp * l.cp <= kDevices; l.cp *= 2) {
        l.dp = kDevices / (l.tp * l.pp * l.cp);
        for (const model::PipelineSchedule schedule : request.space.schedule)
          for (const int vpp : degrees)
            for (const std::int64_t micro_batch : request.space.micro_batch)
              for (const bool sequence_parallel : {false, true})
                for (const model::Recompute recompute : request.space.recompute)
                  for (const int zero : {0, 1, 2, 3})
                    for (const int group : {0, 2})
                      for (const bool overlap : {true, false}) {
                        l.schedule = schedule;
                        l.vpp = vpp;
                        l.micro_batch = micro_batch;
                        l.sequence_parallel = sequence_parallel;
                        l.recompute = recompute;
                        l.zero = zero;
                        l.zero_group = group;
                        l.overlap_parameters = overlap;
                        // Outside the space: schedules without a pipeline, shard groups that are not a node's.
                        if (l.pp == 1 && schedule != model::PipelineSchedule::one_f_one_b)
                          continue;
                        if (group != 0 && (l.tp != 1 || l.dp * l.cp <= 2))
                          continue;
                        const model::RuleInput input{plan.model, plan.cluster, plan.job, l};
                        const auto broken = [](const std::vector<model::Violation>& list) {
                          return std::any_of(list.begin(), list.end(), [](const model::Violation& violation) {
                            return violation.severity == model::Severity::error;
                          });
                        };
                        if (broken(model::check_layout_rules(input)) || broken(model::check_batch_rules(input)))
                          continue;
                        const model::StageModels stages = model::stage_models(plan);
                        const std::int64_t peak = model::estimate_memory(plan, stages).peak.count();
                        if (static_cast<double>(peak) > limit)
                          continue;
                        all.push_back({l, model::step_time(plan, stages).step.count(), peak});
                      }
      }
  return all;
}

const std::vector<Costed>& feasible() {
  static const std::vector<Costed> all = brute_force(small_search());
  return all;
}

model::SearchFindings found(model::SearchRequest request, int threads = 1) {
  model::LayoutSearch search(std::move(request));
  search.advance(threads, {}, {});
  EXPECT_TRUE(search.is_complete());
  return search.findings();
}

TEST(LayoutSearch, FindsWhatBruteForceFindsForEveryObjective) {
  ASSERT_GT(feasible().size(), 500U);
  for (const auto& [word, objective] : model::kSearchObjectiveWords) {
    model::SearchRequest request = small_search();
    request.goal.objective = objective;
    request.goal.top = 5;
    const model::SearchFindings result = found(request);
    ASSERT_FALSE(result.best.empty()) << word;
    double least = std::numeric_limits<double>::infinity();
    for (const Costed& plan : feasible())
      least = std::min(least, model::score(objective, {kDevices, kBatch, plan.step, plan.peak}));
    EXPECT_NEAR(result.best.front().score, least, 2e-9 * least) << word;
    // What is found is what the estimator says of that layout, and the list is in order.
    for (std::size_t i = 0; i < result.best.size(); ++i) {
      model::Plan plan = request.base;
      plan.layout = result.best[i].layout;
      const model::StageModels stages = model::stage_models(plan);
      EXPECT_NEAR(result.best[i].figures.step_s, model::step_time(plan, stages).step.count(),
                  2e-9 * result.best[i].figures.step_s);
      EXPECT_EQ(result.best[i].figures.peak_bytes, model::estimate_memory(plan, stages).peak.count());
      if (i > 0) {
        EXPECT_GE(result.best[i].score, result.best[i - 1].score);
      }
    }
  }
}

TEST(LayoutSearch, FindsTheParetoFrontOfBruteForce) {
  model::SearchRequest request = small_search();
  request.goal.pareto = true;
  const model::SearchFindings result = found(request);
  ASSERT_GT(result.pareto.size(), 2U);
  const auto same = [](double a, double b) { return std::abs(a - b) <= 2e-9 * b; };
  for (const Costed& plan : feasible()) {
    const bool is_covered = std::any_of(result.pareto.begin(), result.pareto.end(), [&](const model::FoundPlan& front) {
      return front.figures.step_s <= plan.step * (1.0 + 2e-9) && front.figures.peak_bytes <= plan.peak;
    });
    EXPECT_TRUE(is_covered);
  }
  for (const model::FoundPlan& front : result.pareto) {
    const auto is_it = [&](const Costed& plan) {
      return same(plan.step, front.figures.step_s) && plan.peak == front.figures.peak_bytes;
    };
    EXPECT_TRUE(std::any_of(feasible().begin(), feasible().end(), is_it));
  }
}

TEST(LayoutSearch, AccountsForEveryLayout) {
  const model::SearchFindings result = found(small_search());
  const model::SearchCounts& counts = result.counts;
  EXPECT_EQ(counts.layouts, counts.rejected + counts.pruned + counts.costed);
  EXPECT_GT(counts.pruned, 0);
  EXPECT_GT(counts.rejected, 0);
  for (const char* rule : {"memory.fits", "layout.tp-divides-heads"})
    EXPECT_EQ(result.rules.contains(rule), std::string(rule) == "memory.fits") << rule;
  ASSERT_TRUE(result.rules.at("memory.fits").nearest);
  EXPECT_GT(result.rules.at("memory.fits").figures.peak_bytes, 1'092'500'000);
}

TEST(LayoutSearch, CountsBrokenRulesWithTheNearestThatKeepsThem) {
  model::SearchRequest request = small_search();
  request.space.devices = {12};
  request.space.global_batches = {24};
  const model::SearchFindings result = found(request);
  ASSERT_TRUE(result.rules.contains("layout.tp-divides-heads"));
  const model::RejectedRule& rule = result.rules.at("layout.tp-divides-heads");
  EXPECT_EQ(rule.example.tp % 3, 0);
  EXPECT_NE(rule.message.find("8 attention heads"), std::string::npos);
  ASSERT_TRUE(rule.nearest);
  EXPECT_NE(rule.nearest->layout.tp % 3, 0);
}

TEST(LayoutSearch, FindsTheSameWhateverTheThreads) {
  model::SearchRequest request = small_search();
  request.goal.pareto = true;
  const model::SearchFindings one = found(request, 1);
  const model::SearchFindings four = found(request, 4);
  EXPECT_EQ(one.best, four.best);
  EXPECT_EQ(one.pareto, four.pareto);
  EXPECT_EQ(one.counts.costed, four.counts.costed);
  EXPECT_EQ(one.counts.pruned, four.counts.pruned);
}

TEST(LayoutSearch, GoesOnAfterAStopToTheSameEnd) {
  const model::SearchFindings whole = found(small_search());
  model::LayoutSearch search(small_search());
  for (int stops = 0; !search.is_complete() && stops < 100; ++stops) {
    std::stop_source source;
    search.advance(1, source.get_token(), [&](double) { source.request_stop(); });
    if (!search.is_complete()) {
      const model::SearchFindings so_far = search.findings();
      if (!so_far.best.empty()) {
        EXPECT_GE(so_far.best.front().score, whole.best.front().score);
      }
    }
  }
  ASSERT_TRUE(search.is_complete());
  EXPECT_EQ(search.findings().best, whole.best);
}

TEST(LayoutSearch, KeepsToDeadlineAndPrice) {
  model::SearchRequest request = small_search();
  request.base.cluster.price_per_device_hour = 2.0;
  request.space.devices = {4, 8};
  request.goal.samples = 16'000.0;
  const model::SearchFindings free = found(request);
  const double fastest = free.best.front().figures.step_s;
  // 1,000 steps; half of the time that the fastest plan takes cannot be met.
  request.goal.deadline_s = 500.0 * fastest;
  const model::SearchFindings late = found(request);
  EXPECT_TRUE(late.best.empty());
  ASSERT_TRUE(late.rules.contains("goal.deadline"));
  request.goal.deadline_s = 1000.0 * fastest * 1.01;
  request.goal.objective = model::SearchObjective::cost;
  for (const model::FoundPlan& plan : found(request).best)
    EXPECT_LE(1000.0 * plan.figures.step_s, *request.goal.deadline_s);
  request.goal.deadline_s.reset();
  request.goal.max_price = 1e-9;
  const model::SearchFindings poor = found(request);
  EXPECT_TRUE(poor.best.empty());
  EXPECT_TRUE(poor.rules.contains("goal.price"));
}

}  // namespace
}  // namespace trainwright
