// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/doctor.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/cli/doctor/fake_machine.hpp"

namespace trainwright::cli {
namespace {

Finding finding_of(const DoctorReport& report, const std::string& id) {
  for (const Finding& finding : report.findings) {
    if (finding.id == id)
      return finding;
  }
  ADD_FAILURE() << "no finding " << id;
  return {};
}

std::vector<std::string> missing_for(const DoctorReport& report, const std::string& id) {
  for (const Ability& ability : report.abilities) {
    if (ability.id == id)
      return ability.missing;
  }
  ADD_FAILURE() << "no ability " << id;
  return {};
}

TEST(Doctor, FindsAMachineWithoutGpuHealthy) {
  const DoctorReport report = examine_machine(FakeMachine::with_cpus_only());
  EXPECT_EQ(exit_code(report), model::ExitCode::done);
  EXPECT_EQ(report.cores_allowed, 8);
  EXPECT_EQ(report.memory_allowed, model::ByteCount(16'384'000'000));
  EXPECT_EQ(missing_for(report, "simulate"), std::vector<std::string>{});
  EXPECT_EQ(missing_for(report, "execute_gloo"), std::vector<std::string>{});
  EXPECT_EQ(missing_for(report, "execute_nccl"),
            (std::vector<std::string>{"nccl_backend", "gpu", "gpu_driver", "nccl"}));
  EXPECT_EQ(missing_for(report, "gui"), (std::vector<std::string>{"window", "display"}));
}

TEST(Doctor, AnswersNoWhenTheWorkerIsMissing) {
  FakeMachine machine = FakeMachine::with_cpus_only();
  machine.programs.erase("trainwright-simulate");
  const DoctorReport report = examine_machine(machine);
  EXPECT_EQ(exit_code(report), model::ExitCode::answer_is_no);
  EXPECT_EQ(finding_of(report, "simulator").detail, "trainwright-simulate is neither beside this program nor on PATH");
  EXPECT_EQ(finding_of(report, "simulator").fix,
            "apt-get install libsimgrid-dev && cmake --preset release && cmake --build build/release");
}

TEST(Doctor, PutsSudoBeforeAptForOthersThanRoot) {
  FakeMachine machine = FakeMachine::with_cpus_only();
  machine.root = false;
  const DoctorReport report = examine_machine(machine);
  EXPECT_EQ(finding_of(report, "mpi").fix, "sudo apt-get install openmpi-bin libopenmpi-dev");
  EXPECT_EQ(finding_of(report, "window").fix, "./quickstart --gui");
}

TEST(Doctor, LimitedThingsStandInNobodysWay) {
  FakeMachine machine = FakeMachine::with_cpus_only();
  machine.disks["."].free = model::ByteCount(1000);
  EXPECT_EQ(exit_code(examine_machine(machine)), model::ExitCode::done);
  machine.disks.erase(".");
  EXPECT_EQ(exit_code(examine_machine(machine)), model::ExitCode::answer_is_no);
}

TEST(Doctor, AsksTheExecutorForItsBackends) {
  FakeMachine machine = FakeMachine::with_cpus_only();
  EXPECT_EQ(finding_of(examine_machine(machine), "nccl_backend").detail, "this executor was built without it");
  machine.outputs["/opt/bin/trainwright-execute"] = "gloo\nnccl\n";
  EXPECT_EQ(finding_of(examine_machine(machine), "nccl_backend").state, FindingState::present);
  machine.programs.erase("trainwright-execute");
  EXPECT_EQ(finding_of(examine_machine(machine), "nccl_backend").detail, "the executor program is missing");
}

TEST(Doctor, SeesADisplay) {
  FakeMachine machine = FakeMachine::with_cpus_only();
  machine.variables["DISPLAY"] = "";
  EXPECT_EQ(finding_of(examine_machine(machine), "display").state, FindingState::missing) << "set, but empty";
  machine.variables["DISPLAY"] = ":1";
  EXPECT_EQ(finding_of(examine_machine(machine), "display").detail, "DISPLAY=:1");
}

TEST(Doctor, EveryProblemHasAFixAndEveryNeedIsAFinding) {
  const DoctorReport report = examine_machine(FakeMachine());
  for (const Finding& finding : report.findings)
    EXPECT_EQ(finding.fix.empty(), finding.state == FindingState::present) << finding.id;
  for (const Ability& ability : report.abilities) {
    for (const std::string& id : ability.missing)
      EXPECT_EQ(finding_of(report, id).state, FindingState::missing);
  }
}

TEST(DoctorText, ShowsStateDetailAndFix) {
  DoctorReport report;
  report.findings = {
      {"mpi", "MPI launcher", FindingState::missing, "mpirun is not here", "apt-get install openmpi-bin"},
      {"disk", "disk space here", FindingState::present, "40 GB free", ""}};
  report.abilities = {{"plan", "predict", {}}, {"launch_mpi", "execute by mpirun", {"mpi"}}};
  EXPECT_EQ(to_text(report),
            "This machine\n"
            "  missing  MPI launcher                  mpirun is not here\n"
            "                                         -> apt-get install openmpi-bin\n"
            "  ok       disk space here               40 GB free\n"
            "\n"
            "Possible here\n"
            "  yes      predict\n"
            "  no       execute by mpirun; missing: MPI launcher\n");
}

TEST(DoctorJson, HoldsWhatTheTextHolds) {
  DoctorReport report;
  report.cores_allowed = 2;
  report.memory_allowed = model::ByteCount(4096);
  report.gpus = {{"NVIDIA H200", std::nullopt}};
  report.findings = {{"display", "display", FindingState::limited, "bad \xff byte", ""}};
  report.abilities = {{"gui", "trainwright-gui", {"display"}}};
  EXPECT_EQ(nlohmann::json::parse(to_json(report)), nlohmann::json::parse(R"({
    "cores_allowed": 2, "memory_bytes": 4096,
    "gpus": [{"name": "NVIDIA H200", "memory_bytes": null}],
    "findings": [{"id": "display", "title": "display", "state": "limited", "detail": "bad \ufffd byte", "fix": ""}],
    "commands": [{"id": "gui", "command": "trainwright-gui", "possible": false, "missing": ["display"]}]})"));
}

}  // namespace
}  // namespace trainwright::cli
