// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support/scenarios.hpp"

#include "model/base/error.hpp"
#include "model/plan/resolve.hpp"
#include "tests/unit/model/plan/plan_builders.hpp"

namespace trainwright::gui::testing_support {
namespace {

using model::testing_support::dense_model;
using model::testing_support::gpu_cluster;

model::Model modelNamed(const std::string& id) {
  model::Model model = id == "big" ? dense_model(64, 32) : dense_model(16, 8);
  model.id = id;
  model.name = id == "big" ? "Big Model" : "Small Model";
  return model;
}

model::Cluster clusterNamed(const std::string& id) {
  model::Cluster cluster = gpu_cluster(id == "four-nodes" ? 4 : 2);
  cluster.id = id;
  cluster.name = "Test Cluster";
  return cluster;
}

void set(model::Estimate& estimate, model::StepPart part, double seconds) {
  estimate.breakdown[static_cast<std::size_t>(part)] = seconds;
}

model::StageMemory stageMemory(int stage, std::int64_t weights, std::int64_t activations, std::int64_t logits) {
  model::StageMemory memory;
  memory.stage = model::StageId(stage);
  memory.ranks = 8;
  memory.terms[static_cast<std::size_t>(model::MemoryTerm::weights)] = model::ByteCount(weights);
  memory.terms[static_cast<std::size_t>(model::MemoryTerm::activations)] = model::ByteCount(activations);
  memory.terms[static_cast<std::size_t>(model::MemoryTerm::logits)] = model::ByteCount(logits);
  memory.peak = model::ByteCount(weights + activations + logits);
  memory.peak_phase = "backward";
  return memory;
}

model::Timeline computeTimeline(const model::ExecutionGraph& graph) {
  model::Timeline timeline;
  model::RankTimeline rank{model::RankId(0), graph.rank_count(), {}};
  const model::Program& program = graph.program_of_rank(rank.rank);
  double now = 0.0;
  for (std::size_t i = 0; i < program.tasks.size(); ++i) {
    if (program.tasks[i].stream != model::Stream::compute)
      continue;
    rank.intervals.push_back({model::TaskId(i), model::Seconds(now), model::Seconds(now + 0.001)});
    now += 0.001;
  }
  timeline.ranks.push_back(std::move(rank));
  return timeline;
}

}  // namespace

std::vector<ProfileEntry> FakePlanSource::models() const {
  return {{"big", "Big Model", 8'030'000'000, 0}, {"small", "Small Model", 124'000'000, 0}};
}

std::vector<ProfileEntry> FakePlanSource::clusters() const {
  return {{"four-nodes", "Four Nodes", 0, 8}, {"two-nodes", "Two Nodes", 0, 8}};
}

Resolution FakePlanSource::resolve(const ScenarioInputs& inputs) const {
  Resolution resolution;
  const model::Model model = inputs.model.value ? *inputs.model.value : modelNamed(inputs.model.id);
  const model::Cluster cluster = inputs.cluster.value ? *inputs.cluster.value : clusterNamed(inputs.cluster.id);
  const model::CostConstants constants = inputs.constants ? *inputs.constants : model::CostConstants{};
  if (auto plan = model::resolve_plan(model, cluster, constants, inputs.choices, "scenario", resolution.problems))
    resolution.plan = std::make_shared<const model::Plan>(std::move(*plan));
  return resolution;
}

ScenarioInputs FakePlanSource::open(const std::filesystem::path& file, const ScenarioInputs& current) const {
  if (file.filename() == "bad.json") {
    model::Diagnostics problems;
    problems.add_error("bad.json", "/hidden", "\"wide\" is not a number");
    problems.add_error("bad.json", "/layers", "missing");
    throw model::InputError(problems);
  }
  ScenarioInputs inputs = current;
  inputs.model = {"big", std::make_shared<const model::Model>(modelNamed("big"))};
  return inputs;
}

ScenarioInputs smallScenario() {
  ScenarioInputs inputs;
  inputs.model = {"small"};
  inputs.cluster = {"two-nodes"};
  inputs.choices.gpus = 16;
  inputs.choices.tp = 2;
  inputs.choices.global_batch = 64;
  inputs.choices.seq_len = 2048;
  return inputs;
}

model::Estimate sampleEstimate() {
  model::Estimate estimate;
  estimate.step = model::Seconds(1.0);
  estimate.step_low = model::Seconds(0.9);
  estimate.step_high = model::Seconds(1.1);
  set(estimate, model::StepPart::compute, 0.6);
  set(estimate, model::StepPart::exposed_tensor, 0.25);
  set(estimate, model::StepPart::bubble, 0.15);
  estimate.tokens_per_second = 87400.0;
  estimate.mfu = 0.421;
  estimate.hfu = 0.421;
  estimate.model_rate_per_device = model::FlopsPerSecond(4.16e14);
  estimate.memory.stages = {stageMemory(0, 20'000'000'000, 30'000'000'000, 0),
                            stageMemory(1, 20'000'000'000, 15'000'000'000, 6'000'000'000)};
  estimate.memory.peak = model::ByteCount(50'000'000'000);
  estimate.memory.capacity = model::ByteCount(80'000'000'000);
  estimate.bottleneck = "network";
  estimate.what_ifs = {{"compute", 2.0, model::Seconds(0.8)}, {"network", 2.0, model::Seconds(0.7)}};
  estimate.advice = {{"tp 4", "fewer bytes", model::Seconds(0.9), model::ByteCount(40'000'000'000)},
                     {"fuse kernels", "less launch time", std::nullopt, std::nullopt}};
  estimate.assumptions = {"an assumption"};
  return estimate;
}

Services fakeServices() {
  const auto scaled = [](const model::Plan& plan) {
    model::Estimate estimate = sampleEstimate();
    const double factor = 16.0 / model::world_size(plan.layout);
    estimate.step = estimate.step * factor;
    for (double& part : estimate.breakdown)
      part *= factor;
    return estimate;
  };
  Services services;
  services.plans = std::make_shared<FakePlanSource>();
  services.live = std::make_shared<FakeEstimator>(
      [scaled](const model::Plan& plan, std::stop_token, const model::Progress&) { return scaled(plan); });
  services.simulator = std::make_shared<FakeEstimator>(
      [scaled](const model::Plan& plan, std::stop_token, const model::Progress& progress) {
        progress(1.0);
        model::Estimate estimate = scaled(plan);
        estimate.estimator = model::EstimatorKind::folded;
        estimate.timeline = computeTimeline(model::build_execution_graph(plan));
        return estimate;
      });
  return services;
}

}  // namespace trainwright::gui::testing_support
