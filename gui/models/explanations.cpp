// The longer texts of Labels, shown in the inspector: what a quantity is, where it comes from, what would help.
// SPDX-License-Identifier: Apache-2.0
#include "gui/models/labels.hpp"

namespace trainwright::gui {

QString Labels::explanation(model::StepPart part) {
  switch (part) {
    case model::StepPart::compute:
      return tr(
          "Time the slowest path spends in matrix products, attention and element-wise kernels of the forward and "
          "backward pass. Less of it: lower precision, larger micro-batches that fill the device, a fused "
          "attention kernel, more devices.");
    case model::StepPart::recompute:
      return tr(
          "Forward work done a second time during the backward pass, to save activation memory. Less of it: "
          "selective instead of full recompute, if the memory allows.");
    case model::StepPart::exposed_tensor:
      return tr(
          "Time compute waits for the collectives inside each layer (all-reduce, or all-gather and reduce-scatter "
          "with sequence parallelism). It grows with TP and jumps when a TP group leaves the node. Less of it: "
          "lower TP, TP inside one node.");
    case model::StepPart::exposed_context:
      return tr(
          "Time compute waits for keys and values from the other ranks of the context-parallel group. Less of it: "
          "lower CP, longer sequences per rank, CP inside one node.");
    case model::StepPart::exposed_expert:
      return tr(
          "Time compute waits for the all-to-all that brings tokens to their experts and back. Less of it: EP "
          "inside one node, fewer experts per token, a faster network.");
    case model::StepPart::exposed_data:
      return tr(
          "Gradient reduction and parameter gathering that backward and forward compute could not hide. Less of it: "
          "overlap, larger global batch, less sharding over the network, a faster network.");
    case model::StepPart::exposed_pipeline:
      return tr(
          "Time a stage waits for activations or gradients that are on their way from its neighbour. Less of it: "
          "fewer stages, stages of one pipeline on fast links.");
    case model::StepPart::bubble:
      return tr(
          "Time a stage has nothing to do because the pipeline fills or drains. With p stages, m micro-batches and v "
          "chunks it is about (p - 1) / (v m) of the compute time. Less of it: more micro-batches, interleaved "
          "chunks, a zero-bubble schedule, fewer stages.");
    case model::StepPart::optimizer:
      return tr(
          "Update of the parameters at the end of the step, bound by memory bandwidth. Less of it: shard the "
          "optimizer over the data-parallel group (ZeRO 1 and up).");
    case model::StepPart::host:
      return tr(
          "Work of the host that the device waits for: launching kernels, per-step bookkeeping. Less of it: larger "
          "micro-batches, fewer and fused kernels, CUDA graphs.");
    case model::StepPart::data_stall:
      return tr(
          "Time the step waits for its training data. Less of it: more loader workers, faster storage, larger "
          "shards.");
    case model::StepPart::checkpoint_stall:
      break;
  }
  return tr(
      "Time the step waits for a checkpoint, averaged over the steps between two of them. Less of it: asynchronous "
      "saving, longer interval, more storage bandwidth.");
}

QString Labels::explanation(model::MemoryTerm term) {
  switch (term) {
    case model::MemoryTerm::weights:
      return tr(
          "Parameters of the layers on this stage in the precision they are computed with, divided by TP and, with "
          "ZeRO 3, by the shard group.");
    case model::MemoryTerm::gradients:
      return tr("One gradient for each parameter on this rank, divided by the shard group with ZeRO 2 and up.");
    case model::MemoryTerm::master_weights:
      return tr(
          "32-bit copy of the parameters that the optimizer updates in mixed precision, divided by the shard group "
          "with ZeRO 1 and up.");
    case model::MemoryTerm::moments:
      return tr(
          "Running averages of the optimizer; two 32-bit numbers for each parameter with Adam. Divided by the shard "
          "group with ZeRO 1 and up.");
    case model::MemoryTerm::activations:
      return tr(
          "Results of the forward pass kept for the backward pass, of all micro-batches in flight on this stage. "
          "Recompute, TP with sequence parallelism, CP and smaller micro-batches make it smaller.");
    case model::MemoryTerm::logits:
      return tr(
          "Scores over the vocabulary and their gradient in the loss; tokens of a micro-batch times vocabulary, "
          "divided by TP. Only on the last stage.");
    case model::MemoryTerm::buckets:
      return tr("Contiguous buffers in which gradients are reduced.");
    case model::MemoryTerm::gathered_parameters:
      return tr("Full parameters of the layers at work (and of the next ones, prefetched) under ZeRO 3.");
    case model::MemoryTerm::communication:
      return tr("Buffers of the communication library and of messages between stages.");
    case model::MemoryTerm::workspaces:
      return tr(
          "Operands and results of the operator at work that nothing keeps, and scratch buffers of the matrix "
          "libraries.");
    case model::MemoryTerm::context:
      return tr("What the driver, the libraries and the kernels take before the first tensor exists.");
    case model::MemoryTerm::fragmentation:
      break;
  }
  return tr("Memory the caching allocator holds but cannot use, as a share of what it manages.");
}

QString Labels::explanation(Field field) {
  switch (field) {
    case Field::model:
      return tr("The network to train: a shipped profile, or a config.json dropped on the window.");
    case Field::cluster:
      return tr("The machines: devices, links inside a node, network between nodes.");
    case Field::gpus:
      return tr("Devices of the job. DP x TP x PP x CP must be this number.");
    case Field::global_batch:
      return tr("Sequences per step over all replicas. A multiple of micro-batch x DP.");
    case Field::seq_len:
      return tr("Tokens per sequence.");
    case Field::precision:
      return tr("Number format of the matrix products.");
    case Field::optimizer:
      return tr("Decides the optimizer's memory and the time of the update.");
    case Field::attention:
      return tr("flash: scores never reach memory. unfused: they are written and read back.");
    case Field::framework:
      return tr("Software stack; it decides kernels, overlap and host overhead.");
    case Field::steps:
      return tr("Length of the training; for total time, energy and price.");
    case Field::dp:
      return tr("Replicas of the model, each on other data. Left on automatic it is GPUs / (TP x PP x CP).");
    case Field::tp:
      return tr("Each matrix is split over this many ranks. Must divide attention heads; belongs inside one node.");
    case Field::pp:
      return tr("Layers are split into this many stages.");
    case Field::vpp:
      return tr("Each stage holds this many chunks of layers; more chunks, smaller bubble, more messages.");
    case Field::cp:
      return tr("Each sequence is split over this many ranks; for long sequences.");
    case Field::ep:
      return tr("Experts of a mixture-of-experts layer are spread over this many ranks.");
    case Field::etp:
      return tr("Tensor parallelism inside one expert.");
    case Field::sequence_parallel:
      return tr("Norms and dropout of a TP group work on parts of the sequence; saves activations, needs TP above 1.");
    case Field::zero:
      return tr(
          "What the data-parallel group shares instead of copying: 1 optimizer state, 2 also gradients, 3 also "
          "parameters (FSDP).");
    case Field::hsdp:
      return tr("Ranks that share one set of shards; 0 means the whole data-parallel group.");
    case Field::micro_batch:
      return tr("Sequences a rank works on at once.");
    case Field::schedule:
      return tr("Order of forward and backward passes over the stages.");
    case Field::recompute:
      return tr("Drop activations and compute them again: none, only attention (selective), or all (full).");
    case Field::overlap:
      return tr("Reduce gradients while the backward pass still runs.");
    case Field::none:
      break;
  }
  return {};
}

}  // namespace trainwright::gui
