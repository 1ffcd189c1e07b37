// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/measure_main.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "executor/kernels/gemm.hpp"
#include "executor/launch/machine_check.hpp"
#include "executor/measurement/measure_options.hpp"
#include "executor/measurement/measure_session.hpp"
#include "executor/process/cores.hpp"
#include "executor/process/signal_watch.hpp"
#include "executor/report/environment.hpp"
#include "model/base/error.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"

namespace trainwright::executor {
namespace {

namespace fs = std::filesystem;

void print_event(const nlohmann::ordered_json& event) {
  std::cout << event.dump() << std::endl;
}

/// Progress lines, at most ten a second.
class ProgressPrinter {
 public:
  void print(double done, const std::string& what) {
    constexpr double kInterval = 0.1;
    const double now = clock_.now().count();
    if (last_ && now - *last_ < kInterval)
      return;
    last_ = now;
    // Three digits are more than anybody looks at.
    const double rounded = static_cast<double>(static_cast<int>(done * 1000.0)) / 1000.0;
    print_event({{"event", "progress"}, {"done", rounded}, {"what", what}});
  }

 private:
  SteadyClock clock_;
  std::optional<double> last_;
};

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Half a minute of measuring must not end at a file that cannot be written.
void check_folders(const MeasureOptions& options) {
  std::error_code ignored;
  model::Diagnostics diagnostics;
  if (!fs::is_directory(folder_of(options.out), ignored))
    diagnostics.add_error("command line", "--out", folder_of(options.out).string() + " is not a folder",
                          "make it first, or name another file");
  else if (fs::is_directory(options.out, ignored))
    diagnostics.add_error("command line", "--out", options.out.string() + " is a folder", "name a file in it");
  fs::create_directories(options.run_dir, ignored);
  if (!fs::is_directory(options.run_dir, ignored))
    diagnostics.add_error("command line", "--run-dir", options.run_dir.string() + " is not a folder and cannot be made",
                          "name another one");
  model::throw_if_errors(diagnostics);
  if (access(folder_of(options.out).c_str(), W_OK) != 0)
    throw model::EnvironmentError("cannot write into " + folder_of(options.out).string(),
                                  "name another file with --out");
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line = "trainwright-execute measure";
  for (const std::string& word : words)
    line += " " + word;
  return line;
}

int measure(const std::vector<std::string>& words) {
  const MeasureOptions options = parse_measure_options(words);
  if (options.help) {
    std::cout << measure_help() << std::flush;
    return static_cast<int>(model::ExitCode::done);
  }
  check_folders(options);

  SignalWatch signals;
  std::optional<int> interrupt;
  const std::vector<int> cores = allowed_cores();
  SessionOptions session;
  session.ranks = options.ranks.value_or(static_cast<int>(cores.size()));
  check_machine(this_machine(), session.ranks, session_memory_per_rank(options.quick).count() * session.ranks);
  if (static_cast<std::size_t>(session.ranks) <= cores.size())
    session.cores.assign(cores.begin(), cores.begin() + session.ranks);
  session.run_dir = options.run_dir;
  session.budget = options.budget;
  session.quick = options.quick;

  ProgressPrinter printer;
  SessionEvents events;
  events.progress = [&](double done, const std::string& what) { printer.print(done, what); };
  events.interrupt_fd = signals.fd();
  events.interrupted = [&] {
    while (const std::optional<int> signal = signals.take())
      if (*signal != SIGCHLD)
        interrupt = signal;
    return interrupt.has_value();
  };
  // The environment is described first: its date is when measuring began.
  model::Environment environment =
      describe_environment("gloo", {{"openblas", gemm_library_description()}}, command_line(words));

  SessionResult result = measure_machine(session, events);
  const auto& versions = result.measurement.environment.versions;
  environment.versions.insert(environment.versions.end(), versions.begin(), versions.end());
  result.measurement.environment = environment;
  if (session.cores.empty() && session.ranks > 1)
    result.measurement.notes.emplace_back("ranks share cores and are not pinned");
  if (interrupt)
    result.measurement.notes.emplace_back("interrupted by signal " + std::to_string(*interrupt));
  for (const std::string& failure : result.failures) {
    std::cerr << failure << std::endl;
    result.measurement.notes.push_back("failed: " + failure);
  }
  model::write_file_atomically(options.out, model::to_measurement_json(result.measurement));
  print_event({{"event", "finished"},
               {"out", options.out.string()},
               {"points", point_count(result.measurement)},
               {"partial", result.measurement.partial}});
  if (!result.measurement.partial)
    return static_cast<int>(model::ExitCode::done);
  return static_cast<int>(result.interrupted || point_count(result.measurement) > 0 ? model::ExitCode::answer_is_no
                                                                                    : model::ExitCode::environment);
}

}  // namespace

int measure_main(int argc, char** argv) {
  try {
    return measure(std::vector<std::string>(argv + std::min(argc, 1), argv + argc));
  } catch (const model::InputError& error) {
    std::cerr << error.what();
    return static_cast<int>(model::ExitCode::bad_input);
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return static_cast<int>(model::ExitCode::environment);
  }
}

}  // namespace trainwright::executor
