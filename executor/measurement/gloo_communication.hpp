// Connects the ranks of a group by Gloo over the loopback interface, as the executor's runs on one machine are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "executor/backend/backend.hpp"
#include "executor/measurement/rank_group.hpp"

namespace trainwright::executor {

/// Together: joins all ranks of the group, calls `body` with the communicator, leaves. Throws CommunicationError,
/// EnvironmentError.
void with_gloo(RankContext& context, const std::function<void(Communicator&)>& body);

}  // namespace trainwright::executor
