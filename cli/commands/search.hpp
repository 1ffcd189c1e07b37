// `trainwright search`: the best layouts of a job, over one or several cluster sizes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/command.hpp"
#include "model/estimate/estimate.hpp"
#include "model/io/plan_request.hpp"
#include "model/search/search_answer.hpp"

namespace trainwright::cli {

class SearchCommand final : public Command {
 public:
  [[nodiscard]] std::string name() const override { return "search"; }
  [[nodiscard]] std::string summary() const override {
    return "The best layouts of a job: throughput, time, cost, energy or memory";
  }
  void add_options(OptionSet& options) override;
  [[nodiscard]] model::ExitCode run(Console& console, std::stop_token stop) override;

 private:
  using List = std::optional<std::vector<std::int64_t>>;

  void add_limits(OptionSet& options);
  [[nodiscard]] std::optional<model::Plan> base(model::Diagnostics& problems) const;
  [[nodiscard]] model::SearchSpace space(const model::Plan& base, model::Diagnostics& problems) const;
  [[nodiscard]] model::SearchGoal goal(const model::Plan& base, model::Diagnostics& problems) const;
  void verify(model::SearchAnswer& answer, const model::LayoutSearch& search, Console& console,
              std::stop_token stop) const;
  void save(const model::SearchAnswer& answer) const;

  std::optional<std::string> model_;
  std::optional<std::string> cluster_;
  std::optional<std::filesystem::path> calibration_;
  List gpus_;
  List global_batch_;
  model::PlanChoices job_;
  std::optional<std::int64_t> steps_;
  std::optional<double> tokens_;

  std::optional<model::SearchObjective> objective_;
  std::optional<std::int64_t> top_;
  bool pareto_ = false;
  std::optional<model::EstimatorKind> estimator_;
  std::optional<std::filesystem::path> save_;
  std::optional<std::int64_t> threads_;
  std::optional<double> max_days_;
  std::optional<double> max_price_;
  std::optional<double> memory_margin_;

  List tp_;
  List pp_;
  List vpp_;
  List dp_;
  List cp_;
  List ep_;
  List etp_;
  List micro_batch_;
  List zero_;
  List zero_group_;
  std::optional<model::PipelineSchedule> schedule_;
  std::optional<model::Recompute> recompute_;
  std::optional<model::ContextKind> cp_kind_;
  std::optional<bool> sequence_parallel_;
  std::optional<bool> overlap_gradients_;
  std::optional<bool> overlap_parameters_;
  std::optional<model::ByteCount> bucket_;
};

}  // namespace trainwright::cli
