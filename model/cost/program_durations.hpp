// Device time of every compute task of a program, the host's launches included. Estimators take their times from here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "model/cost/task_duration.hpp"
#include "model/graph/task.hpp"

namespace trainwright::model {

/// Part of the launches of a layer's pass that `tasks` are: less than 1 where the gradients of the weights are put off.
[[nodiscard]] double launch_share(std::span<const Task> tasks);

/// What the host launches for a pass of a layer.
struct Launches {
  double share = 1.0;            ///< of the launches of a whole pass
  double expert_products = 0.0;  ///< matrix products of single experts
};

/// Stretch of the device time of one layer and pass when the host needs `host` to launch it: both overlap imperfectly,
/// (device^p + host^p)^(1/p) / device (docs/models/host.md). `pass` forward, recompute or backward of one layer.
[[nodiscard]] double host_stretch(Seconds device, Pass pass, const Launches& launches, int tp,
                                  const CostConstants& constants);

/// By task of a program, in its order; zero for communication and host I/O. Without host.task_s, which every task pays
/// on its own stream. `collectives`: by task, what each collective inside a layer takes alone, zero for other tasks.
/// While one runs the host gets on with its launches: a pass takes the longer of host and device, collectives included.
[[nodiscard]] std::vector<Seconds> compute_durations(std::span<const Task> tasks, std::span<const Seconds> collectives,
                                                     const Accelerator& device, int tp, const CostConstants& constants);

}  // namespace trainwright::model
