// SPDX-License-Identifier: Apache-2.0
#include "model/io/search_v1.hpp"

#include <nlohmann/json.hpp>

#include "model/io/json_writer.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

ordered_json plan_value_of(const AnsweredPlan& plan) {
  ordered_json value{{"gpus", plan.found.figures.devices},
                     {"global_batch", plan.found.figures.global_batch},
                     {"step_time_s", plan.found.figures.step_s},
                     {"tokens_per_s", plan.tokens_per_s},
                     {"peak_bytes", plan.found.figures.peak_bytes}};
  if (plan.verified_by)
    value["verified"] = {{"estimator", word_of(kEstimatorWords, *plan.verified_by)},
                         {"step_time_s", plan.verified_step->count()}};
  if (plan.training_s)
    value["training_s"] = *plan.training_s;
  if (plan.price)
    value["price"] = *plan.price;
  if (plan.energy_j)
    value["energy_j"] = *plan.energy_j;
  value["layout"] = layout_value(plan.found.layout);
  return value;
}

ordered_json rule_value(const std::string& name, const RejectedRule& rule) {
  ordered_json value{{"rule", name}, {"layouts", rule.layouts}, {"message", rule.message}};
  value["example"] = layout_value(rule.example);
  if (rule.figures.peak_bytes > 0)
    value["example_peak_bytes"] = rule.figures.peak_bytes;
  if (rule.nearest)
    value["nearest"] = {{"gpus", rule.nearest->figures.devices},
                        {"step_time_s", rule.nearest->figures.step_s},
                        {"peak_bytes", rule.nearest->figures.peak_bytes},
                        {"layout", layout_value(rule.nearest->layout)}};
  return value;
}

}  // namespace

std::string to_search_json(const SearchAnswer& answer) {
  ordered_json value{{"format", "trainwright/search/v1"},
                     {"model", answer.model},
                     {"cluster", answer.cluster},
                     {"objective", word_of(kSearchObjectiveWords, answer.objective)},
                     {"complete", answer.is_complete},
                     {"layouts",
                      {{"all", answer.counts.layouts},
                       {"rejected", answer.counts.rejected},
                       {"pruned", answer.counts.pruned},
                       {"costed", answer.counts.costed}}}};
  if (!answer.currency.empty())
    value["currency"] = answer.currency;
  value["best"] = ordered_json::array();
  for (const AnsweredPlan& plan : answer.best)
    value["best"].push_back(plan_value_of(plan));
  value["pareto"] = ordered_json::array();
  for (const AnsweredPlan& plan : answer.pareto)
    value["pareto"].push_back(plan_value_of(plan));
  value["rejected"] = ordered_json::array();
  for (const auto& [name, rule] : answer.rules)
    value["rejected"].push_back(rule_value(name, rule));
  value["assumptions"] = answer.assumptions;
  return canonical_text(value);
}

}  // namespace trainwright::model
