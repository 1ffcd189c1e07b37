// SPDX-License-Identifier: Apache-2.0
#include "model/validation/step_validation.hpp"

#include <algorithm>
#include <map>
#include <random>

#include "model/io/json_writer.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kGigabyte = 1e9;
constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

bool notes_say(const StepRow& row, std::string_view words) {
  return row.id.notes.find(words) != std::string::npos;
}

std::optional<double> measured_memory(const StepRow& row) {
  if (!row.memory_gb_per_gpu)
    return std::nullopt;
  return *row.memory_gb_per_gpu * (notes_say(row, "GiB") ? kGibibyte : kGigabyte);
}

RowResult skipped(const StepRow& row, std::string reason) {
  RowResult result = result_of(row, std::nullopt);
  result.skipped = std::move(reason);
  return result;
}

// The same draw on every machine: std::shuffle and the distributions of the library are not specified exactly.
std::vector<std::size_t> drawn(std::size_t from, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<std::size_t> all(from);
  for (std::size_t i = 0; i < from; ++i)
    all[i] = i;
  for (std::size_t i = 0; i < count; ++i)
    std::swap(all[i], all[i + generator() % (from - i)]);
  all.resize(count);
  return all;
}

}  // namespace

double predicted_memory(const StepRow& row, const MemoryEstimate& memory) {
  const bool last_only = notes_say(row, "LAST rank") && !memory.stages.empty();
  const bool allocator_only = notes_say(row, "allocat");
  const auto counted = [&](const StageMemory& stage) {
    ByteCount bytes = stage.peak;
    if (allocator_only)
      for (const MemoryTerm outside : {MemoryTerm::communication, MemoryTerm::context, MemoryTerm::fragmentation})
        bytes = bytes - stage.terms[static_cast<std::size_t>(outside)];
    return static_cast<double>(bytes.count());
  };
  if (last_only)
    return counted(memory.stages.back());
  double most = 0.0;
  for (const StageMemory& stage : memory.stages)
    most = std::max(most, counted(stage));
  return memory.stages.empty() ? static_cast<double>(memory.peak.count()) : most;
}

RowResult result_of(const StepRow& row, const std::optional<Estimate>& estimate) {
  RowResult result;
  result.row_id = row.id.row_id;
  result.source = row.id.source;
  result.group = row.accelerator;
  result.job = row.model + ", " + std::to_string(row.gpus) + " x " + row.accelerator + ", " + row.precision + ", " +
               std::to_string(row.seq_len.value_or(0)) + " tokens";
  result.sequences = static_cast<double>(row.global_batch.value_or(0));
  result.measured_s = row.iteration_time_s;
  result.memory_measured_bytes = measured_memory(row);
  if (!estimate)
    return result;
  if (row.iteration_time_s) {
    result.predicted_s = estimate->step.count();
    result.low_s = estimate->step_low.count();
    result.high_s = estimate->step_high.count();
  }
  if (result.memory_measured_bytes)
    result.memory_predicted_bytes = predicted_memory(row, estimate->memory);
  for (std::size_t part = 0; part < kStepPartCount; ++part)
    if (row.iteration_time_s && estimate->breakdown[part] > 0.0)
      result.breakdown.emplace_back(kStepPartWords[part], estimate->breakdown[part]);
  result.assumptions = estimate->assumptions;
  result.verdict = word_of(kMemoryVerdictWords, estimate->memory.verdict);
  return result;
}

std::vector<RowResult> validate_steps(const std::vector<StepRow>& rows, RowPlanner& planner, const Estimator& estimator,
                                      std::stop_token stop, const Progress& progress) {
  std::vector<RowResult> results;
  results.reserve(rows.size());
  for (const StepRow& row : rows) {
    if (stop.stop_requested())
      break;
    const RowPlan planned = planner.to_plan(row);
    if (planned.plan) {
      const std::optional<Estimate> estimate = estimator.estimate(*planned.plan, stop, {});
      if (!estimate)
        break;
      results.push_back(result_of(row, estimate));
    } else {
      results.push_back(skipped(row, planned.problem));
    }
    if (progress)
      progress(static_cast<double>(results.size()) / static_cast<double>(rows.size()));
  }
  return results;
}

std::vector<RowResult> validate_steps_with_shots(const std::vector<StepRow>& rows, int shots, std::uint64_t seed,
                                                 RowPlanner& planner, const Estimator& estimator, std::stop_token stop,
                                                 const Progress& progress) {
  std::vector<RowResult> results(rows.size());
  std::map<std::string, std::vector<std::size_t>> by_source;
  std::map<std::size_t, Plan> plans;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RowPlan planned = planner.to_plan(rows[i]);
    if (!planned.plan) {
      results[i] = skipped(rows[i], planned.problem);
      continue;
    }
    plans.emplace(i, std::move(*planned.plan));
    by_source[rows[i].id.source].push_back(i);
  }
  std::size_t done = 0;
  for (const auto& [source, members] : by_source) {
    std::vector<std::size_t> timed;
    std::copy_if(members.begin(), members.end(), std::back_inserter(timed),
                 [&](std::size_t i) { return rows[i].iteration_time_s.has_value(); });
    const std::size_t count =
        std::min<std::size_t>(static_cast<std::size_t>(shots), timed.empty() ? 0 : timed.size() - 1);
    std::vector<PlannedRow> used;
    for (const std::size_t pick : drawn(timed.size(), count, seed)) {
      used.push_back({&rows[timed[pick]], plans.at(timed[pick])});
      results[timed[pick]].calibrates = true;
    }
    const ShotFit fit = used.empty() ? ShotFit{} : fit_shots(used);
    for (const std::size_t i : members) {
      if (stop.stop_requested())
        return results;
      Plan plan = plans.at(i);
      if (!used.empty())
        plan.constants = scaled(plan.constants, fit);
      const bool calibrates = results[i].calibrates;
      const std::optional<Estimate> estimate = estimator.estimate(plan, stop, {});
      results[i] = estimate ? result_of(rows[i], estimate) : skipped(rows[i], "interrupted");
      results[i].calibrates = calibrates;
      if (progress)
        progress(static_cast<double>(++done) / static_cast<double>(rows.size()));
    }
  }
  return results;
}

}  // namespace trainwright::model::validation
