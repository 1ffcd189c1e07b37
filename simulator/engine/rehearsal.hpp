// Simulates flow scenes one after another on the otherwise idle platform, before the step begins.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "simulator/engine/engine_session.hpp"
#include "simulator/engine/flow_patterns.hpp"
#include "simulator/engine/platform_builder.hpp"

namespace trainwright::simulator {

/// Fills FlowScene::slot_seconds. Returns the number of flows simulated.
std::int64_t rehearse(EngineSession& session, const Platform& platform, std::vector<FlowScene>& scenes);

}  // namespace trainwright::simulator
