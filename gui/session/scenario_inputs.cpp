// SPDX-License-Identifier: Apache-2.0
#include "gui/session/scenario_inputs.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "model/base/contract.hpp"

namespace trainwright::gui {
namespace {

constexpr std::array<std::pair<std::string_view, Field>, 29> kFieldWords{
    {{"model", Field::model},
     {"cluster", Field::cluster},
     {"gpus", Field::gpus},
     {"devices", Field::gpus},
     {"global_batch", Field::global_batch},
     {"seq_len", Field::seq_len},
     {"precision", Field::precision},
     {"optimizer", Field::optimizer},
     {"attention", Field::attention},
     {"framework", Field::framework},
     {"year", Field::framework},
     {"steps", Field::steps},
     {"dp", Field::dp},
     {"tp", Field::tp},
     {"pp", Field::pp},
     {"vpp", Field::vpp},
     {"cp", Field::cp},
     {"ep", Field::ep},
     {"etp", Field::etp},
     {"sequence_parallel", Field::sequence_parallel},
     {"zero", Field::zero},
     {"zero_group", Field::hsdp},
     {"hsdp", Field::hsdp},
     {"micro_batch", Field::micro_batch},
     {"schedule", Field::schedule},
     {"recompute", Field::recompute},
     {"overlap", Field::overlap},
     {"no_overlap", Field::overlap},
     {"overlap_gradients", Field::overlap}}};

}  // namespace

Field fieldOf(const model::Diagnostic& problem) {
  std::string word = problem.path;
  if (const auto slash = word.rfind('/'); slash != std::string::npos)
    word.erase(0, slash + 1);
  word.erase(0, std::min(word.find_first_not_of('-'), word.size()));
  std::replace(word.begin(), word.end(), '-', '_');
  for (const auto& [known, field] : kFieldWords)
    if (known == word)
      return field;
  return Field::none;
}

std::optional<std::int64_t>* numberOf(model::PlanChoices& choices, Field field) {
  switch (field) {
    case Field::gpus:
      return &choices.gpus;
    case Field::global_batch:
      return &choices.global_batch;
    case Field::seq_len:
      return &choices.seq_len;
    case Field::steps:
      return &choices.steps;
    case Field::dp:
      return &choices.dp;
    case Field::tp:
      return &choices.tp;
    case Field::pp:
      return &choices.pp;
    case Field::vpp:
      return &choices.vpp;
    case Field::cp:
      return &choices.cp;
    case Field::ep:
      return &choices.ep;
    case Field::etp:
      return &choices.etp;
    case Field::zero:
      return &choices.zero;
    case Field::hsdp:
      return &choices.zero_group;
    case Field::micro_batch:
      return &choices.micro_batch;
    default:
      return nullptr;
  }
}

std::optional<std::int64_t> numberIn(const ScenarioInputs& inputs, Field field) {
  model::PlanChoices choices = inputs.choices;
  const std::optional<std::int64_t>* number = numberOf(choices, field);
  return number == nullptr ? std::nullopt : *number;
}

ScenarioInputs withNumber(const ScenarioInputs& inputs, Field field, std::optional<std::int64_t> value) {
  ScenarioInputs changed = inputs;
  std::optional<std::int64_t>* number = numberOf(changed.choices, field);
  TRAINWRIGHT_EXPECTS(number != nullptr, std::to_string(static_cast<int>(field)));
  *number = value;
  return changed;
}

std::optional<std::int64_t> numberIn(const model::Plan& plan, Field field) {
  model::PlanChoices choices = choicesOf(plan);
  const std::optional<std::int64_t>* number = numberOf(choices, field);
  return number == nullptr ? std::nullopt : *number;
}

model::PlanChoices choicesOf(const model::Plan& plan) {
  model::PlanChoices choices;
  choices.gpus = model::world_size(plan.layout);
  choices.dp = plan.layout.dp;
  choices.tp = plan.layout.tp;
  choices.pp = plan.layout.pp;
  choices.vpp = plan.layout.vpp;
  choices.cp = plan.layout.cp;
  choices.ep = plan.layout.ep;
  choices.etp = plan.layout.etp;
  choices.sequence_parallel = plan.layout.sequence_parallel;
  choices.zero = plan.layout.zero;
  choices.zero_group = plan.layout.zero_group;
  choices.micro_batch = plan.layout.micro_batch;
  choices.global_batch = plan.job.global_batch;
  choices.seq_len = plan.job.seq_len;
  choices.schedule = plan.layout.schedule;
  choices.recompute = plan.layout.recompute;
  choices.overlap_gradients = plan.layout.overlap_gradients;
  choices.bucket = plan.layout.bucket;
  choices.precision = plan.job.precision;
  choices.optimizer = plan.job.optimizer;
  choices.attention = plan.job.attention;
  choices.framework = plan.job.framework;
  if (plan.job.year != 0)
    choices.year = plan.job.year;
  choices.steps = plan.job.steps;
  return choices;
}

ScenarioInputs inputsOf(const model::Plan& plan) {
  return {{plan.model.id, std::make_shared<const model::Model>(plan.model)},
          {plan.cluster.id, std::make_shared<const model::Cluster>(plan.cluster)},
          choicesOf(plan),
          std::make_shared<const model::CostConstants>(plan.constants)};
}

}  // namespace trainwright::gui
