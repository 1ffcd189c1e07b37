// SPDX-License-Identifier: Apache-2.0
#include "model/validation/family_fit.hpp"

#include <cmath>

#include "model/units/format.hpp"
#include "model/validation/constant_list.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kPercent = 100.0;

const std::string& family_of(const PlannedRow& row) {
  return row.plan.cluster.groups.front().accelerator.family;
}

std::string file_of(const std::vector<PlannedRow>& rows) {
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
      if (factor.name == ref.name)
        list.add(ref.name, *ref.value, origin);
  return list.text();
}

}  // namespace

std::map<std::string, std::string> step_constant_files(const std::vector<PlannedRow>& rows) {
  std::map<std::string, std::vector<PlannedRow>> by_family;
  for (const PlannedRow& row : rows)
    if (row.row->iteration_time_s)
      by_family[family_of(row)].push_back(row);
  std::map<std::string, std::string> files;
  for (const auto& [family, own] : by_family)
    files.emplace("steps-" + family + ".json", file_of(own));
  return files;
}

}  // namespace trainwright::model::validation
