// What one layer does on one rank, under every form of parallelism inside a layer.
// SPDX-License-Identifier: Apache-2.0
#include "model/plan/lowering.hpp"

#include <gtest/gtest.h>

#include <map>

#include "model/cost/task_duration.hpp"
#include "model/plan/gradient_buckets.hpp"
#include "model/workload/model_flops.hpp"
#include "model/workload/parameters.hpp"
#include "tests/support/builders.hpp"

namespace trainwright::model {
namespace {

Plan plan_of(const Model& model, const Layout& layout) {
  Plan plan = test::small_plan(layout, 1);
  plan.model = model;
  return plan;
}

LoweredPart layer_of(const Plan& plan, int layer = 0) {
  const OperatorGraph graph(plan.model);
  return lower(graph, graph.of_layer(layer), plan, plan.layout.recompute);
}

// "all_gather tensor" -> bytes of each
std::multimap<std::string, std::int64_t> collectives(const TaskChain& chain) {
  std::multimap<std::string, std::int64_t> found;
  for (const Task& task : chain.tasks)
    if (const auto* work = std::get_if<CollectiveWork>(&task.work))
      found.emplace(std::string(to_word(work->kind)) + " " + std::string(to_word(work->axis)), work->bytes.count());
  return found;
}

double matrix_work(const TaskChain& chain) {
  Flops sum(0.0);
  for (const Task& task : chain.tasks)
    sum += matrix_flops(task);
  return sum.count();
}

double attention_work(const TaskChain& chain) {
  double sum = 0.0;
  for (const Task& task : chain.tasks)
    if (std::holds_alternative<AttentionWork>(task.work))
      sum += matrix_flops(task).count();
  return sum;
}

double pass_work(const TaskChain& chain, Pass pass) {
  double sum = 0.0;
  for (const Task& task : chain.tasks)
    if (task.phase.pass == pass)
      sum += matrix_flops(task).count();
  return sum;
}

TEST(SequenceParallel, GathersBeforeAndScattersAfterEachHalfOfALayer) {
  Layout layout;
  layout.tp = 2;
  layout.sequence_parallel = true;
  const LoweredPart part = layer_of(plan_of(test::small_gpt(), layout));
  const std::int64_t whole = 128 * 64 * 2;  // tokens x hidden in bf16
  using Found = std::multimap<std::string, std::int64_t>;
  EXPECT_EQ(collectives(part.forward), (Found{{"all_gather tensor", whole},
                                              {"all_gather tensor", whole},
                                              {"reduce_scatter tensor", whole},
                                              {"reduce_scatter tensor", whole}}));
  // Gradients of the row splits, and once more the inputs of the column splits for their weight gradients.
  EXPECT_EQ(collectives(part.backward), (Found{{"all_gather tensor", whole},
                                               {"all_gather tensor", whole},
                                               {"all_gather tensor", whole},
                                               {"all_gather tensor", whole},
                                               {"reduce_scatter tensor", whole},
                                               {"reduce_scatter tensor", whole}}));
}

TEST(SequenceParallel, NormsAndResidualsWorkOnTheirShareOfTheTokens) {
  Layout layout;
  layout.tp = 2;
  const auto traffic = [&](bool is_spread) {
    layout.sequence_parallel = is_spread;
    const Plan plan = plan_of(test::small_gpt(), layout);
    const OperatorGraph graph(plan.model);
    std::int64_t bytes = 0;
    for (const Task& task : layer_of(plan).forward.tasks)
      if (const OperatorKind kind = graph.at(task.op).kind;
          kind == OperatorKind::norm || kind == OperatorKind::residual)
        bytes += std::get<MemoryWork>(task.work).reads.count();
    return bytes;
  };
  EXPECT_EQ(2 * traffic(true), traffic(false));
}

TEST(SequenceParallel, TheInputIsGatheredBesideTheInputGradient) {
  Layout layout;
  layout.tp = 2;
  layout.sequence_parallel = true;
  const TaskChain chain = layer_of(plan_of(test::small_gpt(), layout)).backward;
  // Each product of an input gradient of a column split waits for no gather; that of the weight gradient does.
  int weights_waiting = 0;
  for (const Dependency& d : chain.dependencies) {
    const auto* before = std::get_if<CollectiveWork>(&chain.tasks[d.before.index()].work);
    const Task& after = chain.tasks[d.after.index()];
    if (before != nullptr && before->kind == CollectiveKind::all_gather && after.phase.part == BackwardPart::weight)
      ++weights_waiting;
  }
  EXPECT_EQ(weights_waiting, 2);
}

TEST(Recompute, FullIsOneMoreForwardWithItsCollectives) {
  Layout layout;
  layout.tp = 2;
  const Plan none = plan_of(test::small_gpt(), layout);
  Plan full = none;
  full.layout.recompute = Recompute::full;
  const LoweredPart kept = layer_of(none);
  const LoweredPart again = layer_of(full);
  EXPECT_DOUBLE_EQ(pass_work(again.backward, Pass::recompute), matrix_work(kept.forward));
  EXPECT_DOUBLE_EQ(pass_work(again.backward, Pass::backward), matrix_work(kept.backward));
  EXPECT_EQ(collectives(again.backward).count("all_reduce tensor"), 4U);
  EXPECT_EQ(again.forward.tasks.front().allocates, ByteCount(128 * 64 * 2));
}

TEST(Recompute, SelectiveRepeatsTheCoreOnlyWhereScoresAreStored) {
  Plan plan = plan_of(test::small_gpt(), {});
  plan.layout.recompute = Recompute::selective;
  plan.job.attention = AttentionKernel::unfused;
  const LoweredPart unfused = layer_of(plan);
  EXPECT_DOUBLE_EQ(pass_work(unfused.backward, Pass::recompute), attention_work(unfused.forward));
  plan.job.attention = AttentionKernel::flash;
  EXPECT_DOUBLE_EQ(pass_work(layer_of(plan).backward, Pass::recompute), 0.0);
}

TEST(Heads, V03FewerKeyValueHeadsThanRanksAreReplicated) {
  // Two key-value heads on four ranks: each is on two of them.
  Layout layout;
  layout.tp = 4;
  Model model = test::small_llama(1, 64, 4);
  ASSERT_EQ(model.layers.front().layer.attention.kv_heads, 2);
  const Plan plan = plan_of(model, layout);
  const std::int64_t h = 64;
  const std::int64_t d = 16;
  const std::int64_t attention = h * (1 + 2) * d + d * h;  // one query head, one key and one value head, output
  const std::int64_t mlp = 3 * h * 192 / 4;
  EXPECT_EQ(layer_of(plan).parameters, attention + mlp + 2 * h);
  std::int64_t kv_heads = 0;
  for (const Task& task : layer_of(plan).forward.tasks)
    if (const auto* work = std::get_if<AttentionWork>(&task.work))
      kv_heads = work->kv_heads;
  EXPECT_EQ(kv_heads, 1);
  const auto refused = [&](const char* framework) {
    Plan asked = plan;
    asked.job.framework = framework;
    return check_plan(asked, "").has_errors();
  };
  EXPECT_TRUE(refused("torchtitan"));
  EXPECT_FALSE(refused("megatron-core"));
}

TEST(Vocabulary, V20IsPaddedTo128TimesTensorRanks) {
  EXPECT_EQ(padded_vocab(50257, 1), 50304);
  EXPECT_EQ(padded_vocab(50257, 8), 51200);
  EXPECT_EQ(padded_vocab(65535, 2), 65536);
}

TEST(Mixture, E06FourAllToAllsOfEveryCopy) {
  Model model = test::small_moe(1, 4096, 32, 8);
  model.layers.front().layer.moe->shared_ffn = 0;
  Layout layout;
  layout.dp = 8;
  layout.ep = 8;
  Plan plan = plan_of(model, layout);
  plan.job.seq_len = 4096;
  const LoweredPart part = layer_of(plan);
  const std::int64_t copies = 4096L * 2 * 4096 * 2;  // tokens x top-2 x hidden x bf16 = 67.1 MB, 7/8 leave the rank
  using Found = std::multimap<std::string, std::int64_t>;
  const Found two{{"all_to_all expert", copies}, {"all_to_all expert", copies}};
  EXPECT_EQ(collectives(part.forward), two);
  EXPECT_EQ(collectives(part.backward), two);
}

TEST(Mixture, AllRanksTogetherDoTheWorkOfTheActiveExperts) {
  for (const int tp : {1, 2})
    for (const int etp : {1, 2})
      for (const int ep : {1, 2, 4}) {
        Layout layout;
        layout.dp = 4;
        layout.tp = tp;
        layout.ep = ep;
        layout.etp = etp;
        layout.sequence_parallel = tp > 1;
        const Plan plan = plan_of(test::small_moe(1), layout);
        const LoweredPart part = layer_of(plan);
        double experts = 0.0;
        for (const Task& task : part.forward.tasks)
          if (const auto* work = std::get_if<GemmWork>(&task.work); work != nullptr && work->batch > 1)
            experts += matrix_flops(task).count();
        const double tokens = 128.0 * 4;  // of the four replicas
        const double one = 2.0 * 3 * 64 * 64;
        EXPECT_DOUBLE_EQ(experts * 4 * tp, tokens * 2 * one) << tp << etp << ep;
        const MoeShape& moe = *plan.model.layers.front().layer.moe;
        EXPECT_EQ(part.expert_parameters, moe.experts / ep * 3 * 64 * 64 / etp);
      }
}

TEST(Mixture, ImbalanceAndCapacityBoundTheWorkOfTheFullestRank) {
  Layout layout;
  layout.dp = layout.ep = 4;
  Plan plan = plan_of(test::small_moe(1), layout);
  const auto rows = [&] {
    for (const Task& task : layer_of(plan).forward.tasks)
      if (const auto* work = std::get_if<GemmWork>(&task.work); work != nullptr && work->batch > 1)
        return work->m;
    return std::int64_t{0};
  };
  EXPECT_EQ(rows(), 128 * 2 / 2);
  plan.job.expert_imbalance = 1.5;
  EXPECT_EQ(rows(), 128 * 2 / 2 * 3 / 2);
  plan.job.expert_capacity = 1.25;
  EXPECT_EQ(rows(), 128 * 2 / 2 * 5 / 4);
}

TEST(Context, ARingDoesItsShareOfTheCausalWork) {
  for (const bool causal : {true, false})
    for (const ContextKind kind : {ContextKind::ring, ContextKind::ulysses})
      for (const int cp : {2, 4}) {
        Model model = test::small_gpt();
        model.layers.front().layer.attention.causal = causal;
        Layout layout;
        const double alone = attention_work(layer_of(plan_of(model, layout)).forward);
        const double back = attention_work(layer_of(plan_of(model, layout)).backward);
        layout.cp = cp;
        layout.cp_kind = kind;
        const LoweredPart part = layer_of(plan_of(model, layout));
        EXPECT_DOUBLE_EQ(attention_work(part.forward) * cp, alone) << causal << cp;
        EXPECT_DOUBLE_EQ(attention_work(part.backward) * cp, back) << causal << cp;
      }
}

TEST(Context, ARingPassesKeysAndValuesOnAndTheirGradientsHome) {
  Layout layout;
  layout.cp = 4;
  const LoweredPart part = layer_of(plan_of(test::small_gpt(), layout));
  const std::int64_t kv = 32 * 2 * 64 * 2;  // tokens of a rank x keys and values x bf16
  using Found = std::multimap<std::string, std::int64_t>;
  const std::string shift = "ring_shift context";
  EXPECT_EQ(collectives(part.forward), (Found{{shift, kv}, {shift, kv}, {shift, kv}}));
  EXPECT_EQ(collectives(part.backward), (Found{{shift, kv}, {shift, 2 * kv}, {shift, 2 * kv}, {shift, kv}}));
}

TEST(Context, UlyssesExchangesHeadsForTokens) {
  Layout layout;
  layout.cp = 2;
  layout.cp_kind = ContextKind::ulysses;
  const LoweredPart part = layer_of(plan_of(test::small_gpt(), layout));
  const std::int64_t one = 64 * 64 * 2;  // tokens of a rank x hidden x bf16
  using Found = std::multimap<std::string, std::int64_t>;
  const std::string exchange = "all_to_all context";
  EXPECT_EQ(collectives(part.forward), (Found{{exchange, 3 * one}, {exchange, one}}));
  EXPECT_EQ(collectives(part.backward), (Found{{exchange, one}, {exchange, 3 * one}}));
  layout.cp = 8;
  EXPECT_TRUE(check_plan(plan_of(test::small_gpt(), layout), "").has_errors()) << "four heads on eight ranks";
}

TEST(Window, LimitsTheWorkOfAFusedKernelToTheKeysInside) {
  Plan plan = plan_of(test::small_gpt(), {});
  const double whole = attention_work(layer_of(plan).forward);
  plan.model.layers.front().layer.attention.window = 32;
  // Pairs of 128 tokens: 128 32 - 32^2 / 2 of 128^2 / 2.
  EXPECT_NEAR(attention_work(layer_of(plan).forward) / whole, (128.0 * 32 - 512) / 8192, 1e-12);
  EXPECT_LT(forward_flops(plan.model, 128), forward_flops(test::small_gpt(), 128));
  plan.model.layers.front().layer.attention.window = 4096;
  EXPECT_DOUBLE_EQ(attention_work(layer_of(plan).forward), whole);
}

// Work of a step as the model defines it, from the tasks of all parts on one rank.
TEST(ModelFlops, AreTheWorkOfTheTasksWithoutCausalHalving) {
  Model latent = test::small_llama();
  AttentionShape& a = latent.layers.front().layer.attention;
  a.kv_heads = a.heads;
  a.latent = LatentAttention{32, 16, 8, 16, 24};
  Model four_norms = test::small_llama();
  four_norms.layers.front().layer.norms = 4;
  Model parallel = test::small_gpt();
  parallel.layers.front().layer.order = BlockOrder::parallel;
  Model narrow = test::small_gpt();
  narrow.embedding_width = 32;
  for (Model model :
       {test::small_gpt(), test::small_llama(), test::small_moe(), latent, four_norms, parallel, narrow}) {
    model.layers.front().layer.attention.causal = false;
    model.vocab = 512;
    const Plan plan = plan_of(model, {});
    const OperatorGraph graph(plan.model);
    double forward = 0.0;
    for (int layer = -1; layer <= layer_count(model); ++layer)
      forward += matrix_work(lower(graph, graph.of_layer(layer), plan, plan.layout.recompute).forward);
    EXPECT_DOUBLE_EQ(forward, forward_flops(model, 128).count()) << model.id;
  }
}

TEST(Encoder, ACrossAttentionReadsTheEncodersOutput) {
  Model model = test::small_gpt(2);
  model.layers.front().count = 1;
  LayerRun decoder = model.layers.front();
  model.layers.front().layer.attention.causal = false;
  decoder.layer.norms = 3;
  decoder.layer.cross_attention = decoder.layer.attention;
  decoder.layer.cross_attention->causal = false;
  model.layers.push_back(decoder);
  model.encoder_layers = 1;
  const Plan plan = plan_of(model, {});
  EXPECT_FALSE(check_plan(plan, "").has_errors()) << check_plan(plan, "").to_text();
  const OperatorGraph graph(model);
  std::int64_t parameters = 0;
  for (int layer = -1; layer <= 2; ++layer)
    parameters += lower(graph, graph.of_layer(layer), plan, plan.layout.recompute).parameters;
  EXPECT_EQ(parameters, parameter_count(model).total);
  EXPECT_EQ(build_execution_graph(plan).check(), std::vector<std::string>{});
}

TEST(Lowering, EveryFormGivesAGraphThatEndsAndGivesItsMemoryBack) {
  for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full})
    for (const bool sequence : {false, true})
      for (const int cp : {1, 2})
        for (const ContextKind kind : {ContextKind::ring, ContextKind::ulysses})
          for (const AttentionKernel kernel : {AttentionKernel::flash, AttentionKernel::unfused})
            for (const Model& model : {test::small_gpt(), test::small_moe()}) {
              Layout layout;
              layout.dp = 2;
              layout.tp = 2;
              layout.pp = 2;
              layout.cp = cp;
              layout.cp_kind = kind;
              layout.sequence_parallel = sequence;
              layout.recompute = recompute;
              if (model.layers.front().layer.moe) {
                layout.ep = 2;
                layout.etp = 2;
              }
              Plan plan = test::small_plan(layout, 3);
              plan.model = model;
              plan.job.attention = kernel;
              if (check_plan(plan, "").has_errors())
                continue;
              const ExecutionGraph graph = build_execution_graph(plan);
              EXPECT_EQ(graph.check(), std::vector<std::string>{});
              for (int rank = 0; rank < graph.rank_count(); ++rank) {
                std::map<MemoryTerm, std::int64_t> held;
                for (const Task& task : graph.program_of_rank(RankId(rank)).tasks)
                  held[task.term] += task.allocates.count() - task.frees.count();
                for (const auto& [term, bytes] : held)
                  EXPECT_EQ(bytes, 0) << to_word(term);
              }
            }
}

}  // namespace
}  // namespace trainwright::model
