// SPDX-License-Identifier: Apache-2.0
#include "executor/app/run_command.hpp"

#include <signal.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "executor/app/arguments.hpp"
#include "executor/launch/launcher.hpp"
#include "executor/launch/machine_check.hpp"
#include "executor/process/cores.hpp"
#include "executor/process/run_lock.hpp"
#include "executor/report/chrome_trace.hpp"
#include "executor/report/environment.hpp"
#include "executor/report/run_measurement.hpp"
#include "model/base/error.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"

namespace trainwright::executor {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMeasurementFile = "measurement.json";
constexpr const char* kTraceFile = "trace.json";

struct RunOptions {
  std::string plan;
  std::filesystem::path run_dir;
  std::string name;
  std::string backend = "auto";
  std::optional<std::int64_t> nproc;
  int steps = 5;
  int warmup = 2;
  std::uint16_t port = 0;
  std::string interface;
  std::int64_t timeout_s = 300;
  std::string command;
};

RunOptions read_options(const std::vector<std::string>& words) {
  Arguments arguments(words);
  RunOptions options;
  options.plan = arguments.required_text("--plan");
  options.backend = arguments.text("--backend").value_or(options.backend);
  options.nproc = arguments.optional_integer("--nproc", 1, 1'000'000);
  options.steps = static_cast<int>(arguments.integer("--steps", 1, 1'000'000, options.steps));
  options.warmup = static_cast<int>(arguments.integer("--warmup", 0, 1'000'000, options.warmup));
  options.run_dir = arguments.text("--run-dir").value_or("trainwright-run");
  options.name = arguments.text("--name").value_or(std::filesystem::path(options.plan).stem().string());
  options.port = static_cast<std::uint16_t>(arguments.integer("--rendezvous-port", 0, 65535, 0));
  options.interface = arguments.text("--interface").value_or("");
  options.timeout_s = arguments.integer("--timeout", 1, 86'400, options.timeout_s);
  arguments.finish();
  options.command = "trainwright-execute run";
  for (const std::string& word : words)
    options.command += " " + word;
  return options;
}

void check_nproc(const RunOptions& options, const Job& job) {
  const int ranks = job.graph.rank_count();
  if (!options.nproc || *options.nproc == ranks)
    return;
  const model::Layout& layout = job.graph.placement().layout();
  model::Diagnostics diagnostics;
  diagnostics.add_error("command line", "--nproc",
                        std::to_string(*options.nproc) + " processes, but the plan has " + std::to_string(ranks) +
                            " ranks (dp " + std::to_string(layout.dp) + " x tp " + std::to_string(layout.tp) +
                            " x pp " + std::to_string(layout.pp) + " x cp " + std::to_string(layout.cp) + ")",
                        "write --nproc " + std::to_string(ranks) + " or leave it out");
  model::throw_if_errors(diagnostics);
}

// Operands and buffers of all ranks, and the records of all steps, which the launcher keeps, turns into values and
// prints.
std::int64_t needed_memory(const Job& job, const BackendParts& backend, int steps) {
  constexpr std::int64_t kBytesPerRecord = sizeof(TaskStamp) + 2 * sizeof(double) + 48;
  std::int64_t bytes = kBytesPerRecord * job.graph.task_count() * steps;
  for (int r = 0; r < job.graph.rank_count(); ++r)
    bytes += backend.host_memory_bytes(job.graph, model::RankId(r));
  return bytes;
}

// A reader that has gone away hangs up, as a closed terminal does.
void print(const Json& event) {
  if (std::cout && !(std::cout << event.dump() << std::endl))
    ::raise(SIGHUP);
}

// What an earlier run left here would be taken for the outcome of this one if this one fails.
void remove_earlier_results(const std::filesystem::path& run_dir) {
  for (const char* name : {kMeasurementFile, kTraceFile}) {
    std::error_code error;
    std::filesystem::remove(run_dir / name, error);
    if (error)
      throw model::EnvironmentError((run_dir / name).string() + ": cannot be removed: " + error.message());
  }
}

LaunchOptions launch_options(const RunOptions& options, const BackendParts& backend, int ranks) {
  LaunchOptions launch;
  launch.program = std::filesystem::read_symlink("/proc/self/exe");
  launch.arguments = {"rank",
                      "--plan",
                      options.plan,
                      "--backend",
                      backend.name,
                      "--run-dir",
                      options.run_dir.string(),
                      "--steps",
                      std::to_string(options.steps),
                      "--warmup",
                      std::to_string(options.warmup),
                      "--timeout",
                      std::to_string(options.timeout_s)};
  if (!options.interface.empty())
    launch.arguments.insert(launch.arguments.end(), {"--interface", options.interface});
  launch.ranks = ranks;
  launch.steps = options.steps;
  launch.run_dir = options.run_dir;
  launch.rendezvous.port = options.port;
  const std::vector<int> cores = allowed_cores();
  if (backend.computes_on_cores && static_cast<std::size_t>(ranks) <= cores.size())
    launch.cores.assign(cores.begin(), cores.begin() + ranks);
  return launch;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<std::string> modes_of(const Job& job, const BackendParts& backend, const LaunchOptions& launch) {
  std::vector<std::string> modes = backend.modes(job.graph);
  if (backend.computes_on_cores && launch.cores.empty())
    modes.push_back("ranks share cores: " + std::to_string(launch.ranks) + " on " +
                    std::to_string(allowed_cores().size()));
  return modes;
}

}  // namespace

std::string run_help() {
  return "trainwright-execute run --plan PLAN.json [options]\n"
         "Runs the plan's execution graph on this machine, one process for each rank, and writes what was measured.\n"
         "  --backend B           nccl: a GPU for each rank; gloo: CPU cores; auto: nccl where the machine has the "
         "GPUs (default "
         "auto)\n"
         "  --nproc N             processes; must be the plan's number of ranks (default: that number)\n"
         "  --steps K             measured steps (default 5)\n"
         "  --warmup W            steps before them, beside one that verifies all communication (default 2)\n"
         "  --run-dir DIR         logs, measurement.json, trace.json (default trainwright-run)\n"
         "  --name LABEL          name of the run in the measurement (default: the plan's file name)\n"
         "  --rendezvous-port P   port of the rendezvous store on 127.0.0.1 (default: a free one)\n"
         "  --interface IF        network interface for data (default: loopback)\n"
         "  --timeout S           seconds that any single operation may take, waiting for others included (default "
         "300)\n"
         "Standard output: one JSON object a line. Exit code: 0 done, 1 interrupted (what was measured is written),\n"
         "2 bad input, 3 a rank or the machine failed.\n";
}

int run_command(const std::vector<std::string>& words, const Parts& parts) {
  const RunOptions options = read_options(words);
  const Job job = parts.load_job(options.plan);
  check_nproc(options, job);
  const int ranks = job.graph.rank_count();
  const BackendParts& backend = choose_backend(parts, options.backend, ranks);
  check_machine(this_machine(), ranks, needed_memory(job, backend, options.steps));

  SignalWatch signals;
  const FileDescriptor lock = lock_run_folder(options.run_dir);
  remove_earlier_results(options.run_dir);
  const LaunchOptions launch_with = launch_options(options, backend, ranks);
  LaunchEvents events;
  events.phase = [](RankPhase phase) { print({{"event", "phase"}, {"phase", to_word(phase)}}); };
  events.step = [](std::int64_t step, double time_s) {
    print({{"event", "step"}, {"step", step + 1}, {"time_s", time_s}});
  };
  print({{"event", "start"},
         {"ranks", ranks},
         {"steps", options.steps},
         {"run_dir", options.run_dir.string()},
         {"backend", backend.name}});
  const LaunchResult result = launch(launch_with, signals, events);

  if (result.steps == 0) {
    std::cerr << "interrupted by " << result.interrupted_by << " before the first measured step; nothing was written"
              << std::endl;
    print({{"event", "interrupted"}, {"steps", 0}});
    return static_cast<int>(model::ExitCode::answer_is_no);
  }
  model::Measurement measurement;
  measurement.environment = describe_environment(backend.name, backend.versions(), options.command);
  measurement.runs.push_back(
      make_executed_run(job.plan, options.name, modes_of(job, backend, launch_with), options.steps, result));
  const std::filesystem::path measurement_file = options.run_dir / kMeasurementFile;
  const std::filesystem::path trace_file = options.run_dir / kTraceFile;
  model::write_file_atomically(measurement_file, to_measurement_json(measurement));
  model::write_file_atomically(trace_file, to_chrome_trace(job.graph, result));
  print({{"event", result.interrupted ? "interrupted" : "done"},
         {"steps", result.steps},
         {"median_step_s", median(measurement.runs.front().step_s)},
         {"measurement", measurement_file.string()},
         {"trace", trace_file.string()}});
  if (!result.interrupted)
    return static_cast<int>(model::ExitCode::done);
  std::cerr << "interrupted by " << result.interrupted_by << " after " << result.steps << " of " << options.steps
            << " steps; " << measurement_file.string() << " holds those" << std::endl;
  return static_cast<int>(model::ExitCode::answer_is_no);
}

}  // namespace trainwright::executor
