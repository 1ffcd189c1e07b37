// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/doctor.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "cli/doctor/accelerators.hpp"
#include "cli/doctor/resources.hpp"

namespace trainwright::cli {
namespace {

// A program that is here or is not, and what to do then.
Finding program_finding(const Machine& machine, std::string id, std::string title, std::string_view program,
                        std::string fix) {
  const std::optional<std::string> path = machine.find_program(program);
  Finding finding{std::move(id), std::move(title), FindingState::present, path.value_or(""), ""};
  if (!path) {
    finding.state = FindingState::missing;
    finding.detail =
        std::string(program) +
        (program.starts_with("trainwright") ? " is neither beside this program nor on PATH" : " is not on PATH");
    finding.fix = std::move(fix);
  }
  return finding;
}

// Whether the executor was built with the NCCL backend: it lists its backends, one a line.
Finding nccl_backend_finding(const Machine& machine) {
  Finding finding{"nccl_backend", "NCCL backend of the executor", FindingState::missing,
                  "the executor program is missing",
                  "--backend gloo runs the same plan on CPUs; prediction and simulation of GPU jobs need no GPU"};
  const std::optional<std::string> program = machine.find_program("trainwright-execute");
  if (!program)
    return finding;
  finding.detail = "this executor was built without it";
  std::istringstream lines(machine.output_of({*program, "backends"}).value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (line == "nccl")
      return {finding.id, finding.title, FindingState::present, "built in", ""};
  }
  return finding;
}

std::vector<Finding> examine_programs(const Machine& machine) {
  const std::string build = " && cmake --preset release && cmake --build build/release";
  return {
      program_finding(machine, "simulator", "simulator program", "trainwright-simulate",
                      "apt-get install libsimgrid-dev" + build),
      program_finding(machine, "executor", "executor program", "trainwright-execute",
                      "apt-get install libgloo-dev libopenblas-pthread-dev" + build),
      nccl_backend_finding(machine),
      program_finding(machine, "window", "window program", "trainwright-gui", "./quickstart --gui"),
      program_finding(machine, "mpi", "MPI launcher", "mpirun", "apt-get install openmpi-bin libopenmpi-dev"),
      program_finding(machine, "slurm", "Slurm launcher", "srun",
                      "apt-get install slurm-client, and the cluster's slurm.conf"),
  };
}

Finding display_finding(const Machine& machine) {
  Finding finding{"display", "display", FindingState::present, "", ""};
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"}) {
    const std::string value = machine.environment(name).value_or("");
    if (!value.empty()) {
      finding.detail = std::string(name) + "=" + value;
      return finding;
    }
  }
  finding.state = FindingState::missing;
  finding.detail = "DISPLAY and WAYLAND_DISPLAY are not set";
  finding.fix = machine.find_program("xvfb-run")
                    ? "log in with ssh -X, or xvfb-run trainwright-gui"
                    : "log in with ssh -X, or apt-get install xvfb xauth && xvfb-run trainwright-gui";
  return finding;
}

// What each use of the program needs, by ids of findings. Limited things are said, but stand in nobody's way.
struct Need {
  std::string id;
  std::string command;
  std::vector<std::string> findings;
};

const std::vector<Need>& needs() {
  static const std::vector<Need> table{
      {"plan", "predict --estimator analytic, calibrate, import, profiles", {}},
      {"simulate", "predict, simulate (estimators folded and full)", {"simulator"}},
      {"execute_gloo", "execute, measure --backend gloo (CPUs of this machine)", {"executor", "disk"}},
      {"execute_nccl",
       "execute, measure --backend nccl (GPUs)",
       {"executor", "nccl_backend", "gpu", "gpu_driver", "nccl", "shared_memory"}},
      {"gui", "trainwright-gui", {"window", "display"}},
  };
  return table;
}

bool is_missing(const std::vector<Finding>& findings, const std::string& id) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.id == id && finding.state == FindingState::missing;
  });
}

// For an apt-get that this user may run.
void put_sudo_before_apt(std::vector<Finding>& findings) {
  constexpr std::string_view kCommand = "apt-get install";
  for (Finding& finding : findings) {
    if (const std::size_t at = finding.fix.find(kCommand); at != std::string::npos)
      finding.fix.insert(at, "sudo ");
  }
}

}  // namespace

DoctorReport examine_machine(const Machine& machine) {
  DoctorReport report;
  report.cores_allowed = cores_allowed(machine);
  report.memory_allowed = memory_allowed(machine);
  report.gpus = find_gpus(machine);
  report.findings = examine_resources(machine);
  for (std::vector<Finding> more :
       {examine_programs(machine), examine_accelerators(machine, report.gpus), std::vector{display_finding(machine)}})
    std::move(more.begin(), more.end(), std::back_inserter(report.findings));
  if (!machine.is_root())
    put_sudo_before_apt(report.findings);
  for (const Need& need : needs()) {
    Ability ability{need.id, need.command, {}};
    std::copy_if(need.findings.begin(), need.findings.end(), std::back_inserter(ability.missing),
                 [&](const std::string& id) { return is_missing(report.findings, id); });
    report.abilities.push_back(std::move(ability));
  }
  return report;
}

model::ExitCode exit_code(const DoctorReport& report) {
  for (const Ability& ability : report.abilities) {
    const bool is_basic = ability.id == "plan" || ability.id == "simulate" || ability.id == "execute_gloo";
    if (is_basic && !ability.is_possible())
      return model::ExitCode::answer_is_no;
  }
  return model::ExitCode::done;
}

}  // namespace trainwright::cli
