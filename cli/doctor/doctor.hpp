// `trainwright doctor`: what this machine can do, what is missing for which command, and the command that mends it.
// Nothing is changed on the machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/doctor/machine.hpp"
#include "model/base/error.hpp"
#include "model/units/byte_count.hpp"

namespace trainwright::cli {

enum class FindingState { present, limited, missing };

/// One thing that a command may need.
struct Finding {
  std::string id;     ///< "gpu", "cuda_toolkit": stable, for scripts
  std::string title;  ///< "CUDA toolkit"
  FindingState state = FindingState::present;
  std::string detail;  ///< what was found, with version or size, or what was looked for
  std::string fix;     ///< the command or the step that mends it; empty when nothing needs mending

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// Whether one use of the program is possible here.
struct Ability {
  std::string id;                    ///< "execute_gloo"
  std::string command;               ///< "execute --backend gloo"
  std::vector<std::string> missing;  ///< ids of the findings that stand in the way; none: possible

  [[nodiscard]] bool is_possible() const { return missing.empty(); }
  friend bool operator==(const Ability&, const Ability&) = default;
};

struct GpuFact {
  std::string name;
  std::optional<model::ByteCount> memory;  ///< empty when nvidia-smi does not answer

  friend bool operator==(const GpuFact&, const GpuFact&) = default;
};

struct DoctorReport {
  int cores_allowed = 1;
  model::ByteCount memory_allowed;
  std::vector<GpuFact> gpus;
  std::vector<Finding> findings;
  std::vector<Ability> abilities;
};

/// Looks at everything; takes as long as nvidia-smi and nvcc do (at most ten seconds each). Throws nothing of its own.
[[nodiscard]] DoctorReport examine_machine(const Machine& machine);

/// Lines for a terminal, ending with what is possible here.
[[nodiscard]] std::string to_text(const DoctorReport& report);

/// The same as a JSON object: `cores_allowed`, `memory_bytes`, `gpus`, `findings`, `commands`.
[[nodiscard]] std::string to_json(const DoctorReport& report);

/// done when planning, simulating and executing on the CPUs are possible; answer_is_no when one of them is not. A
/// machine without a GPU is not sick.
[[nodiscard]] model::ExitCode exit_code(const DoctorReport& report);

}  // namespace trainwright::cli
