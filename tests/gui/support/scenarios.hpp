// A plan source with two small models and two clusters, resolved by the real rules; estimators made from functions; and
// an estimate with every kind of content.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gui/session/planning_session.hpp"

namespace trainwright::gui::testing_support {

class FakePlanSource final : public PlanSource {
 public:
  [[nodiscard]] std::vector<ProfileEntry> models() const override;
  [[nodiscard]] std::vector<ProfileEntry> clusters() const override;
  [[nodiscard]] Resolution resolve(const ScenarioInputs& inputs) const override;
  /// "bad.json" is refused with two problems; "big.json" brings the other model.
  [[nodiscard]] ScenarioInputs open(const std::filesystem::path& file, const ScenarioInputs& current) const override;
};

class FakeEstimator final : public model::Estimator {
 public:
  using Answer =
      std::function<std::optional<model::Estimate>(const model::Plan&, std::stop_token, const model::Progress&)>;
  explicit FakeEstimator(Answer answer) : answer_(std::move(answer)) {}
  [[nodiscard]] std::optional<model::Estimate> estimate(const model::Plan& plan, std::stop_token stop,
                                                        const model::Progress& progress) const override {
    return answer_(plan, std::move(stop), progress);
  }

 private:
  Answer answer_;
};

/// 16 heads, 8 layers, on 2 nodes of 8 devices: tp 2, dp 8, global batch 64.
[[nodiscard]] ScenarioInputs smallScenario();

/// A step of 1 s: 0.6 compute, 0.25 TP, 0.15 bubble; two stages; advice, what-ifs, assumptions.
[[nodiscard]] model::Estimate sampleEstimate();

/// Live: sampleEstimate scaled by 16 / GPUs. Simulator: the same with a timeline of rank 0's compute tasks.
[[nodiscard]] Services fakeServices();

}  // namespace trainwright::gui::testing_support
