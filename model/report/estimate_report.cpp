// SPDX-License-Identifier: Apache-2.0
#include "model/report/estimate_report.hpp"

#include <algorithm>
#include <cmath>

#include "model/estimate/memory_advice.hpp"
#include "model/report/text_table.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

std::string percent(double fraction) {
  return format_fixed(100.0 * fraction, 1) + " %";
}

std::string signed_percent(double fraction) {
  return (fraction >= 0.0 ? "+" : "") + format_fixed(100.0 * fraction, 1) + " %";
}

std::string gigabytes(ByteCount bytes) {
  const double value = static_cast<double>(bytes.count()) * 1e-9;
  return value < 10.0 ? format_fixed(value, 2) : format_fixed(value, 1);
}

std::string bar(double fraction) {
  constexpr double kLength = 30.0;
  const double length = std::round(std::clamp(fraction, 0.0, 1.0) * kLength);
  return std::string(static_cast<std::size_t>(length), '#');
}

/// Words of files made readable: "exposed_tp" is "exposed TP communication".
std::string readable(StepPart part) {
  switch (part) {
    case StepPart::exposed_tensor:
      return "exposed TP communication";
    case StepPart::exposed_context:
      return "exposed CP communication";
    case StepPart::exposed_expert:
      return "exposed EP communication";
    case StepPart::exposed_data:
      return "exposed DP communication";
    case StepPart::exposed_pipeline:
      return "exposed PP communication";
    case StepPart::data_stall:
      return "data stall";
    case StepPart::checkpoint_stall:
      return "checkpoint stall";
    default:
      return std::string(to_word(part));
  }
}

std::string readable(MemoryTerm term) {
  std::string word(to_word(term));
  std::replace(word.begin(), word.end(), '_', ' ');
  return word;
}

std::string verdict_word(MemoryVerdict verdict) {
  for (const auto& [word, value] : kMemoryVerdictWords)
    if (value == verdict)
      return std::string(word);
  return "?";
}

std::string breakdown_table(const Estimate& estimate) {
  TextTable table({"Step", "time", "share", ""});
  table.left(3);
  const double step = estimate.step.count();
  const auto share = [&](double seconds) { return step > 0.0 ? seconds / step : 0.0; };
  for (std::size_t part = 0; part < kStepPartCount; ++part) {
    const double seconds = estimate.breakdown[part];
    if (seconds != 0.0)
      table.add_row({readable(static_cast<StepPart>(part)), format(Seconds(seconds)), percent(share(seconds)),
                     bar(share(seconds))});
  }
  table.add_rule();
  table.add_row({"step", format(estimate.step), percent(1.0), ""});
  return table.text();
}

// Pipelines have up to dozens of stages; the first, the last and the fullest tell the story.
std::vector<const StageMemory*> stages_to_show(const MemoryEstimate& memory) {
  constexpr std::size_t kMost = 6;
  std::vector<const StageMemory*> shown;
  const auto fullest = std::max_element(memory.stages.begin(), memory.stages.end(),
                                        [](const StageMemory& a, const StageMemory& b) { return a.peak < b.peak; });
  for (std::size_t i = 0; i < memory.stages.size(); ++i) {
    const bool is_fullest = memory.stages.begin() + static_cast<std::ptrdiff_t>(i) == fullest;
    if (memory.stages.size() <= kMost || i < 2 || i + 2 >= memory.stages.size() || is_fullest)
      shown.push_back(&memory.stages[i]);
  }
  return shown;
}

// The most of each phase, of the fullest stage; and what the node's host holds.
std::string phases_and_host(const MemoryEstimate& memory) {
  const auto fullest = std::max_element(memory.stages.begin(), memory.stages.end(),
                                        [](const StageMemory& a, const StageMemory& b) { return a.peak < b.peak; });
  std::string text;
  for (std::size_t i = 0; fullest != memory.stages.end() && i < kMemoryPhaseCount; ++i)
    if (fullest->phases[i].count() > 0)
      text += (text.empty() ? "  by phase, GB: " : ", ") + std::string(kMemoryPhaseWords[i]) + " " +
              gigabytes(fullest->phases[i]);
  if (!text.empty())
    text += "\n";
  if (memory.host.used.count() == 0)
    return text;
  text += "  host memory of a node: " + gigabytes(memory.host.used) + " of " + gigabytes(memory.host.capacity) +
          " GB, " + verdict_word(memory.host.verdict) + " (";
  for (const HostMemory::Item& item : memory.host.items)
    text += (&item == &memory.host.items.front() ? "" : ", ") + item.name + " " + gigabytes(item.bytes);
  return text + ")\n";
}

std::string memory_table(const MemoryEstimate& memory) {
  const std::vector<const StageMemory*> stages = stages_to_show(memory);
  std::vector<std::string> headings{"Memory of a rank at its peak, GB"};
  for (const StageMemory* stage : stages)
    headings.push_back("stage " + std::to_string(stage->stage.value()));
  TextTable table(headings);
  for (std::size_t term = 0; term < kMemoryTermCount; ++term) {
    if (std::none_of(stages.begin(), stages.end(),
                     [&](const StageMemory* stage) { return stage->terms[term].count() != 0; }))
      continue;
    std::vector<std::string> row{readable(static_cast<MemoryTerm>(term))};
    for (const StageMemory* stage : stages)
      row.push_back(gigabytes(stage->terms[term]));
    table.add_row(std::move(row));
  }
  table.add_rule();
  const auto row_of = [&](const std::string& name, auto cell) {
    std::vector<std::string> row{name};
    for (const StageMemory* stage : stages)
      row.push_back(cell(*stage));
    table.add_row(std::move(row));
  };
  row_of("peak", [](const StageMemory& stage) { return gigabytes(stage.peak); });
  row_of("of capacity", [&](const StageMemory& stage) {
    return percent(static_cast<double>(stage.peak.count()) / static_cast<double>(memory.capacity.count()));
  });
  row_of("reached in", [](const StageMemory& stage) { return stage.peak_phase; });
  row_of("ranks", [](const StageMemory& stage) { return std::to_string(stage.ranks); });
  std::string text = table.text();
  if (stages.size() < memory.stages.size())
    text += "  (" + std::to_string(stages.size()) + " of " + std::to_string(memory.stages.size()) +
            " stages: the ends and the fullest; --json has all)\n";
  return text;
}

std::string what_if_table(const Estimate& estimate) {
  TextTable table({"If it were faster", "factor", "step", "change"});
  for (const WhatIf& what_if : estimate.what_ifs)
    table.add_row({what_if.resource, format_significant(what_if.factor, 3) + "x", format(what_if.step),
                   signed_percent(what_if.step / estimate.step - 1.0)});
  return table.text();
}

std::string advice_list(const Estimate& estimate) {
  std::string text = "  Advice\n";
  int number = 0;
  for (const Advice& advice : estimate.advice) {
    text += "  " + std::to_string(++number) + ". " + advice.action + ": " + advice.reason;
    if (advice.step_after)
      text += "; step " + format(*advice.step_after) + " (" + signed_percent(*advice.step_after / estimate.step - 1.0) +
              ")";
    if (advice.peak_memory_after)
      text += "; peak memory " + gigabytes(*advice.peak_memory_after) + " GB";
    text += "\n";
  }
  return text;
}

}  // namespace

std::string verdict_line(const Estimate& estimate) {
  const HostMemory& host = estimate.memory.host;
  const std::string where =
      host.verdict == MemoryVerdict::does_not_fit
          ? "host memory, " + gigabytes(host.used) + " of " + gigabytes(host.capacity) + " GB of a node; device "
          : "";
  std::string text = verdict_word(estimate.memory.verdict) + ": " + where + gigabytes(estimate.memory.peak) + " of " +
                     gigabytes(estimate.memory.capacity) + " GB, step " + format(estimate.step) +
                     " (90 %: " + format(estimate.step_low) + " to " + format(estimate.step_high) + "), MFU " +
                     percent(estimate.mfu);
  if (!estimate.bottleneck.empty())
    text += ", bound by " + estimate.bottleneck;
  return text;
}

std::string scenario_line(const Plan& plan) {
  const Layout& layout = plan.layout;
  std::string text = plan.model.id + " on " + plan.cluster.id + ", " + std::to_string(world_size(layout)) +
                     (world_size(layout) == 1 ? " rank" : " ranks") + ": tp " + std::to_string(layout.tp) + ", pp " +
                     std::to_string(layout.pp);
  const auto say_unless_one = [&](const char* name, int degree) {
    if (degree != 1)
      text += std::string(", ") + name + " " + std::to_string(degree);
  };
  say_unless_one("vpp", layout.vpp);
  say_unless_one("cp", layout.cp);
  say_unless_one("ep", layout.ep);
  say_unless_one("etp", layout.etp);
  text += ", dp " + std::to_string(layout.dp);
  if (layout.zero > 0)
    text += ", zero " + std::to_string(layout.zero);
  text += ", micro-batch " + std::to_string(layout.micro_batch) + " x " +
          std::to_string(micro_batches(layout, plan.job.global_batch)) + ", global batch " +
          std::to_string(plan.job.global_batch) + " x " + std::to_string(plan.job.seq_len) + " tokens, " +
          std::string(to_word(plan.job.precision));
  return text;
}

std::string estimate_report(const Estimate& estimate, const Plan& plan) {
  std::string estimator = "?";
  for (const auto& [word, kind] : kEstimatorWords)
    if (kind == estimate.estimator)
      estimator = std::string(word);
  std::string text = verdict_line(estimate) + "\n" + scenario_line(plan) + " (" + estimator + ")\n\n";
  text += breakdown_table(estimate) + "\n";
  text += "  " + format_significant(estimate.tokens_per_second, 4) + " tokens/s, " +
          format_significant(estimate.tokens_per_second / world_size(plan.layout), 4) + " per rank; " +
          format(estimate.model_rate_per_device) + " per rank; MFU " + percent(estimate.mfu) + ", HFU " +
          percent(estimate.hfu) + "\n\n";
  text += memory_table(estimate.memory);
  if (estimate.memory.verdict != MemoryVerdict::fits && !estimate.memory.stages.empty())
    text += "  " + memory_verdict_text(estimate.memory) + "\n";
  text += phases_and_host(estimate.memory);
  if (!estimate.what_ifs.empty())
    text += "\n" + what_if_table(estimate);
  if (!estimate.advice.empty())
    text += "\n" + advice_list(estimate);
  if (!estimate.assumptions.empty()) {
    text += "\n  Assumed\n";
    for (const std::string& line : estimate.assumptions)
      text += "  - " + line + "\n";
  }
  return text;
}

}  // namespace trainwright::model
