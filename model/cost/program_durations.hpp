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

/// Stretch of the device time of one layer and pass when the host needs `host` to launch it: both overlap imperfectly,
/// (device^3 + host^3)^(1/3) / device (docs/models/host.md). `pass` forward, recompute or backward of one layer, of
/// which `share` is launched here.
[[nodiscard]] double host_stretch(Seconds device, Pass pass, double share, int tp, const CostConstants& constants);

/// By task of a program, in its order; zero for communication and host I/O. Without host.task_s, which every task pays on its own stream.
[[nodiscard]] std::vector<Seconds> compute_durations(std::span<const Task> tasks, const Accelerator& device, int tp,
                                                     const CostConstants& constants);

}  // namespace trainwright::model
