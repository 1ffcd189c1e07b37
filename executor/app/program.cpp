// SPDX-License-Identifier: Apache-2.0
#include "executor/app/program.hpp"

#include <algorithm>
#include <iostream>

#include "executor/app/cpu_parts.hpp"
#include "executor/app/rank_command.hpp"
#include "executor/app/run_command.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

int code(model::ExitCode exit) {
  return static_cast<int>(exit);
}

}  // namespace

int execute_main(int argc, char** argv, const Parts& parts) {
  const std::vector<std::string> all(argv + std::min(argc, 1), argv + argc);
  const std::string command = all.empty() ? "" : all.front();
  const std::vector<std::string> words(all.begin() + (all.empty() ? 0 : 1), all.end());
  if (command == "rank")
    return rank_command(words, parts);
  if (command == "measure")
    return measure_command(argc - 1, argv + 1);
  if (command == "--help" || (command == "run" && std::find(words.begin(), words.end(), "--help") != words.end())) {
    std::cout << run_help();
    return code(model::ExitCode::done);
  }
  if (command == "backends") {
    for (const BackendParts& backend : parts.backends)
      std::cout << backend.name << '\n';
    return code(model::ExitCode::done);
  }
  try {
    if (command == "run")
      return run_command(words, parts);
    std::cerr << (command.empty() ? "a command is needed" : "\"" + command + "\" is not a command")
              << "; allowed: run, measure, backends\n";
    return code(model::ExitCode::bad_input);
  } catch (const model::InputError& error) {
    std::cerr << error.what() << std::flush;  // whole lines
    return code(model::ExitCode::bad_input);
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return code(model::ExitCode::environment);
  }
}

}  // namespace trainwright::executor
