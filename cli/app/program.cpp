// SPDX-License-Identifier: Apache-2.0
#include "cli/app/program.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <exception>
#include <memory>
#include <new>

#include "cli/app/commands.hpp"
#include "cli/process/interrupt.hpp"
#include "model/io/profile_library.hpp"
#include "model/plan/plan_fields.hpp"

namespace trainwright::cli {
namespace {

constexpr const char* kVersion = TRAINWRIGHT_VERSION;
constexpr const char* kFooter =
    "Exit code: 0 done, 1 ran but the answer is no (does not fit, interrupted), 2 bad input, 3 environment.";

int code(model::ExitCode exit_code) {
  return static_cast<int>(exit_code);
}

struct Registered {
  std::unique_ptr<Command> command;
  CLI::App* app = nullptr;
  std::unique_ptr<OptionSet> options;
  bool quiet = false;
};

std::vector<std::unique_ptr<Registered>> register_commands(CLI::App& app) {
  std::vector<std::unique_ptr<Registered>> all;
  for (std::unique_ptr<Command>& command : make_commands()) {
    auto entry = std::make_unique<Registered>();
    entry->command = std::move(command);
    entry->app = app.add_subcommand(entry->command->name(), entry->command->summary());
    entry->app->footer(kFooter);
    entry->options = std::make_unique<OptionSet>(*entry->app);
    entry->command->add_options(*entry->options);
    entry->options->group("Output");
    entry->options->flag("--json", "The result as JSON on standard output, nothing else there", entry->command->json);
    entry->options->flag("--quiet", "No progress, no warnings, no remarks", entry->quiet);
    all.push_back(std::move(entry));
  }
  return all;
}

/// The command asked for; null, with problems, when there is none.
Registered* chosen(const CLI::App& app, const std::vector<std::unique_ptr<Registered>>& commands,
                   model::Diagnostics& problems) {
  for (const std::unique_ptr<Registered>& entry : commands)
    if (entry->app->parsed())
      return entry.get();
  std::vector<std::string> names;
  for (const std::unique_ptr<Registered>& entry : commands)
    names.push_back(entry->command->name());
  const std::vector<std::string> words = app.remaining();
  const std::string source(model::kCommandLineSource);
  if (words.empty()) {
    problems.add_error(source, {}, "a command is needed", "--help lists them");
    return nullptr;
  }
  const std::vector<std::string> close = model::close_matches(words.front(), names);
  problems.add_error(source, {}, "\"" + words.front() + "\" is no command",
                     close.empty() ? "--help lists them" : "did you mean " + close.front() + "?");
  return nullptr;
}

int run(int argc, char** argv, Console& console, std::stop_token stop) {
  CLI::App app("Plans distributed training before anyone rents the GPUs, and proves the plan on them.", "trainwright");
  app.footer(kFooter);
  app.allow_extras();
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", std::string("trainwright ") + kVersion);
  const std::vector<std::unique_ptr<Registered>> commands = register_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    console.result(app.help());
    return code(model::ExitCode::done);
  } catch (const CLI::CallForVersion& version) {
    console.result(std::string(version.what()) + "\n");
    return code(model::ExitCode::done);
  } catch (const CLI::ParseError& error) {
    console.error(std::string(model::kCommandLineSource) + ": " + error.what() + "; --help shows how it is used");
    return code(model::ExitCode::bad_input);
  }
  model::Diagnostics problems;
  Registered* entry = chosen(app, commands, problems);
  if (entry != nullptr)
    entry->options->finish(problems);
  model::throw_if_errors(problems);
  console.set_quiet(entry->quiet);
  return code(entry->command->run(console, stop));
}

}  // namespace

int run_program(int argc, char** argv) {
  Console console;
  try {
    const InterruptWatch interrupts;
    return run(argc, argv, console, interrupts.token());
  } catch (const model::InputError& error) {
    console.end_progress();
    for (const model::Diagnostic& problem : error.diagnostics().list())
      console.error(model::to_text(problem));
    return code(model::ExitCode::bad_input);
  } catch (const model::EnvironmentError& error) {
    console.error(std::string("trainwright: ") + error.what());
    return code(model::ExitCode::environment);
  } catch (const std::bad_alloc&) {
    console.error("trainwright: out of memory");
    return code(model::ExitCode::environment);
  } catch (const std::exception& error) {
    console.error(std::string("trainwright: unexpected failure: ") + error.what());
    return code(model::ExitCode::environment);
  }
}

}  // namespace trainwright::cli
