// Arguments of the measured run that a row's notes list after "flags: ", as Megatron-Core spells them without dashes.
// They say what the columns cannot, and what is not listed had its default.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/plan/resolve.hpp"
#include "model/validation/table.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model::validation {

class RowFlags {
 public:
  explicit RowFlags(const StepRow& row);
  /// False for rows whose notes have no such list: then nothing is known about defaults either.
  [[nodiscard]] bool stated() const { return stated_; }
  [[nodiscard]] bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view name) const;
  /// Empty where the flag is absent or has no value.
  [[nodiscard]] std::string word(std::string_view name) const;

 private:
  bool stated_ = false;
  std::map<std::string, std::string, std::less<>> values_;
};

/// Experts, latent attention, gated and biased matrices as the flags have them.
void apply_flags(const RowFlags& flags, const StepRow& row, Model& model);
/// Layout and software as the flags have them; columns that the flags contradict give way.
void apply_flags(const RowFlags& flags, const StepRow& row, PlanChoices& choices);

}  // namespace trainwright::model::validation
