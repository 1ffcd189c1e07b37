// What the user has entered on the Scenario page, as one immutable value. Degrees that are left out stay out here;
// deriving them is the plan source's business.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "model/base/diagnostic.hpp"
#include "model/plan/plan.hpp"
#include "model/plan/resolve.hpp"

namespace trainwright::gui {

/// A profile by its id, or a description that came with a file; the id then only names it.
template <class Value>
struct Choice {
  std::string id;
  std::shared_ptr<const Value> value = nullptr;
  friend bool operator==(const Choice&, const Choice&) = default;
};

struct ScenarioInputs {
  Choice<model::Model> model;
  Choice<model::Cluster> cluster;
  model::PlanChoices choices;
  std::shared_ptr<const model::CostConstants> constants = nullptr;  ///< of an opened plan; null: shipped ones
  friend bool operator==(const ScenarioInputs&, const ScenarioInputs&) = default;
};

/// Fields of the Scenario page, as problems name them.
enum class Field {
  model,
  cluster,
  gpus,
  global_batch,
  seq_len,
  precision,
  optimizer,
  attention,
  framework,
  steps,
  dp,
  tp,
  pp,
  vpp,
  cp,
  ep,
  etp,
  sequence_parallel,
  zero,
  hsdp,
  micro_batch,
  schedule,
  recompute,
  overlap,
  none,  ///< a problem of the whole
};
inline constexpr std::size_t kFieldCount = static_cast<std::size_t>(Field::none);

/// The field a problem belongs to, by the last word of its path ("/layout/tp", "--micro-batch").
[[nodiscard]] Field fieldOf(const model::Diagnostic& problem);

/// The part of `choices` behind a numeric field; null for fields that are not numbers.
[[nodiscard]] std::optional<std::int64_t>* numberOf(model::PlanChoices& choices, Field field);
[[nodiscard]] std::optional<std::int64_t> numberIn(const ScenarioInputs& inputs, Field field);
/// A copy with a numeric field replaced; empty means "derive it". Precondition: the field is numeric.
[[nodiscard]] ScenarioInputs withNumber(const ScenarioInputs& inputs, Field field, std::optional<std::int64_t> value);
/// What a plan has in a numeric field, given or derived.
[[nodiscard]] std::optional<std::int64_t> numberIn(const model::Plan& plan, Field field);

/// Every choice of a plan stated, nothing left to derive.
[[nodiscard]] model::PlanChoices choicesOf(const model::Plan& plan);
/// The inputs that lead to a plan read from a file: everything by value.
[[nodiscard]] ScenarioInputs inputsOf(const model::Plan& plan);

}  // namespace trainwright::gui
