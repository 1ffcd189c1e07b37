// The network of a row: from its shape columns, or from the profile its name means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/validation/table.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model::validation {

struct RowModel {
  std::optional<Model> model;
  std::string problem;                   ///< why there is none
  std::vector<std::string> assumptions;  ///< what the row does not say
};

/// Dense decoders and encoders by their columns; mixtures of experts and latent attention by profile, cut to the stated
/// number of layers. A missing feed-forward width is four times the hidden size, missing heads are of size 128.
[[nodiscard]] RowModel model_of(const StepRow& row);

}  // namespace trainwright::model::validation
