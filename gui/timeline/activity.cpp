// SPDX-License-Identifier: Apache-2.0
#include "gui/timeline/activity.hpp"

#include <variant>

namespace trainwright::gui {
namespace {

Activity activityOf(model::GroupAxis axis) {
  switch (axis) {
    case model::GroupAxis::tensor:
      return Activity::tensor;
    case model::GroupAxis::context:
      return Activity::context;
    case model::GroupAxis::expert:
    case model::GroupAxis::expert_tensor:
      return Activity::expert;
    case model::GroupAxis::pipeline:
      return Activity::pipeline;
    case model::GroupAxis::data:
    case model::GroupAxis::data_context:
    case model::GroupAxis::data_shard:
    case model::GroupAxis::data_replica:
    case model::GroupAxis::mirror:
    case model::GroupAxis::embedding:  // gradients of the shared matrix, part of the gradient reduction
    case model::GroupAxis::world:
    case model::GroupAxis::expert_data:
      break;
  }
  return Activity::data;
}

}  // namespace

Activity activityOf(model::StepPart part) {
  switch (part) {
    case model::StepPart::compute:
      return Activity::compute;
    case model::StepPart::recompute:
      return Activity::recompute;
    case model::StepPart::exposed_tensor:
      return Activity::tensor;
    case model::StepPart::exposed_context:
      return Activity::context;
    case model::StepPart::exposed_expert:
      return Activity::expert;
    case model::StepPart::exposed_data:
      return Activity::data;
    case model::StepPart::exposed_pipeline:
      return Activity::pipeline;
    case model::StepPart::bubble:
      return Activity::bubble;
    case model::StepPart::optimizer:
      return Activity::optimizer;
    case model::StepPart::host:
      return Activity::host;
    case model::StepPart::data_stall:
      return Activity::data_stall;
    case model::StepPart::checkpoint_stall:
      return Activity::checkpoint_stall;
  }
  return Activity::idle;
}

Activity activityOf(const model::Task& task) {
  if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work))
    return activityOf(collective->axis);
  if (std::holds_alternative<model::TransferWork>(task.work))
    return Activity::pipeline;
  if (const auto* io = std::get_if<model::HostIoWork>(&task.work))
    return io->is_write ? Activity::checkpoint_stall : Activity::data_stall;
  if (std::holds_alternative<model::OptimizerWork>(task.work))
    return Activity::optimizer;
  switch (task.phase.pass) {
    case model::Pass::recompute:
      return Activity::recompute;
    case model::Pass::optimizer:
      return Activity::optimizer;
    case model::Pass::data_load:
      return Activity::data_stall;
    case model::Pass::checkpoint:
      return Activity::checkpoint_stall;
    default:
      return Activity::compute;
  }
}

}  // namespace trainwright::gui
