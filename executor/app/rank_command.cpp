// SPDX-License-Identifier: Apache-2.0
#include "executor/app/rank_command.hpp"

#include <signal.h>
#include <sys/prctl.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <thread>
#include <utility>

#include "executor/app/arguments.hpp"
#include "executor/process/child_process.hpp"
#include "executor/process/cores.hpp"
#include "executor/rendezvous/job_secret.hpp"
#include "executor/session/rank_session.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

constexpr std::int64_t kMaxInt = 2'147'483'647;

struct RankCommand {
  std::filesystem::path plan;
  std::filesystem::path run_dir;
  RankRun run;
  std::string backend_name;
  BackendOptions backend;
  std::optional<std::int64_t> core;
  std::int64_t launcher = 0;
};

RankCommand read_options(std::vector<std::string> words) {
  Arguments arguments(std::move(words));
  RankCommand command;
  command.plan = arguments.required_text("--plan");
  command.run_dir = arguments.required_text("--run-dir");
  command.run.rank = model::RankId(static_cast<std::int32_t>(arguments.integer("--rank", 0, kMaxInt, 0)));
  command.run.steps = static_cast<int>(arguments.integer("--steps", 1, kMaxInt, 1));
  command.run.warmup = static_cast<int>(arguments.integer("--warmup", 0, kMaxInt, 0));
  const std::string rendezvous = arguments.required_text("--rendezvous");
  command.backend_name = arguments.required_text("--backend");
  command.backend.interface = arguments.text("--interface").value_or("");
  command.backend.timeout = std::chrono::seconds(arguments.integer("--timeout", 1, kMaxInt, 60));
  command.core = arguments.optional_integer("--core", 0, kMaxInt);
  command.launcher = arguments.integer("--launcher-pid", 1, kMaxInt, 1);
  arguments.finish();
  command.backend.rendezvous = endpoint_from_text(rendezvous);
  const char* secret = std::getenv(kSecretVariable);
  command.backend.secret = secret != nullptr ? secret : "";
  if (command.backend.secret.size() != kSecretSize)
    throw model::EnvironmentError(std::string(kSecretVariable) + " is not set to a job's secret",
                                  "ranks are started by `trainwright-execute run`");
  return command;
}

// A device that hangs can keep its memory from being given back: what was to be said has been said, so the process
// ends.
void end_within(std::chrono::seconds patience, model::ExitCode code) {
  std::thread([patience, code] {
    std::this_thread::sleep_for(patience);
    std::_Exit(static_cast<int>(code));
  }).detach();
}

// The launcher reads the report; the log keeps the text for later.
class Reporter {
 public:
  void operator()(const RankReport& report) {
    const auto* failure = std::get_if<FailureReport>(&report);
    if (failure == nullptr)
      return write_report(kReportFd, report);
    if (std::exchange(has_failed_, true))
      return;  // said before the objects in use were given back
    std::cerr << failure->text << std::endl;
    end_within(std::chrono::seconds(5), model::ExitCode::environment);
    try {
      write_report(kReportFd, report);
    } catch (const model::EnvironmentError&) {
      std::cerr << "the launcher is gone" << std::endl;
    }
  }

 private:
  bool has_failed_ = false;
};

void run(const RankCommand& command, const Parts& parts, Reporter& reporter) {
  ::prctl(PR_SET_TIMERSLACK, 1UL);  // nanoseconds: sleeping until the common start ends on time
  if (command.core)
    pin_to_core(static_cast<int>(*command.core));
  const Job job = parts.load_job(command.plan);
  const BackendParts& backend = choose_backend(parts, command.backend_name, job.graph.rank_count());
  HostIo host_io(command.run_dir / ("rank-" + std::to_string(command.run.rank.value()) + ".io"),
                 job.graph.program_of_rank(command.run.rank));
  const RankParts rank = backend.make_rank(job, command.run.rank, command.backend);
  run_rank(job.graph, command.run, rank, host_io, std::ref(reporter));
}

}  // namespace

int rank_command(std::vector<std::string> words, const Parts& parts) {
  ::signal(SIGPIPE, SIG_IGN);
  Reporter reporter;
  try {
    const RankCommand command = read_options(std::move(words));
    if (!die_with_parent(static_cast<pid_t>(command.launcher)))
      return static_cast<int>(model::ExitCode::environment);
    run(command, parts, reporter);
    return static_cast<int>(model::ExitCode::done);
  } catch (const model::InputError& error) {
    reporter(FailureReport{false, error.what()});
    return static_cast<int>(model::ExitCode::bad_input);
  } catch (const CommunicationError& error) {
    reporter(FailureReport{true, error.what()});
  } catch (const std::exception& error) {
    reporter(FailureReport{false, error.what()});
  }
  return static_cast<int>(model::ExitCode::environment);
}

}  // namespace trainwright::executor
