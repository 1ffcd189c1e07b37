// SPDX-License-Identifier: Apache-2.0
#include "model/io/plan_request.hpp"

#include "model/base/error.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/load.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::model {
namespace {

/// The constants of a calibration file over `base`. Keeps `base` and adds the problems when the file is wrong.
CostConstants calibrated(const std::optional<std::filesystem::path>& file, const CostConstants& base,
                         Diagnostics& problems) {
  if (!file)
    return base;
  Diagnostics own;
  const std::string text = read_file(*file, own);
  const std::optional<Calibration> calibration =
      own.has_errors() ? std::nullopt : calibration_from_json(text, file->string(), own);
  problems.append(own);
  if (!calibration)
    return base;
  try {
    return apply(*calibration, base);
  } catch (const InputError& error) {
    problems.append(error.diagnostics());
    return base;
  }
}

}  // namespace

std::optional<Plan> resolve_request(const PlanRequest& request, const std::string& source, Diagnostics& problems) {
  const std::optional<Model> model = load_model(request.model, problems);
  const std::optional<Cluster> cluster = load_cluster(request.cluster, problems);
  const SoftwareGeneration software =
      software_generation(request.choices.framework.value_or(Job{}.framework), request.choices.year.value_or(0));
  const CostConstants constants =
      calibrated(request.calibration, cluster ? shipped_constants(*cluster, software) : CostConstants{}, problems);
  if (!model || !cluster)
    return std::nullopt;
  const bool constants_are_good = !problems.has_errors();
  std::optional<Plan> plan = resolve_plan(*model, *cluster, constants, request.choices, source, problems);
  return constants_are_good ? plan : std::nullopt;
}

std::optional<Plan> load_plan_with(const std::filesystem::path& file,
                                   const std::optional<std::filesystem::path>& calibration, const PlanChoices& choices,
                                   const std::string& source, Diagnostics& problems) {
  Diagnostics own;
  const std::string text = read_file(file, own);
  std::optional<Plan> plan = own.has_errors() ? std::nullopt : plan_from_json(text, file.string(), own);
  if (!plan) {
    problems.append(own);
    static_cast<void>(calibrated(calibration, CostConstants{}, problems));
    return std::nullopt;
  }
  plan->constants = calibrated(calibration, plan->constants, own);
  const bool files_are_good = !own.has_errors();
  problems.append(own);
  // Without choices what is wrong with the plan is wrong in the file.
  const bool as_written = choices == PlanChoices{};
  std::optional<Plan> revised = revise_plan(*plan, choices, as_written ? file.string() : source, problems);
  return files_are_good ? revised : std::nullopt;
}

}  // namespace trainwright::model
