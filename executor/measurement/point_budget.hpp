// Shares the time that is left among the points that are left, so that slow points do not eat up the later ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "model/units/units.hpp"

namespace trainwright::executor {

class PointBudget {
 public:
  PointBudget(model::Seconds end, double total_weight) : end_(end), weight_left_(total_weight) {}

  /// The share of the next point, which has `weight` of the total. Zero when time is up: the point is to be left out.
  [[nodiscard]] model::Seconds next(model::Seconds now, double weight) {
    const model::Seconds left = std::max(end_ - now, model::Seconds::zero());
    const model::Seconds share = weight_left_ > weight ? left * (weight / weight_left_) : left;
    weight_left_ -= weight;
    return share;
  }

 private:
  model::Seconds end_;
  double weight_left_;
};

}  // namespace trainwright::executor
