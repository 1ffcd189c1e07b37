// SPDX-License-Identifier: Apache-2.0
#include "executor/launch/launcher.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "executor/launch/rank_processes.hpp"
#include "executor/rendezvous/job_secret.hpp"
#include "executor/rendezvous/store_server.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

// After the first failure the others get this long to report theirs, so that the cause can be told from consequences.
constexpr std::chrono::milliseconds kGather{300};
constexpr std::chrono::milliseconds kPatience{500};

// Wakes up now and then even if nothing happens: a lost wake-up then costs time, not the job.
constexpr int kPollMilliseconds = 1000;

SteadyNs rank_time(const StepReport& report) {
  SteadyNs last = report.common_start;
  for (const TaskStamp& stamp : report.tasks)
    last = std::max(last, stamp.end);
  return last - report.common_start;
}

class Job {
 public:
  Job(const LaunchOptions& options, SignalWatch& signals, const LaunchEvents& events)
      : options_(options),
        signals_(signals),
        events_(events),
        secret_(make_job_secret()),
        store_(options.rendezvous, secret_) {}

  LaunchResult run() {
    for (int rank = 0; rank < options_.ranks; ++rank)
      start(rank);
    while (processes_.any_running() && !interrupted_by_) {
      wait_for_something();
      report_progress();
      if (processes_.first_failure() != nullptr)
        fail();
    }
    report_progress();
    if (interrupted_by_)
      processes_.end_all(kPatience);
    else if (processes_.first_failure() != nullptr)
      fail();
    return result();
  }

 private:
  void start(int rank) {
    ChildOptions child;
    child.program = options_.program;
    child.arguments = options_.arguments;
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"--rank", std::to_string(rank)},
                                                          {"--rendezvous", to_text(store_.endpoint())},
                                                          {"--launcher-pid", std::to_string(::getpid())}}) {
      child.arguments.push_back(name);
      child.arguments.push_back(value);
    }
    if (!options_.cores.empty()) {
      child.arguments.emplace_back("--core");
      child.arguments.push_back(std::to_string(options_.cores.at(static_cast<std::size_t>(rank))));
    }
    // One thread of arithmetic for each rank: read by OpenBLAS when the program is loaded.
    child.environment = {{kSecretVariable, secret_}, {"OPENBLAS_NUM_THREADS", "1"}, {"OMP_NUM_THREADS", "1"}};
    child.log = options_.run_dir / ("rank-" + std::to_string(rank) + ".log");
    processes_.start(std::move(child));
  }

  void wait_for_something() {
    std::vector<pollfd> entries{{signals_.fd(), POLLIN, 0}};
    std::vector<std::size_t> rank_of;
    for (std::size_t rank = 0; rank < processes_.all().size(); ++rank) {
      if (!processes_.all()[rank].reports.is_open())
        continue;
      entries.push_back({processes_.all()[rank].reports.get(), POLLIN, 0});
      rank_of.push_back(rank);
    }
    ::poll(entries.data(), entries.size(), kPollMilliseconds);
    for (std::size_t i = 0; i < rank_of.size(); ++i)
      if (entries[i + 1].revents != 0)
        processes_.read(processes_.all()[rank_of[i]]);
    while (const auto number = signals_.take())
      if (*number != SIGCHLD)
        interrupted_by_ = *number;
    processes_.reap();
  }

  void report_progress() {
    const auto& ranks = processes_.all();
    const auto slowest =
        std::min_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.phase < b.phase; });
    if (!phase_ || *phase_ < slowest->phase) {
      phase_ = slowest->phase;
      events_.phase(*phase_);
    }
    for (; complete_steps() > reported_steps_; ++reported_steps_)
      events_.step(reported_steps_, step_time(reported_steps_));
  }

  [[nodiscard]] std::int64_t complete_steps() const {
    std::size_t least = static_cast<std::size_t>(options_.steps);
    for (const RankProcess& rank : processes_.all())
      least = std::min(least, rank.steps.size());
    return static_cast<std::int64_t>(least);
  }

  [[nodiscard]] double step_time(std::int64_t step) const {
    SteadyNs slowest = 0;
    for (const RankProcess& rank : processes_.all())
      slowest = std::max(slowest, rank_time(rank.steps[static_cast<std::size_t>(step)]));
    return static_cast<double>(slowest) / 1e9;
  }

  [[noreturn]] void fail() {
    const auto stop_gathering = std::chrono::steady_clock::now() + kGather;
    while (processes_.any_running() && std::chrono::steady_clock::now() < stop_gathering) {
      ::poll(nullptr, 0, 10);
      processes_.reap();
    }
    const std::size_t culprit = failed_first(processes_.all());
    const std::string text = describe_failure(processes_.all()[culprit], culprit);
    processes_.end_all(kPatience);
    throw model::EnvironmentError(text, processes_.all().size() > 1 ? "the other ranks were stopped" : "");
  }

  LaunchResult result() {
    LaunchResult result;
    result.interrupted = interrupted_by_.has_value();
    if (interrupted_by_)
      result.interrupted_by = "SIG" + std::string(::sigabbrev_np(*interrupted_by_));
    result.steps = complete_steps();
    for (RankProcess& rank : processes_.all()) {
      rank.steps.resize(static_cast<std::size_t>(result.steps));
      result.reports.push_back(std::move(rank.steps));
      result.peak_memory_bytes.push_back(rank.finished ? rank.finished->peak_memory_bytes : 0);
    }
    return result;
  }

  const LaunchOptions& options_;
  SignalWatch& signals_;
  const LaunchEvents& events_;
  std::string secret_;
  StoreServer store_;
  RankProcesses processes_;
  std::optional<int> interrupted_by_;
  std::optional<RankPhase> phase_;
  std::int64_t reported_steps_ = 0;
};

}  // namespace

double step_seconds(const std::vector<std::vector<StepReport>>& reports, std::int64_t step) {
  SteadyNs slowest = 0;
  for (const auto& rank : reports)
    slowest = std::max(slowest, rank_time(rank[static_cast<std::size_t>(step)]));
  return static_cast<double>(slowest) / 1e9;
}

LaunchResult launch(const LaunchOptions& options, SignalWatch& signals, const LaunchEvents& events) {
  return Job(options, signals, events).run();
}

}  // namespace trainwright::executor
