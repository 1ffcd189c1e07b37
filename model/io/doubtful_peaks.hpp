// Peaks of a description that differ from those of the shipped profile of the same device by a factor of two: sparsity
// counted, a multiply-add counted once, another precision's figure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/hardware/accelerator.hpp"

namespace trainwright::model {

/// One sentence for each doubtful peak; empty for devices that no profile knows.
[[nodiscard]] std::vector<std::string> doubtful_peaks(const Accelerator& accelerator);

}  // namespace trainwright::model
