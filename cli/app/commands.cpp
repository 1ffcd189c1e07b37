// SPDX-License-Identifier: Apache-2.0
#include "cli/app/commands.hpp"

#include "cli/commands/calibrate.hpp"
#include "cli/commands/doctor.hpp"
#include "cli/commands/execute.hpp"
#include "cli/commands/import.hpp"
#include "cli/commands/measure.hpp"
#include "cli/commands/predict.hpp"
#include "cli/commands/profiles.hpp"
#include "cli/commands/quickstart.hpp"
#include "cli/commands/scale.hpp"
#include "cli/commands/search.hpp"
#include "cli/commands/simulate.hpp"
#include "cli/commands/validate.hpp"

namespace trainwright::cli {

std::vector<std::unique_ptr<Command>> make_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(std::make_unique<PredictCommand>());
  commands.push_back(std::make_unique<SearchCommand>());
  commands.push_back(std::make_unique<ScaleCommand>());
  commands.push_back(std::make_unique<SimulateCommand>());
  commands.push_back(std::make_unique<ExecuteCommand>());
  commands.push_back(std::make_unique<MeasureCommand>());
  commands.push_back(std::make_unique<CalibrateCommand>());
  commands.push_back(std::make_unique<ValidateCommand>());
  commands.push_back(std::make_unique<QuickstartCommand>());
  commands.push_back(std::make_unique<ImportCommand>());
  commands.push_back(std::make_unique<ProfilesCommand>());
  commands.push_back(std::make_unique<DoctorCommand>());
  return commands;
}

}  // namespace trainwright::cli
