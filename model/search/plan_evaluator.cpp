// SPDX-License-Identifier: Apache-2.0
#include "model/search/plan_evaluator.hpp"

#include <algorithm>
#include <utility>

#include "model/estimate/memory_estimate.hpp"
#include "model/estimate/step_time.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

// Orders of so many passes are kept, 160 MB: more than a search over one number of devices asks for again.
constexpr std::size_t kMostSteps = 8'000'000;

bool puts_weights_off(PipelineSchedule schedule) {
  return schedule == PipelineSchedule::zero_bubble_h1 || schedule == PipelineSchedule::dual_pipe;
}

template <class... Fields>
std::array<std::int64_t, 16> key_of(Fields... fields) {
  static_assert(sizeof...(fields) <= 16);
  return {static_cast<std::int64_t>(fields)...};
}

}  // namespace

std::size_t PlanEvaluator::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
  for (const std::int64_t field : key)
    hash = (hash ^ static_cast<std::uint64_t>(field)) * 0x9ddfea08eb382d69ULL;
  return hash ^ (hash >> 32);
}

PlanEvaluator::PlanEvaluator(Plan plan) : plan_(std::move(plan)) {
  plan_.layout = {};
}

PlanEvaluator::~PlanEvaluator() = default;

const Plan& PlanEvaluator::plan_with(const Layout& layout) {
  plan_.layout = layout;
  return plan_;
}

bool PlanEvaluator::has_tables(const Layout& layout) const {
  const bool takes_turns =
      plan_.cluster.groups.front().devices_share_cores && world_size(layout) > device_count(plan_.cluster);
  // Layers of one virtual stage would differ by their place in it.
  const bool recomputes_some = layout.recompute == Recompute::full && layout.recompute_layers > 0;
  const bool exchanges_plainly =
      layout.compression == Compression::none && layout.sync_every == 1 && layout.parameter_servers == 0;
  const bool offloads = layout.offload_optimizer || layout.offload_parameters || layout.offload_activations;
  return !takes_turns && !recomputes_some && exchanges_plainly && !offloads && layout.interleave_group == 0;
}

// Few ways to lie on the cluster are shared by many degrees.
std::int64_t PlanEvaluator::layer_groups_id(const Layout& layout) {
  const Key key = key_of(layout.tp, layout.cp, layout.dp, layout.pp, layout.ep, layout.etp);
  const auto found = layer_group_ids_.find(key);
  if (found != layer_group_ids_.end())
    return found->second;
  const LayerGroups groups(plan_with(layout));
  const std::array<GroupShape, 4> shapes{groups.shape(GroupAxis::tensor), groups.shape(GroupAxis::context),
                                         groups.shape(GroupAxis::expert), groups.shape(GroupAxis::expert_tensor)};
  const auto same = std::find(layer_groups_.begin(), layer_groups_.end(), shapes);
  const std::int64_t id = same - layer_groups_.begin();
  if (same == layer_groups_.end())
    layer_groups_.push_back(shapes);
  layer_group_ids_.emplace(key, id);
  return id;
}

const PassTable& PlanEvaluator::passes(const Layout& layout, bool weights_off) {
  // A tied head is a copy where stages part it from the embedding; a single micro-batch has nothing to add up.
  const Key key = key_of(layout.tp, layout.cp, layout.ep, layout.etp, layout.sequence_parallel, layout.micro_batch,
                         layout.recompute, layout.cp_kind, layout.tensor_chunks, weights_off, layer_groups_id(layout),
                         layout.pp == 1, micro_batches(layout, plan_.job.global_batch) == 1);
  const auto found = passes_.find(key);
  if (found != passes_.end())
    return found->second;
  return passes_.emplace(key, pass_table(plan_with(layout), weights_off)).first->second;
}

const DataParallelGroups& PlanEvaluator::groups(const Layout& layout) {
  const Key key = key_of(layout.tp, layout.cp, layout.dp, layout.pp, layout.ep, layout.etp, layout.zero_group);
  const auto found = groups_.find(key);
  if (found != groups_.end())
    return found->second;
  return groups_.emplace(key, DataParallelGroups(plan_with(layout))).first->second;
}

ShardTable PlanEvaluator::shards(const Layout& layout, const StageTable& stages) {
  const DataParallelGroups& own = groups(layout);
  return shard_table(plan_with(layout), stages, own);
}

const std::vector<PipelineStep>& PlanEvaluator::order(const Layout& layout) {
  const std::int64_t count = micro_batches(layout, plan_.job.global_batch);
  const Key key = key_of(layout.schedule, layout.pp, layout.vpp, count);
  const auto found = orders_.find(key);
  if (found != orders_.end())
    return found->second;
  if (order_steps_ > kMostSteps) {
    orders_.clear();
    order_steps_ = 0;
  }
  const auto& order = orders_.emplace(key, pipeline_order(layout, count)).first->second;
  order_steps_ += order.size();
  return order;
}

PipelineRun PlanEvaluator::run(const Layout& layout, const StageTable& stages) {
  const std::vector<PipelineStep>& steps = order(layout);
  return pipeline_run(stages, layout, micro_batches(layout, plan_.job.global_batch),
                      message_time(plan_with(layout)).count(), steps);
}

Seconds PlanEvaluator::host_time(std::int64_t micro_batches) const {
  const HostConstants& host = plan_.constants.host;
  return Seconds(host.step_s + static_cast<double>(micro_batches) * host.micro_batch_s);
}

Seconds PlanEvaluator::step(const PlanTables& tables) {
  std::optional<double> seconds = composer_.composed(tables);
  if (!seconds) {
    ++walked_;
    seconds = composer_.walked(tables, order(tables.layout));
  }
  return Seconds(*seconds) + host_time(tables.run.micro_batches);
}

PlanCost PlanEvaluator::estimate(const Layout& layout) {
  ++estimated_;
  const Plan& plan = plan_with(layout);
  const StageModels stages = stage_models(plan);
  return {step_time(plan, stages).step, estimate_memory(plan, stages).peak};
}

PlanCost PlanEvaluator::cost(const Layout& layout) {
  if (!has_tables(layout))
    return estimate(layout);
  if (!layout.stage_layers.empty()) {
    const StageTable stages = stage_table(passes(layout, puts_weights_off(layout.schedule)), layout);
    const PipelineRun own = run(layout, stages);
    const ShardTable own_shards = shards(layout, stages);
    return {step({layout, stages, own, own_shards}), ByteCount(peak_bytes(own, own_shards))};
  }
  const Key run_key = key_of(layout.tp, layout.cp, layout.dp, layout.pp, layout.ep, layout.etp, layout.vpp,
                             layout.sequence_parallel, layout.micro_batch, layout.recompute, layout.cp_kind,
                             layout.schedule, layout.tensor_chunks, layout.overlap_messages);
  auto found = runs_.find(run_key);
  if (found == runs_.end()) {
    Run entry;
    entry.stages = std::make_shared<StageTable>(stage_table(passes(layout, puts_weights_off(layout.schedule)), layout));
    entry.run = run(layout, *entry.stages);
    found = runs_.emplace(run_key, std::move(entry)).first;
  }
  const Key shard_key =
      key_of(layout.tp, layout.cp, layout.dp, layout.pp, layout.ep, layout.etp, layout.vpp,
             layout.schedule == PipelineSchedule::dual_pipe, layout.zero, layout.zero_group, layout.bucket.count(),
             layout.overlap_gradients, layout.overlap_parameters, layout.reshard_after_forward,
             layout.gathers_in_flight, layout.recompute == Recompute::full);
  auto own = shards_.find(shard_key);
  if (own == shards_.end())
    own = shards_.emplace(shard_key, shards(layout, *found->second.stages)).first;
  const Run& entry = found->second;
  return {step({layout, *entry.stages, entry.run, own->second}), ByteCount(peak_bytes(entry.run, own->second))};
}

}  // namespace trainwright::model
