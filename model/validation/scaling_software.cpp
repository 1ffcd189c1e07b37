// SPDX-License-Identifier: Apache-2.0
#include "model/validation/scaling_software.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "model/hardware/precision.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kHorovodFusionBytes = 64.0 * kMiB;  // HOROVOD_FUSION_THRESHOLD, Horovod documentation, tensor fusion
// Packed into the bucket, divided by the number of ranks, unpacked: each reads and writes every gradient once.
constexpr double kBucketCopies = 6.0;
// Autograd hooks of PyTorch run in Python or under its lock. Fitted: docs/models/validation.md.
constexpr double kHookPerOperator_s = 50e-6;

bool contains(std::string_view text, std::string_view piece) {
  return std::search(text.begin(), text.end(), piece.begin(), piece.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
         }) != text.end();
}

// Micro-batches between two updates, where the notes say so.
double accumulation(const std::string& notes) {
  std::size_t at = notes.find("accumulation");
  if (at != std::string::npos)
    at = notes.find_first_of("0123456789", at);
  if (at == std::string::npos)
    return 1.0;
  int steps = 1;
  std::from_chars(notes.data() + at, notes.data() + notes.size(), steps);
  return std::max(1, steps);
}

void read_variable_update(std::string_view notes, ScalingSoftware& software) {
  constexpr std::string_view kWords = "variable update: ";
  const std::size_t at = notes.find(kWords);
  if (at == std::string_view::npos)
    return;
  const std::string_view update = notes.substr(at + kWords.size());
  const auto is = [&](std::string_view word) { return update.compare(0, word.size(), word) == 0; };
  // tf_cnn_benchmarks reads all variables from where they are kept at the start of a step.
  if (is("parameter_server") || is("replicated without NCCL") || is("distributed_replicated"))
    software.exchange = GradientExchange::host;
  software.crosses_nodes_beside_backward = is("distributed_replicated");
}

}  // namespace

ScalingSoftware software_of(const ScalingRow& row, const GradientOrder& order) {
  ScalingSoftware software;
  const std::optional<Precision> precision = precision_of(row.precision);
  const bool full = precision == Precision::fp32 || precision == Precision::tf32;
  software.gradient_bytes = full ? 4.0 : 2.0;
  software.micro_batches = accumulation(row.id.notes);
  read_variable_update(row.id.notes, software);
  if (contains(row.id.notes, "horovod")) {
    software.bucket_bytes = kHorovodFusionBytes;
    software.copies = kBucketCopies;
    software.gradient_bytes = 4.0;  // variables of TensorFlow's mixed precision and their gradients are fp32
    // allreduce_post_accumulation is off unless asked for.
    software.reduces_each_micro_batch = software.micro_batches > 1.0;
    if (software.reduces_each_micro_batch)
      software.assumptions.emplace_back("Horovod sums the gradients of every micro-batch");
  } else if (contains(row.id.url, "pytorch")) {
    software.copies = kBucketCopies;
    software.host_per_operator_s = kHookPerOperator_s;
  }
  if (software.micro_batches > 1.0 && !software.reduces_each_micro_batch)
    software.overlaps_backward = false;  // one flat sum after the last micro-batch
  if (order.is_recurrent) {
    software.overlaps_backward = false;
    software.assumptions.emplace_back(
        "kernels of recurrent layers are taken to hold the whole device: gradients are summed after the backward pass");
  }
  // Its configurations start train.py of DeepLearningExamples without --multi_gpu ddp, which alone wraps the network.
  if (contains(row.id.url, "lambdal/deeplearning-benchmark") && contains(row.model, "transformer-xl")) {
    software.exchange = GradientExchange::none;
    software.assumptions.emplace_back("this benchmark does not wrap its network: every device trains on its own");
  }
  return software;
}

}  // namespace trainwright::model::validation
