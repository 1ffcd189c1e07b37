// SPDX-License-Identifier: Apache-2.0
#include "gui/models/labels.hpp"

#include <array>
#include <utility>

#include "gui/format/text.hpp"

namespace trainwright::gui {

QString Labels::name(Activity activity) {
  switch (activity) {
    case Activity::compute:
      return tr("Compute");
    case Activity::recompute:
      return tr("Recompute");
    case Activity::tensor:
      return tr("TP communication");
    case Activity::context:
      return tr("CP communication");
    case Activity::expert:
      return tr("EP communication");
    case Activity::data:
      return tr("DP communication");
    case Activity::pipeline:
      return tr("PP communication");
    case Activity::bubble:
      return tr("Bubble");
    case Activity::optimizer:
      return tr("Optimizer");
    case Activity::host:
      return tr("Host");
    case Activity::data_stall:
      return tr("Data loading");
    case Activity::checkpoint_stall:
      return tr("Checkpoint");
    case Activity::idle:
      break;
  }
  return tr("Idle");
}

QString Labels::name(model::StepPart part) {
  switch (part) {
    case model::StepPart::compute:
      return tr("Compute");
    case model::StepPart::recompute:
      return tr("Recompute");
    case model::StepPart::exposed_tensor:
      return tr("Exposed TP communication");
    case model::StepPart::exposed_context:
      return tr("Exposed CP communication");
    case model::StepPart::exposed_expert:
      return tr("Exposed EP communication");
    case model::StepPart::exposed_data:
      return tr("Exposed DP communication");
    case model::StepPart::exposed_pipeline:
      return tr("Exposed PP communication");
    case model::StepPart::bubble:
      return tr("Bubble");
    case model::StepPart::optimizer:
      return tr("Optimizer");
    case model::StepPart::host:
      return tr("Host");
    case model::StepPart::data_stall:
      return tr("Data stall");
    case model::StepPart::checkpoint_stall:
      break;
  }
  return tr("Checkpoint stall");
}

QString Labels::name(model::MemoryTerm term) {
  switch (term) {
    case model::MemoryTerm::weights:
      return tr("Weights");
    case model::MemoryTerm::gradients:
      return tr("Gradients");
    case model::MemoryTerm::master_weights:
      return tr("Master weights");
    case model::MemoryTerm::moments:
      return tr("Moments");
    case model::MemoryTerm::activations:
      return tr("Activations");
    case model::MemoryTerm::logits:
      return tr("Logits");
    case model::MemoryTerm::buckets:
      return tr("Buckets");
    case model::MemoryTerm::gathered_parameters:
      return tr("Gathered parameters");
    case model::MemoryTerm::communication:
      return tr("Communication buffers");
    case model::MemoryTerm::workspaces:
      return tr("Workspaces");
    case model::MemoryTerm::context:
      return tr("Context");
    case model::MemoryTerm::fragmentation:
      break;
  }
  return tr("Fragmentation");
}

QString Labels::name(model::Stream stream) {
  switch (stream) {
    case model::Stream::compute:
      return tr("compute");
    case model::Stream::tensor:
      return tr("TP, CP, EP");
    case model::Stream::data:
      return tr("DP");
    case model::Stream::send_forward:
      return tr("send forward");
    case model::Stream::receive_forward:
      return tr("receive forward");
    case model::Stream::send_backward:
      return tr("send backward");
    case model::Stream::receive_backward:
      return tr("receive backward");
    case model::Stream::host_io:
      break;
  }
  return tr("host I/O");
}

QString Labels::name(model::MemoryVerdict verdict) {
  switch (verdict) {
    case model::MemoryVerdict::fits:
      return tr("Fits");
    case model::MemoryVerdict::borderline:
      return tr("Borderline");
    case model::MemoryVerdict::does_not_fit:
      break;
  }
  return tr("Does not fit");
}

QString Labels::name(model::EstimatorKind kind) {
  switch (kind) {
    case model::EstimatorKind::analytic:
      return tr("closed form");
    case model::EstimatorKind::folded:
      return tr("folded simulation");
    case model::EstimatorKind::full:
      break;
  }
  return tr("full simulation");
}

QString Labels::name(Field field) {
  switch (field) {
    case Field::model:
      return tr("Model");
    case Field::cluster:
      return tr("Cluster");
    case Field::gpus:
      return tr("GPUs");
    case Field::global_batch:
      return tr("Global batch");
    case Field::seq_len:
      return tr("Sequence length");
    case Field::precision:
      return tr("Precision");
    case Field::optimizer:
      return tr("Optimizer");
    case Field::attention:
      return tr("Attention");
    case Field::framework:
      return tr("Framework");
    case Field::steps:
      return tr("Steps");
    case Field::dp:
      return tr("Data parallel (DP)");
    case Field::tp:
      return tr("Tensor parallel (TP)");
    case Field::pp:
      return tr("Pipeline stages (PP)");
    case Field::vpp:
      return tr("Chunks per stage (VPP)");
    case Field::cp:
      return tr("Context parallel (CP)");
    case Field::ep:
      return tr("Expert parallel (EP)");
    case Field::etp:
      return tr("TP inside an expert");
    case Field::sequence_parallel:
      return tr("Sequence parallel");
    case Field::zero:
      return tr("Sharding (ZeRO)");
    case Field::hsdp:
      return tr("Shard group (HSDP)");
    case Field::micro_batch:
      return tr("Micro-batch");
    case Field::schedule:
      return tr("Pipeline schedule");
    case Field::recompute:
      return tr("Recompute");
    case Field::overlap:
      return tr("Overlap gradients");
    case Field::none:
      break;
  }
  return tr("Scenario");
}

QString Labels::phase(std::string_view word) {
  if (word == "forward")
    return tr("forward");
  if (word == "backward")
    return tr("backward");
  if (word == "optimizer")
    return tr("optimizer");
  if (word == "load")
    return tr("load");
  if (word == "initialise" || word == "initialize")
    return tr("initialize");
  if (word == "save")
    return tr("save");
  return toQString(word);
}

QString Labels::resource(std::string_view word) {
  if (word == "compute")
    return tr("compute");
  if (word == "memory bandwidth")
    return tr("memory bandwidth");
  if (word == "node link")
    return tr("link inside the node");
  if (word == "network")
    return tr("network between nodes");
  if (word == "latency" || word == "communication latency")
    return tr("network latency");
  if (word == "host")
    return tr("host (kernel launches)");
  if (word == "storage")
    return tr("storage");
  if (word == "pipeline bubble" || word == "pipeline" || word == "bubble")
    return tr("pipeline bubble");
  return toQString(word);
}

QString Labels::bottleneck(std::string_view sentence) {
  return resource(sentence.substr(0, sentence.find(':')));
}

}  // namespace trainwright::gui
