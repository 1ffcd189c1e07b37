// The tabulated evaluator gives what the closed-form estimator gives, and allocates nothing once its tables are filled.
// SPDX-License-Identifier: Apache-2.0
#include "model/search/plan_evaluator.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/step_time.hpp"
#include "tests/support/builders.hpp"
#include "tests/unit/model/search/allocation_count.hpp"

namespace trainwright {
namespace {

template <class T>
T pick(std::mt19937& random, std::initializer_list<T> values) {
  return *(values.begin() + static_cast<std::ptrdiff_t>(random() % values.size()));
}

model::Model gpt() {
  model::Model model = test::small_gpt(8, 512, 8, 4096);
  model.max_positions = 512;
  return model;
}

model::Model drawn_model(std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return gpt();
    case 1:
      return test::small_moe(8, 512, 8);
    case 2: {  // dense layers first
      model::Model mixed = test::small_moe(6, 512, 8);
      model::LayerRun dense = test::small_llama(2, 512, 8).layers.front();
      mixed.layers.insert(mixed.layers.begin(), dense);
      return mixed;
    }
    default:
      return test::small_llama(8, 512, 8);
  }
}

// A valid plan; every field that the estimator reads varies.
model::Plan drawn_plan(std::mt19937& random) {
  for (;;) {
    model::Plan plan;
    plan.model = drawn_model(random);
    model::Layout& layout = plan.layout;
    layout.dp = pick(random, {1, 2, 4, 8});
    layout.tp = pick(random, {1, 2, 4});
    layout.pp = pick(random, {1, 2, 4, 8});
    layout.cp = pick(random, {1, 1, 2});
    layout.vpp = layout.pp > 1 ? pick(random, {1, 1, 2}) : 1;
    layout.ep = pick(random, {1, 1, 2, 4});
    layout.etp = pick(random, {1, 1, 2});
    layout.micro_batch = pick<std::int64_t>(random, {1, 2, 4});
    layout.sequence_parallel = layout.tp > 1 && random() % 2 == 0;
    layout.recompute = pick(random, {model::Recompute::none, model::Recompute::selective, model::Recompute::full});
    layout.cp_kind = pick(random, {model::ContextKind::ring, model::ContextKind::ulysses});
    layout.tensor_chunks = layout.sequence_parallel ? pick(random, {1, 4}) : 1;
    layout.zero = pick(random, {0, 1, 2, 3});
    layout.zero_group = layout.zero > 0 ? pick(random, {0, 0, 2}) : 0;
    layout.overlap_gradients = random() % 4 != 0;
    layout.overlap_parameters = random() % 4 != 0;
    layout.reshard_after_forward = random() % 3 != 0;
    layout.gathers_in_flight = pick(random, {1, 2, 3});
    layout.bucket = model::ByteCount(pick<std::int64_t>(random, {200'000, 4'000'000, 1'000'000'000}));
    layout.schedule = layout.vpp > 1
                          ? model::PipelineSchedule::interleaved
                          : pick(random, {model::PipelineSchedule::one_f_one_b, model::PipelineSchedule::gpipe,
                                          model::PipelineSchedule::zero_bubble_h1, model::PipelineSchedule::dual_pipe});
    if (layout.vpp == 1 && layout.pp == 4 && random() % 4 == 0 && layout.schedule != model::PipelineSchedule::dual_pipe)
      layout.stage_layers = {1, 3, 2, 2};
    const auto count = pick<std::int64_t>(random, {1, 2, 8, 16, 24});
    plan.job.seq_len = 512;
    plan.job.global_batch = layout.micro_batch * layout.dp * count;
    plan.job.framework = pick<const char*>(random, {"megatron-core", "fsdp", "deepspeed"});
    plan.job.attention = pick(random, {model::AttentionKernel::flash, model::AttentionKernel::unfused});
    plan.cluster = test::switched_cluster(64);
    if (random() % 3 == 0) {  // a network as slow as to end every overlap
      plan.cluster.groups.front().network->rate *= 0.02;
      plan.cluster.groups.front().link->bandwidth *= 0.05;
    }
    if (random() % 4 == 0)
      plan.constants.communication_compute_share = 0.2;
    if (!model::check_plan(plan, "").has_errors())
      return plan;
  }
}

std::string told(const model::Plan& plan) {
  const model::Layout& l = plan.layout;
  return "dp " + std::to_string(l.dp) + " tp " + std::to_string(l.tp) + " pp " + std::to_string(l.pp) + " vpp " +
         std::to_string(l.vpp) + " cp " + std::to_string(l.cp) + " ep " + std::to_string(l.ep) + " etp " +
         std::to_string(l.etp) + " zero " + std::to_string(l.zero) + "/" + std::to_string(l.zero_group) + " mb " +
         std::to_string(l.micro_batch) + " batch " + std::to_string(plan.job.global_batch) + " schedule " +
         std::to_string(static_cast<int>(l.schedule)) + " overlap " + std::to_string(l.overlap_gradients) +
         std::to_string(l.overlap_parameters) + std::to_string(l.reshard_after_forward) +
         std::to_string(l.gathers_in_flight) + " share " + std::to_string(plan.constants.communication_compute_share);
}

void expect_equal_to_estimator(const model::Plan& plan, const model::PlanCost& cost) {
  const model::StageModels stages = model::stage_models(plan);
  const double step = model::step_time(plan, stages).step.count();
  // The estimator drops an idle time below a billionth of the step.
  EXPECT_NEAR(cost.step.count(), step, 1.001e-9 * step) << told(plan);
  EXPECT_EQ(cost.peak, model::estimate_memory(plan, stages).peak) << told(plan);
}

TEST(PlanEvaluator, EqualsTheEstimatorOnDrawnPlans) {
  std::mt19937 random(7);
  for (int i = 0; i < 1500 && !testing::Test::HasFailure(); ++i) {
    const model::Plan plan = drawn_plan(random);
    model::PlanEvaluator evaluator(plan);
    expect_equal_to_estimator(plan, evaluator.cost(plan.layout));
    EXPECT_EQ(evaluator.estimated(), 0);
  }
}

// Tables that one layout filled serve others: none may read an entry that is not its own.
TEST(PlanEvaluator, EqualsTheEstimatorWhenTablesAreShared) {
  std::mt19937 random(8);
  std::vector<model::Plan> plans;
  const model::Plan first = drawn_plan(random);
  while (plans.size() < 150) {
    model::Plan plan = drawn_plan(random);
    plan.model = gpt();
    plan.cluster = first.cluster;
    plan.constants = first.constants;
    plan.job = first.job;
    plan.job.global_batch = 64;
    plan.layout.ep = plan.layout.etp = 1;
    if (!model::check_plan(plan, "").has_errors())
      plans.push_back(plan);
  }
  model::PlanEvaluator evaluator(plans.front());
  for (const model::Plan& plan : plans)
    expect_equal_to_estimator(plan, evaluator.cost(plan.layout));
  for (const model::Plan& plan : plans)
    expect_equal_to_estimator(plan, evaluator.cost(plan.layout));
}

// Ranks that take turns on cores are outside the tables: the estimator answers, and it is said.
TEST(PlanEvaluator, SaysWhatItLeavesToTheEstimator) {
  model::Plan plan;
  plan.model = gpt();
  plan.cluster = test::shared_core_node(4);
  plan.layout.dp = 8;
  plan.job.seq_len = 128;
  plan.job.global_batch = 8;
  plan.job.precision = model::Precision::fp32;
  ASSERT_FALSE(model::check_plan(plan, "").has_errors());
  model::PlanEvaluator evaluator(plan);
  expect_equal_to_estimator(plan, evaluator.cost(plan.layout));
  EXPECT_EQ(evaluator.estimated(), 1);
  plan.layout.dp = 4;
  expect_equal_to_estimator(plan, evaluator.cost(plan.layout));
  EXPECT_EQ(evaluator.estimated(), 1);
  plan.layout.recompute = model::Recompute::full;
  plan.layout.recompute_layers = 3;
  expect_equal_to_estimator(plan, evaluator.cost(plan.layout));
  EXPECT_EQ(evaluator.estimated(), 2);
}

TEST(PlanEvaluator, AllocatesNothingOnceTablesAreFilled) {
  std::mt19937 random(9);
  std::vector<model::Plan> plans;
  while (plans.size() < 40) {
    model::Plan plan = drawn_plan(random);
    plan.model = gpt();
    plan.job.global_batch = 64;
    plan.layout.ep = plan.layout.etp = 1;
    plan.layout.stage_layers.clear();
    if (!model::check_plan(plan, "").has_errors())
      plans.push_back(plan);
  }
  model::PlanEvaluator evaluator(plans.front());
  for (const model::Plan& plan : plans)
    (void)evaluator.cost(plan.layout);
  if (!test::counts_allocations())
    GTEST_SKIP() << "a sanitizer allocates";
  const std::int64_t before = test::allocations();
  ASSERT_GT(before, 0);
  double sum = 0.0;
  for (const model::Plan& plan : plans)
    sum += evaluator.cost(plan.layout).step.count();
  EXPECT_EQ(test::allocations(), before);
  EXPECT_GT(sum, 0.0);
}

}  // namespace
}  // namespace trainwright
