// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/rehearsal.hpp"

#include <algorithm>
#include <simgrid/s4u.hpp>

#include "simulator/engine/flows.hpp"

namespace trainwright::simulator {

std::int64_t rehearse(EngineSession& session, const Platform& platform, std::vector<FlowScene>& scenes) {
  std::int64_t count = 0;
  if (scenes.empty())
    return count;
  simgrid::s4u::Actor::create("rehearsal", platform.home(), [&] {
    for (FlowScene& scene : scenes) {
      std::vector<HostFlow> flows;
      for (const FlowScene::Flow& flow : scene.flows)
        flows.push_back({platform.device_host(flow.from), platform.device_host(flow.to), flow.bytes});
      count += static_cast<std::int64_t>(flows.size());
      const double start = simgrid::s4u::Engine::get_clock();
      std::vector<double> ends;
      run_flows(flows, &ends);
      for (std::size_t f = 0; f < scene.flows.size(); ++f) {
        double& slot = scene.slot_seconds[static_cast<std::size_t>(scene.flows[f].slot)];
        slot = std::max(slot, ends[f] - start);
      }
    }
  });
  session.run();
  return count;
}

}  // namespace trainwright::simulator
