// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/interference_benchmark.hpp"

#include <atomic>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "executor/kernels/cpu_kernels.hpp"
#include "model/graph/execution_graph.hpp"

namespace trainwright::executor {
namespace {

// A product of a few milliseconds, and a gradient bucket of the usual order of size.
constexpr model::GemmWork kProduct{256, 1024, 256, 1, model::Precision::fp32};
constexpr std::size_t kBucketFloats = 1U << 20;
constexpr int kReductionsPerSample = 6;

/// Time of one product while the reductions of one sample are running; only products that ended before the reductions
/// did count. A sample without any is no sample.
Sample sample_beside(RankContext& context, Communicator& communicator, CpuKernels& kernels, const model::Task& product,
                     std::vector<float>& bucket) {
  std::atomic<bool> running{true};
  std::exception_ptr problem;
  std::thread reducing([&] {
    try {
      for (int i = 0; i < kReductionsPerSample; ++i)
        communicator.all_reduce(bucket);
    } catch (...) {
      problem = std::current_exception();
    }
    running = false;
  });
  const model::Seconds begin = context.clock().now();
  model::Seconds end = begin;
  int products = 0;
  while (running) {
    kernels.run(product);
    if (!running)
      break;
    end = context.clock().now();
    ++products;
  }
  reducing.join();
  if (problem)
    std::rethrow_exception(problem);
  if (products == 0)
    return {model::Seconds::zero(), SampleFault::no_time};
  return {(end - begin) / products, SampleFault::none};
}

}  // namespace

void measure_interference(RankContext& context, Communicator& communicator, const PointRules& rules,
                          model::Seconds limit) {
  model::Program program;
  model::Task product;
  product.work = kProduct;
  program.tasks = {product};
  CpuKernels kernels(program);
  std::vector<float> bucket(kBucketFloats, 0.0F);

  PointTask alone;
  alone.operation = [&] { kernels.run(product); };
  alone.active_ranks = context.ranks();
  // As beside communication, where waiting for a core is the effect that is wanted.
  alone.bounds = sharing_bounds();
  model::InterferencePoint point;
  std::string faults;
  point.alone = sample_point(context, alone, rules, limit * 0.25, &faults);

  const MedianError enough(rules.median_error, rules.min_samples);
  const TimeLimit time_limit(limit * 0.75, rules.min_attempts);
  const model::Seconds begin = context.clock().now();
  const Sampled beside = take_samples({1, enough, time_limit}, [&] {
    context.wait_for_all();
    const Sample own = sample_beside(context, communicator, kernels, product, bucket);
    return context.agree(own, true, context.clock().now() - begin, RankContext::Combine::mean);
  });
  point.beside_communication = summarize(beside.samples, beside.converged);
  if (context.rank() != 0)
    return;
  if (point.alone.count > 0 && point.beside_communication.count > 0)
    context.report(Record(point));
  else
    context.report(Record(RemarkRecord{
        FixedText<480>("gemm beside all_reduce left out: " + beside.samples.fault_text() + "; alone: " + faults)}));
}

}  // namespace trainwright::executor
