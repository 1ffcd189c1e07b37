// SPDX-License-Identifier: Apache-2.0
#include "model/search/search_answer.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace trainwright::model {
namespace {

AnsweredPlan answered(const FoundPlan& found, const SearchRequest& request) {
  const Job& job = request.base.job;
  AnsweredPlan plan;
  plan.found = found;
  plan.tokens_per_s = static_cast<double>(found.figures.global_batch) * static_cast<double>(job.seq_len) *
                      job.sequence_fill / found.figures.step_s;
  plan.training_s = training_seconds(request.goal, found.figures);
  plan.price = training_price(request.goal, found.figures, request.base.cluster);
  plan.energy_j = training_energy(request.goal, found.figures, request.base.cluster);
  return plan;
}

}  // namespace

SearchAnswer answer_of(const LayoutSearch& search) {
  const SearchRequest& request = search.request();
  SearchFindings findings = search.findings();
  SearchAnswer answer;
  answer.model = request.base.model.id;
  answer.cluster = request.base.cluster.id;
  answer.currency = request.base.cluster.currency;
  answer.objective = request.goal.objective;
  answer.is_complete = search.is_complete();
  answer.counts = findings.counts;
  for (const FoundPlan& found : findings.best)
    answer.best.push_back(answered(found, request));
  for (const FoundPlan& found : findings.pareto)
    answer.pareto.push_back(answered(found, request));
  answer.rules = std::move(findings.rules);
  answer.assumptions = request.base.assumptions;
  return answer;
}

void verify(SearchAnswer& answer, const LayoutSearch& search, const Estimator& estimator, EstimatorKind kind,
            std::stop_token stop, const Progress& progress) {
  double done = 0.0;
  for (AnsweredPlan& plan : answer.best) {
    const std::optional<Estimate> estimate = estimator.estimate(search.plan_of(plan.found), stop, {});
    if (!estimate)
      break;
    plan.verified_by = kind;
    plan.verified_step = estimate->step;
    done += 1.0;
    if (progress)
      progress(done / static_cast<double>(answer.best.size()));
  }
  const auto rank = [&](const AnsweredPlan& plan) {
    PlanFigures figures = plan.found.figures;
    if (plan.verified_step)
      figures.step_s = plan.verified_step->count();
    // What was not verified stays behind what was.
    return std::tuple(!plan.verified_step.has_value(), score(answer.objective, figures), plan.found.place);
  };
  std::stable_sort(answer.best.begin(), answer.best.end(),
                   [&](const AnsweredPlan& a, const AnsweredPlan& b) { return rank(a) < rank(b); });
}

}  // namespace trainwright::model
