// This machine as a cluster of one node: what the process may use, from /proc and the control group. Linux only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/hardware/cluster.hpp"
#include "model/units/byte_count.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

struct LocalMachine {
  std::string host;
  std::string processor;  ///< as the kernel names it
  int cores = 1;          ///< allowed by the process's affinity and its control group, whole ones, at least 1
  ByteCount memory;       ///< of the machine or of the control group, whichever is less
  /// Single-precision peak of one core by its vector units and its clock, shared among the hardware threads of the
  /// core; empty where the kernel does not tell (other architectures than x86-64).
  std::optional<FlopsPerSecond> core_peak;
};

/// `root` is "/" but for tests. Throws EnvironmentError when the kernel tells no memory size.
[[nodiscard]] LocalMachine local_machine(const std::filesystem::path& root = "/");

/// A node whose devices are its cores: the profile cpu-generic with an equal share of the memory each, and with the
/// machine's own peak where it is known.
[[nodiscard]] Cluster local_cluster(const LocalMachine& machine);

}  // namespace trainwright::model
