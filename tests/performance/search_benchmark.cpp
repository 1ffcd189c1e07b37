// How many plans of GPT-3 175B a second the tabulated closed form tells on one core, and how long the search over all
// layouts of 4,096 A100 takes (global batch 4,096, on as many threads as the machine has cores).
//   search_benchmark [google-benchmark options]
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/io/load.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/search/layout_search.hpp"
#include "model/search/plan_evaluator.hpp"

namespace {

using namespace trainwright;

constexpr int kDevices = 4096;
constexpr std::int64_t kBatch = 4096;

model::Plan gpt3() {
  model::Diagnostics problems;
  model::Plan plan;
  plan.model = *model::load_model("gpt3-175b", problems);
  plan.cluster = *model::load_cluster("dgx-a100", problems);
  plan.constants = model::shipped_constants(plan.cluster);
  plan.job.seq_len = 2048;
  plan.job.global_batch = kBatch;
  return model::plan_of_size(plan, kDevices, kBatch);
}

enum class Family {
  replicated,           // zero 0 and 1, what Megatron trains with
  sharded,              // zero 2 and 3 without a pipeline, what FSDP trains with
  sharded_in_pipeline,  // both: passes and gathers hold each other up, pass by pass
};

bool is_of(Family family, const model::Layout& layout) {
  if (layout.zero <= 1)
    return family == Family::replicated;
  return family == (layout.pp == 1 ? Family::sharded : Family::sharded_in_pipeline);
}

// Layouts of the search space that break no rule, in runs of neighbours as a search asks for them.
std::vector<model::Layout> layouts(std::size_t most, Family family) {
  const model::Plan plan = gpt3();
  model::SearchSpace space;
  space.devices = {kDevices};
  space.global_batches = {kBatch};
  std::vector<model::Layout> list;
  for (const model::SearchItem& item : model::search_items(space, plan))
    for (const model::Layout& grid : model::item_grids(space, item, plan))
      for (const model::PassChoice& choice : model::pass_choices(space, grid, plan))
        for (const std::int64_t micro_batch : model::micro_batch_choices(space, grid, kBatch))
          for (const model::Chunking& chunking : model::chunkings(space, grid, plan)) {
            if (item.cp > 4 || micro_batch > 8)
              continue;
            model::Layout layout = grid;
            layout.sequence_parallel = choice.sequence_parallel;
            layout.recompute = choice.recompute;
            layout.cp_kind = choice.cp_kind;
            layout.micro_batch = micro_batch;
            layout.vpp = chunking.vpp;
            layout.schedule = chunking.schedule;
            const auto broken = model::check_layout_rules({plan.model, plan.cluster, plan.job, layout});
            if (std::any_of(broken.begin(), broken.end(),
                            [](const model::Violation& v) { return v.severity == model::Severity::error; }))
              continue;
            for (const model::Layout& sharding : model::sharded(space, layout, plan))
              if (is_of(family, sharding))
                list.push_back(sharding);
          }
  std::mt19937 random(1);
  std::vector<model::Layout> sample;
  constexpr std::size_t kRun = 64;
  while (sample.size() < most)
    for (std::size_t i = 0, first = random() % (list.size() - kRun); i < kRun; ++i)
      sample.push_back(list[first + i]);
  return sample;
}

// Once the tables are filled. `walked`: share whose passes were gone through one by one.
void evaluate(benchmark::State& state, Family family) {
  // Walks take long, and their tables too.
  const std::vector<model::Layout> sample = layouts(family == Family::sharded_in_pipeline ? 512 : 10'000, family);
  model::PlanEvaluator evaluator(gpt3());
  for (const model::Layout& layout : sample)
    (void)evaluator.cost(layout);
  const std::int64_t walked = evaluator.walked();
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluator.cost(sample[i]));
    i = i + 1 == sample.size() ? 0 : i + 1;
  }
  state.SetItemsProcessed(state.iterations());
  state.counters["walked"] = static_cast<double>(walked) / static_cast<double>(sample.size());
}
BENCHMARK_CAPTURE(evaluate, replicated, Family::replicated)->MinTime(0.5);
BENCHMARK_CAPTURE(evaluate, sharded, Family::sharded)->MinTime(0.5);
BENCHMARK_CAPTURE(evaluate, sharded_in_pipeline, Family::sharded_in_pipeline)->MinTime(0.5);

void search(benchmark::State& state) {
  for (auto _ : state) {
    model::SearchRequest request;
    request.base = gpt3();
    request.space.devices = {kDevices};
    request.space.global_batches = {kBatch};
    model::LayoutSearch search(request);
    search.advance(static_cast<int>(state.range(0)), {}, {});
    const model::SearchFindings found = search.findings();
    state.SetItemsProcessed(state.items_processed() + found.counts.layouts);
    state.counters["layouts"] = static_cast<double>(found.counts.layouts);
    state.counters["costed"] = static_cast<double>(found.counts.costed);
    state.counters["pruned"] = static_cast<double>(found.counts.pruned);
    state.counters["rejected"] = static_cast<double>(found.counts.rejected);
    state.counters["walked"] = static_cast<double>(found.counts.walked);
    state.counters["step_s"] = found.best.front().figures.step_s;
  }
}
BENCHMARK(search)->Arg(2)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
