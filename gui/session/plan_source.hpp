// Where the window gets its profiles and plans from. The program uses the shipped profiles and model/plan/resolve;
// tests use a small fake. Implementations are called from worker threads: const means safe to call from several at
// once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "gui/session/scenario_inputs.hpp"
#include "model/base/diagnostic.hpp"
#include "model/plan/plan.hpp"

namespace trainwright::gui {

struct ProfileEntry {
  std::string id;
  std::string name;
  std::int64_t parameters = 0;  ///< models
  std::int64_t devices = 0;     ///< clusters: devices per node
};

/// A plan that passed check_plan, or the problems; warnings may come with a plan.
struct Resolution {
  std::shared_ptr<const model::Plan> plan;  ///< null when `problems` has errors
  model::Diagnostics problems;
};

class PlanSource {
 public:
  virtual ~PlanSource() = default;

  [[nodiscard]] virtual std::vector<ProfileEntry> models() const = 0;
  [[nodiscard]] virtual std::vector<ProfileEntry> clusters() const = 0;

  /// Never throws for bad input: every problem is in the result.
  [[nodiscard]] virtual Resolution resolve(const ScenarioInputs& inputs) const = 0;

  /// The inputs after a file was dropped on the window: a plan replaces them all, a model (our profile or a Hugging
  /// Face config.json) or a cluster replaces its part of `current`. Throws InputError with every problem of the file.
  [[nodiscard]] virtual ScenarioInputs open(const std::filesystem::path& file, const ScenarioInputs& current) const = 0;
};

}  // namespace trainwright::gui
