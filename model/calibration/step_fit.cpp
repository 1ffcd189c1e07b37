// SPDX-License-Identifier: Apache-2.0
#include "model/calibration/step_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/calibration/run_observations.hpp"

namespace trainwright::model {
namespace {

constexpr int kRounds = 2;
constexpr int kSearchSteps = 8;
constexpr double kLogNoise = 0.02;
constexpr double kMaxShare = 0.95;  // compute never stops altogether beside communication
constexpr double kMaxPenalty = 1.0;
constexpr double kMaxStepOverhead = 0.2;  // of the shortest measured step
constexpr double kPull = 0.02;            // towards zero overhead: a constant that explains nothing stays small

struct SearchParameter {
  std::string name;
  double* value;
  double max;
};

class StepSearch {
 public:
  StepSearch(const std::vector<const ExecutedRun*>& runs, CostConstants& constants, const Estimator& estimator)
      : runs_(runs), constants_(constants), estimator_(estimator) {}

  [[nodiscard]] double predicted(const ExecutedRun& run) const {
    Plan plan = run.plan;
    const std::string origin = plan.constants.origin;
    plan.constants = constants_;
    plan.constants.origin = origin;
    return estimator_.estimate(plan, {}, {})->step.count();
  }

  [[nodiscard]] double objective(const std::vector<SearchParameter>& parameters) const {
    double sum = 0.0;
    for (const ExecutedRun* run : runs_)
      sum += std::pow(std::log(predicted(*run) / median_of(run->step_s)), 2);
    for (const SearchParameter& p : parameters)
      sum += std::pow(kPull * *p.value / p.max, 2);
    return sum;
  }

  // Golden-section search of one parameter over [0, max].
  void search(const SearchParameter& parameter, const std::vector<SearchParameter>& all) const {
    const double ratio = 1.0 / std::numbers::phi;
    double low = 0.0;
    double high = parameter.max;
    const auto at = [&](double value) {
      *parameter.value = value;
      return objective(all);
    };
    double left = high - ratio * (high - low);
    double right = low + ratio * (high - low);
    double at_left = at(left);
    double at_right = at(right);
    for (int i = 0; i < kSearchSteps; ++i) {
      if (at_left < at_right) {
        high = right;
        right = left;
        at_right = at_left;
        left = high - ratio * (high - low);
        at_left = at(left);
      } else {
        low = left;
        left = right;
        at_left = at_right;
        right = low + ratio * (high - low);
        at_right = at(right);
      }
    }
    *parameter.value = 0.5 * (low + high);
  }

 private:
  const std::vector<const ExecutedRun*>& runs_;
  CostConstants& constants_;
  const Estimator& estimator_;
};

}  // namespace

StepFit fit_whole_steps(const std::vector<const ExecutedRun*>& runs, CostConstants& constants,
                        const Estimator& estimator) {
  StepFit result;
  if (runs.empty())
    return result;
  bool overlaps = false;
  bool shares_cores = false;
  double shortest = median_of(runs.front()->step_s);
  for (const ExecutedRun* run : runs) {
    const Layout& layout = run->plan.layout;
    overlaps = overlaps || (layout.dp > 1 && layout.overlap_gradients) || layout.tp > 1 || layout.pp > 1;
    shares_cores = shares_cores || world_size(layout) > device_count(run->plan.cluster);
    shortest = std::min(shortest, median_of(run->step_s));
  }
  std::vector<SearchParameter> parameters;
  if (overlaps)
    parameters.push_back({"communication_compute_share", &constants.communication_compute_share, kMaxShare});
  if (shares_cores)
    parameters.push_back({"core_switch_penalty", &constants.core_switch_penalty, kMaxPenalty});
  parameters.push_back({"host.step_s", &constants.host.step_s, kMaxStepOverhead * shortest});
  const StepSearch search(runs, constants, estimator);
  for (int round = 0; round < kRounds; ++round)
    for (const SearchParameter& parameter : parameters)
      search.search(parameter, parameters);
  std::vector<double> errors;
  for (const ExecutedRun* run : runs) {
    const double measured = median_of(run->step_s);
    const double predicted = search.predicted(*run);
    errors.push_back(std::abs(std::log(predicted / measured)));
    result.residuals.push_back({"step of " + (run->name.empty() ? "run" : run->name), measured, predicted});
  }
  for (const SearchParameter& parameter : parameters)
    result.fitted.push_back(parameter.name);
  result.log_error = std::max(kLogNoise, 1.4826 * median_of(errors));
  return result;
}

}  // namespace trainwright::model
