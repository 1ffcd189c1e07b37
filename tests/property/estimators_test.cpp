// The three estimators agree on symmetric cases without contention: folded = full within 1 %, analytic within 3 %.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "model/estimate/analytic_estimator.hpp"
#include "simulator/client/simulated_estimator.hpp"
#include "tests/support/builders.hpp"

namespace trainwright {
namespace {

model::Estimate simulated(const model::Plan& plan, model::EstimatorKind kind) {
  simulator::SimulationOptions options;
  options.worker = TRAINWRIGHT_WORKER;
  return *simulator::SimulatedEstimator(kind, options).estimate(plan, {}, {});
}

// A model that the drawn forms of parallelism fit, and the degrees that need it.
model::Model drawn_model(model::Layout& layout) {
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      return test::small_gpt(8, 512, 8, 4096);
    case 1: {
      model::Model latent = test::small_llama(8, 512, 8);
      model::AttentionShape& attention = latent.layers.front().layer.attention;
      attention.kv_heads = attention.heads;
      attention.latent = model::LatentAttention{192, 128, 32, 64, 64};
      return latent;
    }
    case 2:
      layout.ep = *rc::gen::element(1, 2, 4);
      layout.etp = *rc::gen::element(1, 2);
      return test::small_moe(8, 512, 8);
    default:
      return test::small_llama(8, 512, 8);
  }
}

// Layers of a size at which transfers, launches and products all matter.
model::Plan drawn_plan() {
  model::Layout layout;
  layout.dp = *rc::gen::element(1, 2, 4);
  layout.tp = *rc::gen::element(1, 2, 4);
  layout.pp = *rc::gen::element(1, 2, 4);
  layout.micro_batch = *rc::gen::inRange<std::int64_t>(1, 5);
  layout.overlap_gradients = *rc::gen::arbitrary<bool>();
  layout.cp = *rc::gen::element(1, 1, 2, 4);
  layout.cp_kind = *rc::gen::element(model::ContextKind::ring, model::ContextKind::ulysses);
  layout.sequence_parallel = layout.tp > 1 && *rc::gen::arbitrary<bool>();
  layout.recompute = *rc::gen::element(model::Recompute::none, model::Recompute::selective, model::Recompute::full);
  const model::Model network = drawn_model(layout);
  layout.bucket = model::ByteCount(*rc::gen::element<std::int64_t>(200'000, 4'000'000, 1'000'000'000));
  auto micro_batches = *rc::gen::inRange<std::int64_t>(1, 12);
  layout.schedule = *rc::gen::element(model::PipelineSchedule::one_f_one_b, model::PipelineSchedule::gpipe,
                                      model::PipelineSchedule::interleaved, model::PipelineSchedule::zero_bubble_h1,
                                      model::PipelineSchedule::dual_pipe);
  if (layout.pp == 1)
    layout.schedule = model::PipelineSchedule::one_f_one_b;
  if (layout.schedule == model::PipelineSchedule::interleaved) {
    layout.vpp = 2;
    micro_batches = layout.pp * (1 + micro_batches % 4);
  }
  if (layout.schedule == model::PipelineSchedule::dual_pipe)
    micro_batches = 2 * layout.pp + micro_batches / 2 * 2;
  layout.zero = layout.dp > 1 ? *rc::gen::inRange(0, 4) : 0;
  layout.zero_group = layout.zero > 0 && layout.dp == 4 && *rc::gen::arbitrary<bool>() ? 2 : 0;
  layout.overlap_parameters = *rc::gen::arbitrary<bool>();
  layout.reshard_after_forward = *rc::gen::arbitrary<bool>();
  layout.gathers_in_flight = *rc::gen::inRange(1, 4);
  model::Plan plan = test::small_plan(layout, micro_batches);
  plan.model = network;
  plan.job.attention = *rc::gen::element(model::AttentionKernel::flash, model::AttentionKernel::unfused);
  plan.constants.communication_compute_share = *rc::gen::element(0.0, 0.1);
  plan.constants.host = model::HostConstants{*rc::gen::element(0.0, 2e-6), 50e-6, 1.25, 1.05, 1e-5, 1e-4, 0.09, 2e-5};
  return plan;
}

void expect_near(const char* what, double value, double reference, double tolerance) {
  RC_ASSERT(reference > 0.0);
  const double error = std::abs(value / reference - 1.0);
  if (error > tolerance)
    RC_FAIL(std::string(what) + " is off by " + std::to_string(100.0 * error) + " %");
}

RC_GTEST_PROP(Estimators, AgreeOnSymmetricCasesWithoutContention, ()) {
  const model::Plan plan = drawn_plan();
  RC_PRE(!model::check_plan(plan, "").has_errors());
  const model::Estimate analytic = *model::AnalyticEstimator().estimate(plan, {}, {});
  const model::Estimate folded = simulated(plan, model::EstimatorKind::folded);
  const model::Estimate full = simulated(plan, model::EstimatorKind::full);
  const model::Layout& l = plan.layout;
  RC_LOG() << "cp " << l.cp << " kind " << static_cast<int>(l.cp_kind) << " ep " << l.ep << " etp " << l.etp << " sp "
           << l.sequence_parallel << " recompute " << static_cast<int>(l.recompute) << " unfused "
           << (plan.job.attention == model::AttentionKernel::unfused) << " share "
           << plan.constants.communication_compute_share << "\n";
  RC_LOG() << "dp " << l.dp << " tp " << l.tp << " pp " << l.pp << " micro-batch " << l.micro_batch << " batch "
           << plan.job.global_batch << " schedule " << static_cast<int>(l.schedule) << " zero " << l.zero << "/"
           << l.zero_group << " gathers " << l.gathers_in_flight << l.overlap_parameters << l.reshard_after_forward
           << " overlap " << l.overlap_gradients << " bucket " << l.bucket.count() << " " << plan.model.id << " task_s "
           << plan.constants.host.task_s << "\nanalytic " << analytic.step.count() << " folded " << folded.step.count()
           << " full " << full.step.count() << "\n";
  expect_near("folded", folded.step.count(), full.step.count(), 0.01);
  expect_near("analytic", analytic.step.count(), full.step.count(), 0.03);
  for (const model::Estimate* e : {&analytic, &folded, &full})
    expect_near("sum of the breakdown", std::accumulate(e->breakdown.begin(), e->breakdown.end(), 0.0), e->step.count(),
                1e-9);
}

}  // namespace
}  // namespace trainwright
