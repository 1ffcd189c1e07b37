// The plan source of the program: shipped profiles and files, resolved by model/plan/resolve. Profiles are parsed once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "gui/session/plan_source.hpp"

namespace trainwright::gui {

class ProfilePlanSource final : public PlanSource {
 public:
  [[nodiscard]] std::vector<ProfileEntry> models() const override;
  [[nodiscard]] std::vector<ProfileEntry> clusters() const override;
  [[nodiscard]] Resolution resolve(const ScenarioInputs& inputs) const override;
  [[nodiscard]] ScenarioInputs open(const std::filesystem::path& file, const ScenarioInputs& current) const override;

 private:
  [[nodiscard]] std::shared_ptr<const model::Model> model(const Choice<model::Model>& choice,
                                                          model::Diagnostics& problems) const;
  [[nodiscard]] std::shared_ptr<const model::Cluster> cluster(const Choice<model::Cluster>& choice,
                                                              model::Diagnostics& problems) const;

  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const model::Model>> models_;
  mutable std::map<std::string, std::shared_ptr<const model::Cluster>> clusters_;
};

/// What the window shows first: Llama 3 8B on two DGX H100.
[[nodiscard]] ScenarioInputs firstScenario();

}  // namespace trainwright::gui
