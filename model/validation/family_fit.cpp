// SPDX-License-Identifier: Apache-2.0
#include "model/validation/family_fit.hpp"

#include <cmath>

#include "model/io/json_writer.hpp"
#include "model/units/format.hpp"
#include "model/validation/constant_list.hpp"
#include "model/workload/software_stack.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kPercent = 100.0;
constexpr double kUnmoved = 1e-4;

// Fewer tell about their own peculiarities rather than about the software.
constexpr std::size_t kFewestOfGeneration = 8;

const std::string& family_of(const PlannedRow& row) {
  return row.plan.cluster.groups.front().accelerator.family;
}

struct Fitted {
  ShotFit fit;
  std::string text;
};

Fitted fitted(const std::vector<PlannedRow>& rows) {
  std::map<std::string, double> rows_of_source;
  for (const PlannedRow& row : rows)
    rows_of_source[row.row->id.source] += 1.0;
  ShotOptions options;
  options.has_links = false;
  for (const PlannedRow& row : rows)
    options.weights.push_back(1.0 / std::sqrt(rows_of_source[row.row->id.source]));
  const ShotFit fit = fit_shots(rows, options);
  const std::string origin = "docs/models/calibration.md: fitted on " + std::to_string(rows.size()) +
                             " published steps of " + std::to_string(rows_of_source.size()) + " sources, residual " +
                             format_fixed(kPercent * fit.log_error, 1) + " %";
  CostConstants constants = scaled(rows.front().plan.constants, fit);
  ConstantList list;
  for (const ConstantRef& ref : constant_refs(constants))
    for (const ConstantFactor& factor : fit.factors)
      if (factor.name == ref.name && std::abs(factor.factor - 1.0) > kUnmoved)  // else no row tells about it
        list.add(ref.name, *ref.value, origin);
  return {fit, list.text()};
}

// Each generation starts from what all of its family say, which is its prior.
void add_generations(const std::string& family, std::vector<PlannedRow> rows, const ShotFit& all,
                     std::map<std::string, std::string>& files) {
  std::map<SoftwareGeneration, std::vector<PlannedRow>> by_generation;
  for (PlannedRow& row : rows) {
    row.plan.constants = scaled(row.plan.constants, all);
    by_generation[software_generation(row.plan.job.framework, row.plan.job.year)].push_back(row);
  }
  if (by_generation.size() < 2)
    return;
  for (const auto& [generation, own] : by_generation)
    if (own.size() >= kFewestOfGeneration)
      files.emplace("steps-" + family + "-" + word_of(kSoftwareGenerationWords, generation) + ".json",
                    fitted(own).text);
}

}  // namespace

std::map<std::string, std::string> step_constant_files(const std::vector<PlannedRow>& rows) {
  std::map<std::string, std::vector<PlannedRow>> by_family;
  for (const PlannedRow& row : rows)
    if (row.row->iteration_time_s)
      by_family[family_of(row)].push_back(row);
  std::map<std::string, std::string> files;
  for (const auto& [family, own] : by_family) {
    const Fitted all = fitted(own);
    files.emplace("steps-" + family + ".json", all.text);
    add_generations(family, own, all.fit, files);
  }
  return files;
}

}  // namespace trainwright::model::validation
