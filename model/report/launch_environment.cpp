// SPDX-License-Identifier: Apache-2.0
#include "model/report/launch_environment.hpp"

#include <algorithm>
#include <string_view>

#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

constexpr std::string_view kSource = "environment";
constexpr std::int64_t kEnoughSharedMemory = 1024L * 1024L * 1024L;

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool is_local(const std::string& interface) {
  return interface == "lo" || interface.rfind("docker", 0) == 0 || interface.rfind("virbr", 0) == 0;
}

// NCCL_SOCKET_IFNAME: prefixes, "^" turns the list into exclusions, "=" asks for exact names.
bool is_chosen(const std::string& interface, std::string_view setting) {
  const bool excludes = setting.substr(0, 1) == "^";
  const bool exact = setting.find('=') < 2 && setting.find('=') != std::string_view::npos;
  const std::string_view names = setting.substr((excludes ? 1 : 0) + (exact ? 1 : 0));
  const std::vector<std::string> parts = split(names);
  const bool listed = std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return !part.empty() && (exact ? interface == part : interface.rfind(part, 0) == 0);
  });
  return listed != excludes;
}

class Checker {
 public:
  Checker(const LaunchEnvironment& environment, const Plan& plan) : environment_(environment), plan_(plan) {}

  Diagnostics run() {
    const bool has_rdma = [&] {
      const auto& network = plan_.cluster.groups.front().network;
      return node_count(plan_.cluster) > 1 && network && network->kind != LinkKind::ethernet_tcp;
    }();
    if (has_rdma && is_on("NCCL_IB_DISABLE"))
      add(Severity::error, "NCCL_IB_DISABLE", "switches InfiniBand and RoCE off, the plan counts on them",
          "unset it, or plan with a network of kind ethernet-tcp", "environment.rdma");
    if (has_nvlink() && is_on("NCCL_P2P_DISABLE"))
      add(Severity::error, "NCCL_P2P_DISABLE", "switches peer access off, the plan counts on the node link", "unset it",
          "environment.peer-access");
    check_interfaces();
    check_shared_memory();
    return std::move(problems_);
  }

 private:
  void add(Severity severity, std::string variable, std::string message, std::string hint, std::string rule) {
    problems_.add(
        {severity, std::string(kSource), std::move(variable), std::move(message), std::move(hint), std::move(rule)});
  }
  [[nodiscard]] bool is_on(const std::string& name) const {
    const auto found = environment_.variables.find(name);
    return found != environment_.variables.end() && !found->second.empty() && found->second != "0";
  }
  [[nodiscard]] bool has_nvlink() const {
    const auto& link = plan_.cluster.groups.front().link;
    return link && (link->kind == LinkKind::nvlink_switch || link->kind == LinkKind::nvlink_mesh);
  }

  void check_interfaces() {
    const auto setting = environment_.variables.find("NCCL_SOCKET_IFNAME");
    if (setting == environment_.variables.end() || node_count(plan_.cluster) < 2)
      return;
    std::string left;
    std::string reaching;
    std::string excluded = "^";
    for (const std::string& interface : environment_.interfaces) {
      if (is_local(interface))
        excluded += (excluded == "^" ? "" : ",") + interface;
      else if (reaching.empty())
        reaching = interface;
      if (is_local(interface) && is_chosen(interface, setting->second))
        left += (left.empty() ? "" : ", ") + interface;
    }
    if (left.empty())
      return;
    // Written the other way round where the user excluded some: theirs first.
    if (setting->second.substr(0, 1) == "^")
      excluded = setting->second + "," + left;
    add(Severity::warning, "NCCL_SOCKET_IFNAME",
        "\"" + setting->second + "\" leaves " + left + ", which reaches no other node",
        "\"" + excluded + "\"" + (reaching.empty() ? std::string() : " or \"" + reaching + "\""),
        "environment.interface");
  }

  void check_shared_memory() {
    if (!environment_.shared_memory || environment_.shared_memory->count() >= kEnoughSharedMemory)
      return;
    if (plan_.cluster.groups.front().devices_per_node < 2)
      return;
    add(Severity::warning, "/dev/shm",
        format(*environment_.shared_memory) + " of shared memory for " +
            std::to_string(plan_.cluster.groups.front().devices_per_node) + " ranks a node",
        "give the container at least 1 GiB (--shm-size 1g)", "environment.shared-memory");
  }

  const LaunchEnvironment& environment_;
  const Plan& plan_;
  Diagnostics problems_;
};

}  // namespace

Diagnostics check_environment(const LaunchEnvironment& environment, const Plan& plan) {
  return Checker(environment, plan).run();
}

std::int64_t shared_memory_segments(ByteCount shared_memory, ByteCount segment) {
  return segment.count() > 0 ? shared_memory.count() / segment.count() : 0;
}

}  // namespace trainwright::model
