// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/rank_group.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>

#include "model/base/contract.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

std::string reason(const std::string& what) {
  return what + ": " + std::generic_category().message(errno);
}

/// Written whole: a record fits the pipe's atomic size, so only interruption is possible.
bool write_record(int fd, const Record& record) {
  std::array<char, sizeof(Record)> bytes{};
  std::memcpy(bytes.data(), &record, sizeof(Record));
  ssize_t written = -1;
  do {
    written = write(fd, bytes.data(), bytes.size());
  } while (written < 0 && errno == EINTR);
  return written == static_cast<ssize_t>(bytes.size());
}

void pin_to(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  if (sched_setaffinity(0, sizeof(set), &set) != 0)
    throw model::EnvironmentError(reason("cannot bind a rank to processor " + std::to_string(core)));
}

[[noreturn]] void run_child(const RankGroupOptions& options, int rank, pid_t parent, SharedArea& area, int report_fd) {
  int exit_code = 0;
  try {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
      _exit(static_cast<int>(model::ExitCode::environment));
    // The terminal sends its interrupt to the whole group; the parent decides for its children.
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    if (!options.cores.empty())
      pin_to(options.cores[static_cast<std::size_t>(rank)]);
    RankContext context(rank, options.ranks, area, report_fd);
    options.body(context);
  } catch (const std::exception& error) {
    write_record(report_fd, FailureRecord{FixedText<480>("rank " + std::to_string(rank) + ": " + error.what())});
    exit_code = static_cast<int>(model::ExitCode::environment);
  }
  // Not exit(): what the parent had registered to run at its end is not this process's business.
  _exit(exit_code);
}

class Children {
 public:
  Children() = default;
  Children(const Children&) = delete;
  Children& operator=(const Children&) = delete;
  ~Children() { kill_all(); }

  void add(pid_t pid) { running_.push_back(pid); }
  [[nodiscard]] bool empty() const { return running_.empty(); }

  /// Takes those that have ended off the list; the first bad end is described in `failure` unless it says something.
  void reap(std::string& failure) {
    std::erase_if(running_, [&](pid_t pid) {
      int status = 0;
      if (waitpid(pid, &status, WNOHANG) != pid)
        return false;
      const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      if (!well && failure.empty())
        failure = WIFSIGNALED(status) ? "a rank was killed by signal " + std::to_string(WTERMSIG(status))
                                      : "a rank ended with code " + std::to_string(WEXITSTATUS(status));
      return true;
    });
  }

  void kill_all() noexcept {
    for (const pid_t pid : running_)
      kill(pid, SIGKILL);
    for (const pid_t pid : running_)
      while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
      }
    running_.clear();
  }

 private:
  std::vector<pid_t> running_;
};

/// Both ends are closed when it goes.
class ReportPipe {
 public:
  ReportPipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw model::EnvironmentError(reason("cannot make a pipe"));
    fcntl(ends_[0], F_SETFL, O_NONBLOCK);
  }
  ReportPipe(const ReportPipe&) = delete;
  ReportPipe& operator=(const ReportPipe&) = delete;
  ~ReportPipe() {
    close(ends_[0]);
    close_write_end();
  }
  void close_write_end() {
    if (ends_[1] >= 0)
      close(ends_[1]);
    ends_[1] = -1;
  }
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }

  /// Hands over all that has arrived. Records are written whole, so none is ever seen in part.
  template <class Function>
  void drain(Function on_record) {
    std::array<char, sizeof(Record)> bytes{};
    while (read(ends_[0], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size())) {
      Record record;
      std::memcpy(static_cast<void*>(&record), bytes.data(), sizeof(Record));
      on_record(record);
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

}  // namespace

double RankContext::from_first(double value) {
  if (rank_ == 0)
    area_.slots[0].value = value;
  wait_for_all();
  const double result = area_.slots[0].value;
  wait_for_all();
  return result;
}

std::string RankContext::text_from_first(std::string_view text) {
  if (rank_ == 0) {
    TRAINWRIGHT_EXPECTS(text.size() < area_.text.size(), std::to_string(text.size()));
    area_.text.fill('\0');
    std::copy(text.begin(), text.end(), area_.text.begin());
  }
  wait_for_all();
  std::string result = area_.text.data();
  wait_for_all();
  return result;
}

double RankContext::largest(double value) {
  area_.slots[static_cast<std::size_t>(rank_)].value = value;
  wait_for_all();
  double result = value;
  for (int i = 0; i < ranks_; ++i)
    result = std::max(result, area_.slots[static_cast<std::size_t>(i)].value);
  wait_for_all();
  return result;
}

Attempt RankContext::agree(const Sample& own, bool active, model::Seconds elapsed, Combine how) {
  area_.slots[static_cast<std::size_t>(rank_)] = {own.time.count(), elapsed.count(), static_cast<int>(own.fault),
                                                  active};
  wait_for_all();
  Attempt result;
  double sum = 0.0;
  double slowest = 0.0;
  int count = 0;
  for (int i = 0; i < ranks_; ++i) {
    const RankSlot& slot = area_.slots[static_cast<std::size_t>(i)];
    if (!slot.active)
      continue;
    sum += slot.value;
    slowest = std::max(slowest, slot.value);
    ++count;
    if (slot.fault != 0 && result.sample.fault == SampleFault::none)
      result.sample.fault = static_cast<SampleFault>(slot.fault);
  }
  result.sample.time = model::Seconds(how == Combine::mean ? sum / std::max(count, 1) : slowest);
  result.elapsed = model::Seconds(area_.slots[0].elapsed_s);
  wait_for_all();
  return result;
}

void RankContext::report(const Record& record) const {
  if (!write_record(report_fd_, record))
    throw model::EnvironmentError(reason("cannot report a result"));
}

RankGroupResult run_rank_group(const RankGroupOptions& options) {
  TRAINWRIGHT_EXPECTS(options.cores.empty() || options.cores.size() == static_cast<std::size_t>(options.ranks),
                      std::to_string(options.cores.size()));
  const SharedAreaPointer area = make_shared_area(options.ranks, !options.cores.empty());
  ReportPipe pipe;
  Children children;
  const pid_t parent = getpid();
  for (int rank = 0; rank < options.ranks; ++rank) {
    const pid_t pid = fork();
    if (pid < 0)
      throw model::EnvironmentError(reason("cannot start rank " + std::to_string(rank)));
    if (pid == 0)
      run_child(options, rank, parent, *area, pipe.write_end());
    children.add(pid);
  }
  pipe.close_write_end();

  RankGroupResult result;
  std::string failure;
  const auto take = [&](const Record& record) {
    if (const auto* failed = std::get_if<FailureRecord>(&record))
      failure = failure.empty() ? std::string(failed->text.view()) : failure;
    else if (options.on_record)
      options.on_record(record);
  };
  const SteadyClock clock;
  std::string bad_end;
  while (true) {
    std::array<pollfd, 2> watched{{{pipe.read_end(), POLLIN, 0}, {options.interrupt_fd, POLLIN, 0}}};
    constexpr int kLookAgainMs = 200;
    poll(watched.data(), watched.size(), kLookAgainMs);
    pipe.drain(take);
    children.reap(bad_end);
    if (options.interrupted()) {
      result.interrupted = true;
      break;
    }
    // Once one has ended badly the others would wait for it for ever.
    if (children.empty() || !failure.empty() || !bad_end.empty())
      break;
    if (clock.now() > options.patience) {
      failure = "the ranks did not finish in time";
      break;
    }
  }
  children.kill_all();
  pipe.drain(take);
  result.failure = failure.empty() ? bad_end : failure;
  return result;
}

}  // namespace trainwright::executor
