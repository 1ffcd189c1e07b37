// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/flows.hpp"

#include <algorithm>
#include <cmath>
#include <simgrid/s4u.hpp>

#include "simulator/engine/platform_builder.hpp"

namespace trainwright::simulator {

void run_flows(const std::vector<HostFlow>& flows, std::vector<double>* end_of_each) {
  // The pointers are held until the end: an activity that nobody holds is freed under the engine.
  std::vector<simgrid::s4u::CommPtr> running;
  running.reserve(flows.size());
  for (const HostFlow& flow : flows) {
    const auto payload = static_cast<std::uint64_t>(std::max(1.0, std::round(flow.bytes * kBytesScale)));
    running.push_back(simgrid::s4u::Comm::sendto_init(flow.from, flow.to));
    running.back()->set_payload_size(payload);
    running.back()->start();
  }
  if (end_of_each == nullptr) {
    for (const simgrid::s4u::CommPtr& flow : running)
      flow->wait();
    return;
  }
  for (const simgrid::s4u::CommPtr& flow : running) {
    flow->wait();
    end_of_each->push_back(flow->get_finish_time());
  }
}

}  // namespace trainwright::simulator
