// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/flow_runner.hpp"

#include <simgrid/s4u.hpp>

namespace trainwright::simulator {

FlowRunner::FlowRunner(const Platform& platform, const RunPlan& plan, double origin)
    : platform_(platform), plan_(plan), origin_(origin), of_group_(plan.groups.size()) {}

double FlowRunner::collective(int group, int work, double start) {
  std::map<int, Flows>& known = of_group_[static_cast<std::size_t>(group)];
  const auto [found, is_new] = known.try_emplace(work);
  if (is_new) {
    const SimGroup& sims = plan_.groups[static_cast<std::size_t>(group)];
    const Siblings& siblings = plan_.catalog.siblings[static_cast<std::size_t>(sims.siblings)];
    found->second = flows_of(work, siblings.groups[static_cast<std::size_t>(sims.group)]);
  }
  return run(found->second, start);
}

double FlowRunner::message(int work, model::RankId from, model::RankId to, double start) {
  return run(flows_of(work, {from, to}), start);
}

double FlowRunner::storage(const model::HostIoWork& work, model::DeviceId device, double start) {
  simgrid::s4u::Host* host = platform_.device_host(device);
  const double bytes = model::to_bytes(work.bytes).count();
  const HostFlow flow =
      work.is_write ? HostFlow{host, platform_.storage_host(), bytes} : HostFlow{platform_.storage_host(), host, bytes};
  return run({plan_.scene.cluster.storage->latency.count(), {flow}}, start);
}

FlowRunner::Flows FlowRunner::flows_of(int work, const std::vector<model::RankId>& members) const {
  const model::FlowPlan plan = flow_plan(plan_.scene, plan_.catalog.works[static_cast<std::size_t>(work)], members);
  const model::Placement& placement = plan_.scene.graph.placement();
  Flows flows{plan.latency.count(), {}};
  for (const model::Flow& flow : plan.flows)
    flows.flows.push_back({platform_.device_host(placement.device(flow.from)),
                           platform_.device_host(placement.device(flow.to)), flow.bytes.count()});
  return flows;
}

double FlowRunner::run(const Flows& flows, double start) {
  pass_time(start + flows.latency - (simgrid::s4u::Engine::get_clock() - origin_));
  if (flows.flows.empty())
    return start + flows.latency;
  count_ += static_cast<std::int64_t>(flows.flows.size());
  run_flows(flows.flows);
  return simgrid::s4u::Engine::get_clock() - origin_;
}

void pass_time(double seconds) {
  if (seconds > 0.0)
    simgrid::s4u::this_actor::sleep_for(seconds);
}

}  // namespace trainwright::simulator
