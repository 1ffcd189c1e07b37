// Memory of activations and states: cases that users asked about, and published formulas.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "model/estimate/activation_items.hpp"
#include "model/estimate/analytic_estimator.hpp"
#include "model/estimate/memory_estimate.hpp"
#include "model/plan/state_recipe.hpp"
#include "model/workload/parameters.hpp"
#include "model/workload/software_stack.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

// Layers alone: neither head nor final norm, so that activations are those of the layers.
Plan layers_only(Model model, std::int64_t seq, std::int64_t batch) {
  model.has_head = false;
  model.final_norm = false;
  Layout layout;
  layout.micro_batch = batch;
  Plan plan = test::small_plan(layout, 1);
  plan.model = std::move(model);
  plan.model.max_positions = seq;
  plan.job.seq_len = seq;
  return plan;
}

std::int64_t kept(const Plan& plan) {
  std::int64_t sum = 0;
  for (const ActivationItem& item : activation_items(plan, 0))
    sum += item.bytes.count();
  return sum;
}

std::int64_t item(const Plan& plan, const std::string& operator_name, const std::string& tensor) {
  for (const ActivationItem& i : activation_items(plan, 0))
    if (i.operator_name == operator_name && i.tensor == tensor)
      return i.bytes.count();
  return -1;
}

StateRecipe recipe(std::string_view name) {
  for (const auto& [word, value] : kStateRecipes)
    if (word == name)
      return value;
  ADD_FAILURE() << name;
  return {};
}

TEST(Activations, KorthikantiEquation2) {
  // arXiv 2205.05198, equation 2: s b h (34 + 5 a s / h) a layer, without parallelism.
  Plan plan = layers_only(test::small_gpt(1, 1024, 16), 512, 4);
  plan.job.attention = AttentionKernel::unfused;
  EXPECT_EQ(kept(plan), korthikanti_layer_bytes(512, 4, 1024, 16).count());
}

TEST(Activations, KorthikantiEquation3TensorParallel) {
  // s b h (10 + 24 / t + 5 a s / (h t))
  Plan plan = layers_only(test::small_gpt(1, 1024, 16), 512, 4);
  plan.job.attention = AttentionKernel::unfused;
  plan.layout.tp = 8;
  const std::int64_t sbh = 512L * 4 * 1024;
  EXPECT_EQ(kept(plan), 10 * sbh + 24 * sbh / 8 + 5 * 16 * 512L * 512 * 4 / 8);
}

TEST(Activations, KorthikantiEquation4SequenceParallel) {
  // s b h / t (34 + 5 a s / h)
  Plan plan = layers_only(test::small_gpt(1, 1024, 16), 512, 4);
  plan.job.attention = AttentionKernel::unfused;
  plan.layout.tp = 8;
  plan.layout.sequence_parallel = true;
  EXPECT_EQ(kept(plan), korthikanti_layer_bytes(512, 4, 1024, 16).count() / 8);
}

TEST(Activations, KorthikantiEquation6SelectiveRecomputation) {
  // 34 s b h / t: the part of the scores is gone.
  Plan plan = layers_only(test::small_gpt(1, 1024, 16), 512, 4);
  plan.job.attention = AttentionKernel::unfused;
  plan.layout.recompute = Recompute::selective;
  EXPECT_EQ(kept(plan), 34L * 512 * 4 * 1024);
}

TEST(Activations, FullRecomputationKeepsLayerInputs) {
  Plan plan = layers_only(test::small_gpt(3, 1024, 16), 512, 4);
  plan.layout.recompute = Recompute::full;
  EXPECT_EQ(kept(plan), 3 * 2L * 512 * 4 * 1024);
}

TEST(Activations, ItemsSumToWhatTheGraphKeeps) {
  for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full})
    for (const AttentionKernel kernel : {AttentionKernel::flash, AttentionKernel::unfused}) {
      Layout layout;
      layout.tp = layout.pp = 2;
      layout.sequence_parallel = true;
      layout.recompute = recompute;
      Plan plan = test::small_plan(layout, 2);
      plan.job.attention = kernel;
      const StageModels stages = stage_models(plan);
      for (int stage = 0; stage < 2; ++stage) {
        std::int64_t items = 0;
        for (const ActivationItem& i : activation_items(plan, stage))
          items += i.bytes.count();
        std::int64_t graph = 0;
        for (const ByteCount bytes : stages.at(stage).forward_memory.net)
          graph += bytes.count();
        EXPECT_EQ(items, graph) << stage;
      }
    }
}

TEST(MemoryCases, M04StatesOfTheUnshardedRecipe) {
  // Stage 0: 16 bytes a parameter with 16-bit gradients. The sharded stages divide these same copies.
  const StateRecipe r = recipe("deepspeed");
  EXPECT_EQ(bytes_per_parameter(r), 16);
  EXPECT_DOUBLE_EQ(r.weight + r.gradient + (r.master + r.moments) / 8.0, 5.5);
  EXPECT_DOUBLE_EQ(r.weight + (r.gradient + r.master + r.moments) / 8.0, 3.75);
}

TEST(MemoryCases, M12SeventyBillionParametersPerRecipe) {
  EXPECT_NEAR(70.55e9 * bytes_per_parameter(recipe("pure-16-bit")) / kGiB, 526.0, 1.0);
  EXPECT_NEAR(70.55e9 * bytes_per_parameter(recipe("deepspeed")) / 1e9, 1129.0, 1.0);
}

TEST(MemoryCases, M13TwelveOrTwentyBytes) {
  EXPECT_NEAR(6.738e9 * bytes_per_parameter(recipe("fp32-transient-gradients")) / 1e9, 80.9, 0.1);
  EXPECT_NEAR(6.738e9 * bytes_per_parameter(recipe("fp32-gradients")) / 1e9, 134.8, 0.1);
}

TEST(MemoryCases, M14MegatronWithAndWithoutDistributedOptimizer) {
  const StateRecipe r = recipe("megatron");
  EXPECT_NEAR(6.738e9 * bytes_per_parameter(r) / 1e9, 121.3, 0.1);
  EXPECT_NEAR(6.738e9 * (r.weight + r.gradient + (r.master + r.moments) / 8.0) / 1e9, 50.5, 0.1);
}

TEST(MemoryCases, M18UnfusedLossKeepsSeveralCopiesOfTheLogits) {
  const std::int64_t logits = 32768L * 151936;
  std::int64_t further = 0;
  double fp32 = 0.0;
  for (const LogitCopy& copy : logit_copies(LossKernel::eager, 2)) {
    if (copy.name == "logits in fp32")
      fp32 = static_cast<double>(logits * copy.bytes) / kGiB;
    else
      ++further;
  }
  EXPECT_NEAR(fp32, 18.55, 0.01);
  EXPECT_GE(further, 2);
}

TEST(MemoryCases, M19LogitsOfATinyModel) {
  const std::int64_t logits = 2L * 256 * 151665;
  std::vector<std::int64_t> sizes;
  for (const LogitCopy& copy : logit_copies(LossKernel::in_place, 2))
    if (copy.is_forward)
      sizes.push_back(logits * copy.bytes);
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{155'304'960, 310'609'920}));
}

TEST(MemoryCases, M21NormOutputsOfGpt2Xl) {
  const Plan plan = layers_only(test::small_gpt(48, 1600, 25), 1024, 32);
  EXPECT_EQ(item(plan, "attention.qkv", "norm output") + item(plan, "mlp.up", "norm output"), 9600L * 1024 * 1024);
}

TEST(MemoryCases, M22FormulasDisagree) {
  EXPECT_NEAR(32.0 * static_cast<double>(twelve_bsh_layer_bytes(512, 8, 4096).count()) / kGiB, 12.0, 0.01);
  EXPECT_NEAR(32.0 * static_cast<double>(korthikanti_layer_bytes(512, 8, 4096, 32).count()) / kGiB, 27.0, 0.05);
}

TEST(MemoryCases, M23SelectiveSavesLittleWithAFusedKernel) {
  Plan plan = layers_only(test::small_gpt(8, 1024, 16), 2048, 1);
  plan.model.max_positions = 2048;
  const auto saving = [&](AttentionKernel kernel) {
    plan.job.attention = kernel;
    plan.layout.recompute = Recompute::none;
    const auto all = static_cast<double>(estimate_memory(plan, stage_models(plan)).peak.count());
    plan.layout.recompute = Recompute::selective;
    return 1.0 - static_cast<double>(estimate_memory(plan, stage_models(plan)).peak.count()) / all;
  };
  EXPECT_GT(saving(AttentionKernel::unfused), 0.3);
  EXPECT_LT(saving(AttentionKernel::flash), 0.05);
}

TEST(MemoryCases, M24FullRecomputationIsSlowerAndMuchSmaller) {
  Plan plan = layers_only(test::small_llama(8, 4096, 32), 8192, 1);
  plan.job.attention = AttentionKernel::unfused;
  const auto predicted = [&](Recompute recompute) {
    plan.layout.recompute = recompute;
    return *AnalyticEstimator().estimate(plan, {}, {});
  };
  const Estimate selective = predicted(Recompute::selective);
  const Estimate full = predicted(Recompute::full);
  const double time = full.step.count() / selective.step.count();
  EXPECT_GT(time, 1.02);
  EXPECT_LT(time, 1.20);
  const auto activations = [](const Estimate& e) {
    return static_cast<double>(
        e.memory.stages.front().terms[static_cast<std::size_t>(MemoryTerm::activations)].count());
  };
  EXPECT_LT(activations(full) / activations(selective), 0.6);
}

TEST(MemoryCases, M29EarlyStagesKeepMoreMicroBatches) {
  Layout layout;
  layout.pp = 8;
  Plan plan = test::small_plan(layout, 16);
  plan.model = test::small_gpt(8);
  plan.model.has_head = plan.model.final_norm = false;
  const MemoryEstimate memory = estimate_memory(plan, stage_models(plan));
  const auto activations = [&](std::size_t stage) {
    return memory.stages[stage].terms[static_cast<std::size_t>(MemoryTerm::activations)].count();
  };
  for (std::size_t stage = 0; stage < 8; ++stage)
    EXPECT_EQ(activations(stage), static_cast<std::int64_t>(8 - stage) * activations(7));
}

TEST(MemoryCases, M35SavedTensorsGrowWithTheLayers) {
  const auto of_layers = [](int layers) { return kept(layers_only(test::small_llama(layers, 1024, 16), 4096, 1)); };
  EXPECT_EQ(of_layers(36), 36 * of_layers(1));
}

TEST(PlannerCases, T12LayerOfBertLarge) {
  Model model = test::small_gpt(1, 1024, 16);
  const LayerShape& layer = model.layers.front().layer;
  const std::int64_t parameters =
      attention_parameters(model, layer) + mlp_parameters(model, layer) + norm_parameters(model, layer);
  EXPECT_EQ(parameters, 12'596'224);
  EXPECT_NEAR(static_cast<double>(parameters) * 4.0 / (1024.0 * 1024.0), 48.05, 0.01);
}

TEST(PlannerCases, T15LargestTensorFromShapes) {
  Model model = test::small_llama(1, 8192, 64);
  model.layers.front().layer.mlp->ffn = 28672;
  model.layers.front().layer.mlp->gated = false;  // the tensor in question is one of the two halves
  const Plan plan = layers_only(model, 131072, 1);
  EXPECT_EQ(largest_tensor(plan).count(), 131072L * 28672 * 2);  // 7.52 GB, 7.0 GiB
}

TEST(PlannerCases, T17GatedBlockKeepsTwentyToFortyFiveHiddenWidthsOfBytes) {
  Model model = test::small_llama(1, 4096, 32);
  model.layers.front().layer.mlp->ffn = 11008;
  const Plan plan = layers_only(model, 2048, 1);
  const double bytes = static_cast<double>(kept(plan)) / 2048.0 / 4096.0;
  EXPECT_GT(bytes, 20.0);
  EXPECT_LT(bytes, 45.0);
}

}  // namespace
}  // namespace trainwright::model
