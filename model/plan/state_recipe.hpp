// Which copies of a parameter a training recipe keeps, in bytes (docs/models/memory.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "model/workload/job.hpp"

namespace trainwright::model {

/// Bytes of each copy of a parameter. A copy of 0 bytes does not exist, or is transient.
struct StateRecipe {
  int weight = 2;
  int gradient = 4;
  int master = 4;
  int moments = 8;
  int optimizer_traffic = 30;  ///< bytes read and written per parameter by the update
  friend bool operator==(const StateRecipe&, const StateRecipe&) = default;
};
[[nodiscard]] constexpr int bytes_per_parameter(const StateRecipe& recipe) {
  return recipe.weight + recipe.gradient + recipe.master + recipe.moments;
}

/// What the framework of the job keeps.
[[nodiscard]] StateRecipe state_recipe(const Job& job);

/// Recipes by name, all with Adam; sources in docs/models/memory.md.
inline constexpr std::array<std::pair<std::string_view, StateRecipe>, 6> kStateRecipes{
    {{"megatron", {2, 4, 4, 8, 30}},                  // 18: fp32 gradients
     {"deepspeed", {2, 2, 4, 8, 28}},                 // 16: gradients in 16 bits
     {"fp32-gradients", {4, 4, 4, 8, 32}},            // 20: as counted where a second fp32 copy of the weights is kept
     {"fp32", {4, 4, 0, 8, 28}},                      // 16: no 16-bit copy
     {"fp32-transient-gradients", {4, 0, 0, 8, 28}},  // 12: gradients used up as they come
     {"pure-16-bit", {2, 2, 0, 4, 14}}}};             // 8: no master, moments in 16 bits

}  // namespace trainwright::model
