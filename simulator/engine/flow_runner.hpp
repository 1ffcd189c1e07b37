// Collectives, messages and storage access of a running step as flows over the platform.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "simulator/engine/flows.hpp"
#include "simulator/engine/platform_builder.hpp"
#include "simulator/engine/run_plan.hpp"

namespace trainwright::simulator {

/// Every call blocks the calling actor from `start` (now, up to rounding) to the end, which it returns. Times are
/// seconds since `origin` on the engine's clock.
class FlowRunner {
 public:
  FlowRunner(const Platform& platform, const RunPlan& plan, double origin);

  double collective(int group, int work, double start);
  double message(int work, model::RankId from, model::RankId to, double start);
  /// The cluster must have storage.
  double storage(const model::HostIoWork& work, model::DeviceId device, double start);

  /// Flows started so far.
  [[nodiscard]] std::int64_t count() const { return count_; }

 private:
  struct Flows {
    double latency = 0.0;
    std::vector<HostFlow> flows;
  };
  [[nodiscard]] Flows flows_of(int work, const std::vector<model::RankId>& members) const;
  double run(const Flows& flows, double start);

  const Platform& platform_;
  const RunPlan& plan_;
  double origin_;
  std::vector<std::map<int, Flows>> of_group_;  // by group, work: the same ones come again and again
  std::int64_t count_ = 0;
};

/// Blocks the calling actor until `seconds` from now have passed; at once if there are none.
void pass_time(double seconds);

}  // namespace trainwright::simulator
