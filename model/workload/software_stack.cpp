// SPDX-License-Identifier: Apache-2.0
#include "model/workload/software_stack.hpp"

#include <algorithm>
#include <string_view>

namespace trainwright::model {
namespace {

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.rfind(word, 0) == 0; });
}

// Left out: the newest, which every later year is too.
bool is_from(const Job& job, int year) {
  return job.year == 0 || job.year >= year;
}

}  // namespace

SoftwareGeneration software_generation(std::string_view framework, std::int64_t year) {
  constexpr int kFirstFused = 2023;
  if (year == 0 || year > kFirstFused)
    return SoftwareGeneration::current;
  if (year < kFirstFused)
    return SoftwareGeneration::until_2022;
  return framework == "megatron-te" ? SoftwareGeneration::current : SoftwareGeneration::of_2023;
}

DataOverlap default_data_overlap(std::string_view framework, std::int64_t year) {
  const bool from_pytorch = starts_with_any(framework, {"pytorch-ddp", "fsdp", "torchtitan"});
  switch (software_generation(framework, year)) {
    case SoftwareGeneration::until_2022:
      // Megatron-LM and pipeline engines reduced contiguous buffers after the last backward pass;
      // DistributedDataParallel reduced buckets beside it (arXiv 2006.15704).
      return {from_pytorch, from_pytorch};
    case SoftwareGeneration::of_2023:
      return {true, from_pytorch};
    case SoftwareGeneration::current:
      break;
  }
  return {};
}

int gathers_per_layer(const Job& job) {
  constexpr int kTensors = 12;  // weight and bias of four linear operators and two norms
  const bool is_by_tensor = software_generation(job.framework, job.year) == SoftwareGeneration::until_2022 &&
                            starts_with_any(job.framework, {"megatron", "deepspeed"});
  return is_by_tensor ? kTensors : 1;
}

SoftwareStack software_stack(const Job& job, const Model& model) {
  SoftwareStack stack;
  const bool is_megatron = starts_with_any(job.framework, {"megatron", "internevo"});
  const bool is_own = job.framework == "trainwright";
  const bool is_compiled = job.framework == "torchtitan";
  stack.fuses_elementwise = is_megatron || is_own || is_compiled;
  if (!stack.fuses_elementwise)
    stack.assumptions.push_back("element-wise operators run one by one: " + job.framework + " without a compiler");

  // Recipes with learned positions trained with dropout 0.1 (GPT-2, GPT-3 in Megatron-LM, BERT); later ones without.
  stack.has_dropout = job.attention == AttentionKernel::unfused && model.position == PositionKind::learned;
  if (stack.has_dropout)
    stack.assumptions.emplace_back("dropout is on, as in recipes of unfused attention with learned positions");

  if (is_own || is_compiled)
    stack.loss = LossKernel::fused;
  else if (is_megatron)
    stack.loss = is_from(job, 2024) ? LossKernel::fused : LossKernel::in_place;
  else
    stack.loss = LossKernel::eager;

  // In fp32 the product adds to the gradients itself; the sum needs no copy of another type.
  if (activation_precision(job.precision) == Precision::fp32)
    stack.gradient_sum = GradientSum::in_product;
  else if (job.framework == "megatron-deepspeed")
    stack.gradient_sum = GradientSum::kernel_fp32;
  else if (is_megatron)
    stack.gradient_sum = is_from(job, 2022) ? GradientSum::fused_fp32 : GradientSum::kernel_fp32;
  else
    stack.gradient_sum = GradientSum::kernel_16;
  return stack;
}

int gradient_sum_reads(GradientSum sum) {
  switch (sum) {
    case GradientSum::in_product:
      return 0;
    case GradientSum::fused_fp32:
      return 4;
    case GradientSum::kernel_fp32:
      return 2 + 4;
    case GradientSum::kernel_16:
      return 2 + 2;
  }
  return 0;
}

int gradient_sum_writes(GradientSum sum) {
  switch (sum) {
    case GradientSum::in_product:
      return 0;
    case GradientSum::fused_fp32:
    case GradientSum::kernel_16:
      return 2;  // fused: 4 instead of the 2 that the product counts
    case GradientSum::kernel_fp32:
      return 4;
  }
  return 0;
}

LossTraffic loss_traffic(LossKernel kernel) {
  switch (kernel) {
    case LossKernel::eager:
      // cast, shift copy, maximum, subtract, exponential, sum, logarithm and subtract; back: exponential, times, cast.
      return {2 + 4 + 4 + 4 + 4 + 4 + 4, 4 + 4 + 4 + 4 + 4, 7, 4 + 4 + 4, 4 + 4 + 2, 3};
    case LossKernel::in_place:
      // cast, maximum, subtract, exponential, sum, divide; back: minus one at the label, times, cast.
      return {2 + 4 + 4 + 4 + 4 + 4, 4 + 4 + 4 + 4, 6, 4 + 4 + 4, 4 + 4 + 2, 3};
    case LossKernel::fused:
      // maximum; subtract, exponential and sum; divide; back: one kernel.
      return {2 + 2 + 4, 4 + 4, 3, 4, 2, 1};
  }
  return {};
}

std::vector<LogitCopy> logit_copies(LossKernel kernel, int stored) {
  std::vector<LogitCopy> copies{{"logits as stored", stored, true, kernel == LossKernel::eager}};
  // An fp32 product is its own fp32 copy, except where every operation makes a new one.
  if (stored < 4 || kernel == LossKernel::eager)
    copies.push_back({"logits in fp32", 4, true, true});
  else
    copies.front().is_kept = true;
  if (kernel == LossKernel::eager)
    copies.push_back({"log-softmax in fp32", 4, true, true});
  if (kernel == LossKernel::eager)
    copies.push_back({"gradient in fp32", 4, false, false});
  if (stored < 4)
    copies.push_back({"gradient as stored", stored, false, false});
  return copies;
}

}  // namespace trainwright::model
