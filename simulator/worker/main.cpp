// trainwright-simulate: one request on standard input, one report on standard output, then it ends.
// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "model/base/error.hpp"
#include "model/units/format.hpp"
#include "simulator/client/exit_code.hpp"
#include "simulator/client/report.hpp"
#include "simulator/client/request.hpp"
#include "simulator/engine/simulate.hpp"

namespace {

using namespace trainwright;
using simulator::WorkerExit;

constexpr std::string_view kHelp =
    R"(Simulates one training step: reads a request (trainwright/simulation_request/v1) from standard input and writes a
report (trainwright/simulation_report/v1) to standard output. Started by trainwright and trainwright-gui.

usage: trainwright-simulate [--progress] < request.json > report.json
  --progress  write lines "progress 0.42" to standard error
  --help      this text

exit codes: 0 done; 2 the request is refused; 3 the step never comes to its end (deadlock); 4 the engine refuses
)";

void say(std::FILE* stream, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stream);
}

std::string read_all(std::FILE* stream) {
  std::string text;
  char buffer[65536];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, stream))
    text.append(buffer, count);
  return text;
}

int end_with(WorkerExit code, std::string_view message) {
  say(stderr, message);
  say(stderr, "\n");
  return static_cast<int>(code);
}

int run(bool show_progress) {
  model::Diagnostics diagnostics;
  const simulator::SimulationRequest request = simulator::request_from_json(read_all(stdin), "request", diagnostics);
  if (!diagnostics.has_errors())
    diagnostics.append(model::check_plan(request.plan, "request: /plan"));
  if (diagnostics.has_errors())
    return end_with(WorkerExit::bad_request, diagnostics.to_text());
  simulator::RunProgress progress;
  if (show_progress)
    progress = [](double fraction) { say(stderr, "progress " + model::format_fixed(fraction, 3) + "\n"); };
  const std::string report = simulator::to_report_json(simulator::simulate(request, progress));
  say(stdout, report);
  if (std::fflush(stdout) != 0)
    return end_with(WorkerExit::engine_refused, "cannot write the report");
  return static_cast<int>(WorkerExit::done);
}

// No orphans: if whoever started this worker dies, so does it.
void die_with_parent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(static_cast<int>(WorkerExit::engine_refused));
}

}  // namespace

int main(int argc, char** argv) {
  bool show_progress = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      say(stdout, kHelp);
      return 0;
    }
    if (word != "--progress")
      return end_with(WorkerExit::bad_request,
                      "unknown option " + std::string(word) + "; known are --progress and --help");
    show_progress = true;
  }
  die_with_parent();
  try {
    return run(show_progress);
  } catch (const model::InputError& error) {
    return end_with(WorkerExit::bad_request, error.what());
  } catch (const simulator::SimulationIncomplete& error) {
    return end_with(WorkerExit::incomplete, error.what());
  } catch (const simulator::EngineRefusal& error) {
    return end_with(WorkerExit::engine_refused, error.what());
  } catch (const std::exception& error) {
    return end_with(WorkerExit::engine_refused, error.what());
  }
}
