// SPDX-License-Identifier: Apache-2.0
#include "model/estimate/stage_model.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "model/base/contract.hpp"
#include "model/collective/collective_cost.hpp"
#include "model/cost/program_durations.hpp"
#include "model/plan/pipeline_shape.hpp"

namespace trainwright::model {
namespace {

struct TensorTimes {
  const Plan& plan;
  GroupShape shape;

  [[nodiscard]] Seconds operator()(const Task& task) const {
    return collective_duration(std::get<CollectiveWork>(task.work), shape, plan.cluster, plan.constants);
  }
};

// Runs a chain on a compute and a tensor stream. While a collective runs, compute proceeds at 1 - share of its speed.
class ChainRun {
 public:
  ChainRun(const TaskChain& chain, const TensorTimes& tensor, double stretch, const Accelerator& device,
           const CostConstants& constants)
      : chain_(chain), share_(constants.communication_compute_share) {
    for (const Task& task : chain.tasks) {
      const double dispatch = constants.host.task_s;
      const bool is_compute = task.stream == Stream::compute;
      durations_.push_back(
          dispatch + (is_compute ? compute_duration(task, device, constants).count() * stretch : tensor(task).count()));
      if (is_compute)
        compute_sum_ += durations_.back();
    }
  }

  ChainTime run() {
    std::vector<double> end(chain_.tasks.size(), 0.0);
    double compute_end = 0.0;
    double tensor_end = 0.0;
    double tensor_begin = 0.0;
    std::size_t next_dependency = 0;
    for (std::size_t i = 0; i < chain_.tasks.size(); ++i) {
      const bool is_compute = chain_.tasks[i].stream == Stream::compute;
      double start = is_compute ? compute_end : tensor_end;
      while (next_dependency < chain_.dependencies.size() && chain_.dependencies[next_dependency].after.index() == i)
        start = std::max(start, end[chain_.dependencies[next_dependency++].before.index()]);
      if (is_compute) {
        // One collective at most is under way here, since a chain waits for each before it issues the next.
        const double overlap_from = std::max(start, tensor_begin);
        double finish = start + durations_[i];
        if (share_ > 0.0 && tensor_end > overlap_from && finish > overlap_from) {
          const double before = overlap_from - start;
          const double rest = durations_[i] - before;
          const double window = tensor_end - overlap_from;
          finish = rest / (1.0 - share_) <= window ? overlap_from + rest / (1.0 - share_)
                                                   : overlap_from + window + (rest - window * (1.0 - share_));
        }
        end[i] = compute_end = finish;
      } else {
        tensor_begin = start;
        end[i] = tensor_end = start + durations_[i];
      }
    }
    const double total = std::max(compute_end, tensor_end);
    return {Seconds(total), Seconds(compute_sum_), Seconds(total - compute_sum_)};
  }

 private:
  const TaskChain& chain_;
  double share_;
  std::vector<double> durations_;
  double compute_sum_ = 0.0;
};

ChainTime chain_time(const TaskChain& chain, const TensorTimes& tensor, const Plan& plan, const Accelerator& device,
                     bool is_launched) {
  Seconds device_time(0.0);
  for (const Task& task : chain.tasks)
    device_time += compute_duration(task, device, plan.constants);
  const double stretch = is_launched && !chain.tasks.empty()
                             ? host_stretch(device_time, chain.tasks.front().phase.pass, launch_share(chain.tasks),
                                            plan.layout.tp, plan.constants)
                             : 1.0;
  return ChainRun(chain, tensor, stretch, device, plan.constants).run();
}

// The tasks of one kind of gradient, with the dependencies among them.
TaskChain only(const TaskChain& chain, bool weight_gradients) {
  TaskChain kept;
  std::vector<std::optional<TaskId>> place(chain.tasks.size());
  for (std::size_t i = 0; i < chain.tasks.size(); ++i)
    if ((chain.tasks[i].phase.part == BackwardPart::weight) == weight_gradients) {
      place[i] = TaskId(kept.tasks.size());
      kept.tasks.push_back(chain.tasks[i]);
    }
  for (const Dependency& d : chain.dependencies)
    if (place[d.before.index()] && place[d.after.index()])
      kept.dependencies.push_back({*place[d.before.index()], *place[d.after.index()]});
  return kept;
}

bool puts_weight_gradients_off(PipelineSchedule schedule) {
  return schedule == PipelineSchedule::zero_bubble_h1 || schedule == PipelineSchedule::dual_pipe;
}

struct PartModel {
  ChainTime forward;
  ChainTime backward;
  ChainTime backward_input;
  ChainTime backward_weight;
  PartParameters parameters;
  ByteCount saved;
  ByteCount logits;
  Flops matrix = Flops::zero();
};

PartModel part_model(const LoweredPart& part, const TensorTimes& tensor, const Plan& plan, const Accelerator& device,
                     bool is_launched) {
  PartModel m;
  m.forward = chain_time(part.forward, tensor, plan, device, is_launched);
  m.backward = chain_time(part.backward, tensor, plan, device, is_launched);
  if (puts_weight_gradients_off(plan.layout.schedule)) {
    m.backward_input = chain_time(only(part.backward, false), tensor, plan, device, is_launched);
    m.backward_weight = chain_time(only(part.backward, true), tensor, plan, device, is_launched);
  }
  m.parameters = parameters_of(part);
  for (const Task& task : part.forward.tasks) {
    (task.term == MemoryTerm::logits ? m.logits : m.saved) += task.allocates;
    m.matrix += matrix_flops(task);
  }
  for (const Task& task : part.backward.tasks)
    m.matrix += matrix_flops(task);
  return m;
}

void add(ChainTime& sum, const ChainTime& part) {
  sum.total += part.total;
  sum.compute += part.compute;
  sum.exposed_tensor += part.exposed_tensor;
}

StageModel stage_from_parts(const std::vector<const PartModel*>& parts) {
  StageModel stage;
  for (const PartModel* part : parts) {
    stage.forward_parts.push_back(part->forward);
    add(stage.forward, part->forward);
    stage.parameters += part->parameters.total();
    stage.saved_activations += part->saved;
    stage.logits += part->logits;
    stage.matrix_flops += part->matrix;
  }
  for (auto it = parts.rbegin(); it != parts.rend(); ++it) {
    stage.backward_parts.push_back((*it)->backward);
    add(stage.backward_split, (*it)->backward_input);
    add(stage.backward_split, (*it)->backward_weight);
    stage.backward_input_parts.push_back((*it)->backward_input);
    stage.backward_weight_parts.push_back((*it)->backward_weight);
    add(stage.backward, (*it)->backward);
    stage.part_parameters.push_back((*it)->parameters);
  }
  return stage;
}

}  // namespace

StageModels stage_models(const Plan& plan) {
  const OperatorGraph operators(plan.model);
  const Placement placement(plan.layout, plan.cluster);
  const TensorTimes tensor{plan, group_shape(placement, plan.cluster, GroupAxis::tensor, RankId(0))};
  const Accelerator& device = plan.cluster.groups.front().accelerator;
  const int layers = layer_count(plan.model);

  // Layers of one run are equal: lower one of each. The host launches layers and head like compute_durations() says.
  std::vector<PartModel> runs;
  std::vector<std::size_t> run_of_layer;
  for (const LayerRun& run : plan.model.layers) {
    const auto first = static_cast<int>(run_of_layer.size());
    run_of_layer.insert(run_of_layer.end(), static_cast<std::size_t>(run.count), runs.size());
    runs.push_back(part_model(lower(operators, operators.of_layer(first), plan), tensor, plan, device, true));
  }
  const PartModel before = part_model(lower(operators, operators.of_layer(-1), plan), tensor, plan, device, false);
  const PartModel after = part_model(lower(operators, operators.of_layer(layers), plan), tensor, plan, device, true);

  StageModels models;
  std::map<std::vector<const PartModel*>, std::size_t> seen;
  const std::vector<LayerRange> ranges = layer_ranges(layers, plan.layout);
  for (std::size_t v = 0; v < ranges.size(); ++v) {
    std::vector<const PartModel*> parts;
    if (v == 0)
      parts.push_back(&before);
    const LayerRange& range = ranges[v];
    for (int layer = range.begin; layer < range.end; ++layer)
      parts.push_back(&runs[run_of_layer[static_cast<std::size_t>(layer)]]);
    if (v + 1 == ranges.size())
      parts.push_back(&after);
    const auto [it, is_new] = seen.try_emplace(parts, models.distinct.size());
    if (is_new)
      models.distinct.push_back(stage_from_parts(parts));
    models.of_virtual_stage.push_back(it->second);
  }
  return models;
}

}  // namespace trainwright::model
