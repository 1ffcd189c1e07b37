// SPDX-License-Identifier: Apache-2.0
#include "executor/app/device_parts.hpp"

#include <cstdlib>
#include <map>
#include <utility>

#include "executor/backend/nccl_backend.hpp"
#include "executor/cuda/device.hpp"
#include "executor/cuda/device_error.hpp"
#include "executor/device/device_engine.hpp"
#include "executor/device/device_formats.hpp"
#include "executor/device/device_timeline.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

std::optional<Obstacle> too_few(std::size_t devices, int ranks) {
  if (devices == 0)
    return Obstacle{"no GPU is visible to CUDA on this machine",
                    "`trainwright doctor` says what is missing; --backend gloo runs the same plan on CPU cores"};
  if (static_cast<int>(devices) < ranks)
    return Obstacle{"the plan has " + std::to_string(ranks) + " ranks, and this machine has " +
                        std::to_string(devices) + (devices == 1 ? " GPU" : " GPUs") + ": NCCL wants one for each rank",
                    "plan for " + std::to_string(devices) + ", or --backend gloo runs the same plan on CPU cores"};
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> described(const DeviceApi& api) {
  auto all = versions(api);
  std::map<std::string, int> cards;
  for (const DeviceProperties& card : find_devices(api))
    ++cards[card.name];
  for (const auto& [name, count] : cards)
    all.emplace_back("gpu", std::to_string(count) + " x " + name);
  return all;
}

RankParts make_rank(const DeviceApi& api, const Job& job, model::RankId rank, const BackendOptions& options) {
  // NCCL reads its environment when the first communicator is made; "=" asks for the name as it stands.
  if (!options.interface.empty())
    ::setenv("NCCL_SOCKET_IFNAME", ("=" + options.interface).c_str(), 1);
  const model::Program& program = job.graph.program_of_rank(rank);
  const auto queues = std::make_shared<const DeviceQueues>(api, static_cast<int>(rank.value()));
  RankParts parts;
  parts.engine = make_device_engine(program, queues);
  parts.backend = make_nccl_backend(options, queues);
  parts.timeline = make_device_timeline(program, rank, queues, *parts.backend, options.timeout);
  // Memory is taken before the first step and by NCCL in the verification step; nothing is given back before the end.
  parts.peak_memory_bytes = [queues] { return queues->device().used_bytes(); };
  return parts;
}

}  // namespace

BackendParts device_parts(std::function<DeviceApi()> api, std::function<bool()> has_driver) {
  BackendParts nccl;
  nccl.name = "nccl";
  nccl.obstacle = [api, has_driver = std::move(has_driver)](int ranks) -> std::optional<Obstacle> {
    if (!has_driver())
      return too_few(0, ranks);
    try {
      return too_few(find_devices(api()).size(), ranks);
    } catch (const model::EnvironmentError& error) {
      return Obstacle{error.what(), ""};
    }
  };
  nccl.make_rank = [api](const Job& job, model::RankId rank, const BackendOptions& options) {
    return make_rank(api(), job, rank, options);
  };
  // Patterns of the verification step; everything else lies on the devices.
  nccl.host_memory_bytes = [](const model::ExecutionGraph&, model::RankId) { return std::int64_t{256} << 20U; };
  nccl.modes = &device_modes;
  nccl.versions = [api] { return described(api()); };
  nccl.computes_on_cores = false;
  return nccl;
}

}  // namespace trainwright::executor
