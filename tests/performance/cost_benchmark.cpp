// How long one call of the cost functions takes: the closed form makes thousands for each plan it looks at. None of
// them allocates.
//   cost_benchmark [google-benchmark options]
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "model/collective/collective_cost.hpp"
#include "model/cost/task_duration.hpp"
#include "tests/support/builders.hpp"

namespace {

using namespace trainwright;

const model::Cluster& cluster() {
  static const model::Cluster value = test::switched_cluster(4);
  return value;
}

const model::Accelerator& device() {
  return cluster().groups.front().accelerator;
}

void gemm(benchmark::State& state) {
  const model::CostConstants constants;
  model::GemmWork work{4096, 4096, 4096, 1, model::Precision::bf16};
  for (auto _ : state) {
    benchmark::DoNotOptimize(work);
    benchmark::DoNotOptimize(model::duration(work, device(), constants));
  }
}
BENCHMARK(gemm);

void attention(benchmark::State& state) {
  const model::CostConstants constants;
  model::AttentionWork work;
  work.batch = 1;
  work.seq_q = work.seq_kv = 4096;
  work.heads = work.kv_heads = 32;
  work.head_dim = work.value_head_dim = 128;
  for (auto _ : state) {
    benchmark::DoNotOptimize(work);
    benchmark::DoNotOptimize(model::duration(work, device(), constants));
  }
}
BENCHMARK(attention);

void memory(benchmark::State& state) {
  const model::CostConstants constants;
  model::MemoryWork work{model::ByteCount(1 << 26), model::ByteCount(1 << 26), 2};
  for (auto _ : state) {
    benchmark::DoNotOptimize(work);
    benchmark::DoNotOptimize(model::duration(work, device(), constants));
  }
}
BENCHMARK(memory);

void all_reduce(benchmark::State& state) {
  const model::CostConstants constants;
  model::CollectiveWork work{model::CollectiveKind::all_reduce, model::GroupAxis::data, model::ByteCount(1 << 26),
                             model::Precision::bf16};
  model::GroupShape shape;
  shape.nodes = static_cast<int>(state.range(0));
  shape.ranks_per_node = 8;
  shape.ranks = shape.nodes * shape.ranks_per_node;
  for (auto _ : state) {
    benchmark::DoNotOptimize(work);
    benchmark::DoNotOptimize(model::collective_duration(work, shape, cluster(), constants));
  }
}
BENCHMARK(all_reduce)->Arg(1)->Arg(2)->Arg(4);

void message(benchmark::State& state) {
  const model::CostConstants constants;
  model::Bytes bytes(1e8);
  for (auto _ : state) {
    benchmark::DoNotOptimize(bytes);
    benchmark::DoNotOptimize(model::transfer_duration(bytes, false, 8, cluster(), constants));
  }
}
BENCHMARK(message);

}  // namespace

BENCHMARK_MAIN();
