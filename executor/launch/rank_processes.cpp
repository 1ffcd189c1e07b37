// SPDX-License-Identifier: Apache-2.0
#include "executor/launch/rank_processes.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>
#include <tuple>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

constexpr std::chrono::milliseconds kPollTime{5};
constexpr int kLogLines = 5;

}  // namespace

RankProcesses::~RankProcesses() {
  end_all(std::chrono::milliseconds(0));
}

void RankProcesses::start(ChildOptions options) {
  Pipe pipe = make_pipe();
  options.report_fd = pipe.write_end.get();
  // The group lives as long as its first process has not been reaped, which happens only after all have been started.
  options.process_group = ranks_.empty() ? 0 : ranks_.front().pid;
  RankProcess rank;
  rank.log = options.log;
  rank.reports = std::move(pipe.read_end);
  rank.pid = start_process(options);
  ranks_.push_back(std::move(rank));
}

void RankProcesses::reap() {
  for (RankProcess& rank : ranks_) {
    int status = 0;
    if (!rank.running() || ::waitpid(rank.pid, &status, WNOHANG) != rank.pid)
      continue;
    rank.status = status;
    rank.end_order = ++ended_;
    read(rank);
    rank.reports.reset();
  }
}

void RankProcesses::read(RankProcess& rank) {
  std::array<char, 65536> chunk;
  while (rank.reports.is_open()) {
    const ssize_t got = ::read(rank.reports.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      break;  // nothing more for now
    if (got == 0) {
      rank.reports.reset();
      break;
    }
    rank.reader.append(std::string_view(chunk.data(), static_cast<std::size_t>(got)));
  }
  while (auto report = rank.reader.next()) {
    if (auto* phase = std::get_if<PhaseReport>(&*report))
      rank.phase = phase->phase;
    else if (auto* step = std::get_if<StepReport>(&*report))
      rank.steps.push_back(std::move(*step));
    else if (auto* finished = std::get_if<FinishedReport>(&*report))
      rank.finished = *finished;
    else
      rank.failure = std::get<FailureReport>(std::move(*report));
  }
}

void RankProcesses::end_all(std::chrono::milliseconds patience) {
  const auto signal_all = [&](int number) {
    for (const RankProcess& rank : ranks_)
      if (rank.running())
        ::kill(rank.pid, number);  // not reaped yet, so the number is still its own
  };
  if (patience.count() > 0)
    signal_all(SIGTERM);
  const auto give_up = std::chrono::steady_clock::now() + patience;
  bool killed = false;
  for (reap(); any_running(); reap()) {
    if (!killed && std::chrono::steady_clock::now() >= give_up) {
      signal_all(SIGKILL);
      signal_all(SIGCONT);
      killed = true;
    }
    std::this_thread::sleep_for(kPollTime);
  }
}

bool RankProcesses::any_running() const {
  return std::any_of(ranks_.begin(), ranks_.end(), [](const RankProcess& rank) { return rank.running(); });
}

const RankProcess* RankProcesses::first_failure() const {
  const auto found = std::find_if(ranks_.begin(), ranks_.end(),
                                  [](const RankProcess& rank) { return rank.status && !rank.ended_well(); });
  return found == ranks_.end() ? nullptr : &*found;
}

std::size_t failed_first(const std::vector<RankProcess>& ranks) {
  const auto weight = [](const RankProcess& rank) {
    const bool failed = rank.status && !rank.ended_well();
    const int severity = !failed                                          ? 3
                         : WIFSIGNALED(*rank.status)                      ? 0
                         : rank.failure && rank.failure->in_communication ? 2
                                                                          : 1;
    return std::tuple(severity, rank.end_order);
  };
  const auto found = std::min_element(
      ranks.begin(), ranks.end(), [&](const RankProcess& a, const RankProcess& b) { return weight(a) < weight(b); });
  TRAINWRIGHT_EXPECTS(found != ranks.end() && found->status && !found->ended_well(), "no rank has failed");
  return static_cast<std::size_t>(found - ranks.begin());
}

std::string describe_failure(const RankProcess& rank, std::size_t number) {
  const std::string log = rank.log.filename().string();
  std::string text = "rank " + std::to_string(number) + " " + describe_exit(*rank.status) + " while " +
                     std::string(to_word(rank.phase));
  if (rank.phase == RankPhase::measuring)
    text += ", after " + std::to_string(rank.steps.size()) + (rank.steps.size() == 1 ? " step" : " steps");
  if (rank.failure)
    return text + ": " + rank.failure->text + " (log " + rank.log.string() + ")";
  const std::string lines = last_lines(rank.log, kLogLines);
  return text + (lines.empty() ? "; " + rank.log.string() + " is empty" : "; last lines of " + log + ":\n" + lines);
}

}  // namespace trainwright::executor
