// SPDX-License-Identifier: Apache-2.0
#include "executor/device/device_formats.hpp"

#include <set>
#include <utility>
#include <variant>

#include "executor/kernels/operand_plan.hpp"
#include "model/base/diagnostic.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

using model::Precision;

std::optional<Precision> precision_of(const model::Task& task) {
  if (const auto* gemm = std::get_if<model::GemmWork>(&task.work))
    return gemm->precision;
  if (const auto* attention = std::get_if<model::AttentionWork>(&task.work))
    return attention->precision;
  return std::nullopt;
}

// First generation of cards that computes it: CUDA C++ Programming Guide, table of arithmetic by compute capability.
std::pair<int, int> needed_capability(Precision precision) {
  switch (precision) {
    case Precision::fp8:
      return {8, 9};
    case Precision::bf16:
    case Precision::tf32:
      return {8, 0};
    default:
      return {7, 5};
  }
}

std::set<Precision> precisions_of(const model::Program& program) {
  std::set<Precision> precisions;
  for (const model::Task& task : program.tasks)
    if (const auto precision = precision_of(task))
      precisions.insert(*precision);
  return precisions;
}

}  // namespace

std::optional<ElementType> element_type(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return ElementType::fp32;
    case Precision::tf32:
      return ElementType::tf32;
    case Precision::fp16:
      return ElementType::fp16;
    case Precision::bf16:
      return ElementType::bf16;
    case Precision::fp8:
      return ElementType::fp8;
    case Precision::mxfp8:
    case Precision::nvfp4:
    case Precision::fp64:
      return std::nullopt;
  }
  return std::nullopt;
}

ElementType attention_type(Precision precision) {
  return result_type(element_type(precision).value_or(ElementType::bf16));
}

void check_precisions(const model::Program& program, const DeviceProperties& card) {
  model::Diagnostics diagnostics;
  std::string lacking;
  for (const Precision precision : precisions_of(program)) {
    const std::string word(to_word(precision));
    if (!element_type(precision)) {
      diagnostics.add_error("plan", "/job/precision", "the device engine does not compute " + word,
                            "allowed: fp32, tf32, fp16, bf16, fp8");
      continue;
    }
    const auto needed = needed_capability(precision);
    if (std::pair(card.major, card.minor) < needed)
      lacking += (lacking.empty() ? "" : "; ") + word + " needs compute capability " + std::to_string(needed.first) +
                 "." + std::to_string(needed.second);
  }
  model::throw_if_errors(diagnostics);
  if (!lacking.empty())
    throw model::EnvironmentError(card.name + " has compute capability " + std::to_string(card.major) + "." +
                                      std::to_string(card.minor) + "; " + lacking,
                                  "plan with a precision that the card has");
}

ElementType common_type(const model::Program& program) {
  for (const model::Task& task : program.tasks)
    if (const auto precision = precision_of(task))
      return element_type(*precision).value_or(ElementType::bf16);
  return ElementType::fp32;
}

std::vector<std::string> device_modes(const model::ExecutionGraph& graph) {
  std::set<Precision> summed;
  bool fp8_attention = false;
  for (std::size_t p = 0; p < graph.program_count(); ++p)
    for (const model::Task& task : graph.program(model::ProgramId(p)).tasks) {
      if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work))
        summed.insert(collective->precision);
      if (const auto* attention = std::get_if<model::AttentionWork>(&task.work))
        fp8_attention = fp8_attention || operand_bytes(attention->precision) < 2;
    }
  summed.erase(Precision::fp32);
  summed.erase(Precision::tf32);
  std::vector<std::string> modes;
  for (const Precision precision : summed)
    modes.push_back(std::string(to_word(precision)) + " collectives move as many bytes, summed in fp32");
  if (fp8_attention)
    modes.emplace_back("fp8 attention computed in bf16");
  return modes;
}

}  // namespace trainwright::executor
