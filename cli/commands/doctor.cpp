// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/doctor.hpp"

#include "cli/doctor/doctor.hpp"
#include "cli/doctor/system_machine.hpp"

namespace trainwright::cli {

model::ExitCode DoctorCommand::run(Console& console, std::stop_token) {
  const SystemMachine machine;
  const DoctorReport report = examine_machine(machine);
  console.result(json ? to_json(report) : to_text(report));
  return exit_code(report);
}

}  // namespace trainwright::cli
