// SPDX-License-Identifier: Apache-2.0
#include "executor/session/stream_session.hpp"

#include <pthread.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

constexpr SteadyNs kSecond = 1'000'000'000;

void sleep_until(SteadyNs moment) {
  const timespec when{static_cast<time_t>(moment / kSecond), static_cast<long>(moment % kSecond)};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) == EINTR)
    continue;
}

// A counter that threads sleep on. On a cache line of its own: each belongs to one waiting thread.
struct alignas(64) Bell {
  std::atomic<std::uint32_t> rings{0};
  void ring() {
    rings.fetch_add(1, std::memory_order_release);
    rings.notify_all();
  }
  /// Returns when `done()` holds; it is asked again after each ring.
  template <class Done>
  void wait(Done done) {
    while (true) {
      const std::uint32_t seen = rings.load(std::memory_order_acquire);
      if (done())
        return;
      rings.wait(seen, std::memory_order_acquire);
    }
  }
};

}  // namespace

SteadyNs steady_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<SteadyNs>(now.tv_sec) * kSecond + now.tv_nsec;
}

class StreamSession::Streams {
 public:
  Streams(StreamSchedule schedule, TaskRunner& runner)
      : schedule_(std::move(schedule)),
        runner_(&runner),
        open_(schedule_.task_count()),
        bells_(schedule_.lanes().size()) {
    for (std::size_t lane = 0; lane < bells_.size(); ++lane)
      threads_.emplace_back([this, lane] { serve(lane); });
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    stop_ = true;
    ring_all();
    for (std::thread& thread : threads_)
      thread.join();
  }

  void run_step(SteadyNs start_at, std::vector<TaskStamp>& stamps) {
    TRAINWRIGHT_EXPECTS(!failed_, "the session has failed before");
    for (std::size_t i = 0; i < open_.size(); ++i)
      open_[i].store(schedule_.waits(model::TaskId(i)), std::memory_order_relaxed);
    stamps.assign(schedule_.task_count(), {});
    stamps_ = &stamps;
    start_at_ = start_at;
    running_ = static_cast<std::uint32_t>(bells_.size());
    step_.fetch_add(1, std::memory_order_release);
    ring_all();
    done_.wait([&] { return running_.load(std::memory_order_acquire) == 0; });
    if (failed_)
      std::rethrow_exception(failure_);
  }

 private:
  void serve(std::size_t lane) {
    const std::string name = "tw-" + std::string(to_word(schedule_.lanes()[lane].stream)).substr(0, 12);
    ::pthread_setname_np(::pthread_self(), name.c_str());
    for (std::uint32_t step = 1;; ++step) {
      bells_[lane].wait([&] { return stop_ || step_.load(std::memory_order_acquire) >= step; });
      if (stop_)
        return;
      sleep_until(start_at_);
      run_lane(lane);
      if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        done_.ring();
    }
  }

  void run_lane(std::size_t lane) {
    for (const model::TaskId task : schedule_.lanes()[lane].tasks) {
      std::atomic<std::uint32_t>& open = open_[task.index()];
      bells_[lane].wait([&] { return open.load(std::memory_order_acquire) == 0 || failed_ || stop_; });
      if (failed_ || stop_)
        return;
      TaskStamp& stamp = (*stamps_)[task.index()];
      stamp.start = steady_now();
      try {
        runner_->run(task);
      } catch (...) {
        fail(std::current_exception());
        return;
      }
      stamp.end = steady_now();
      for (const model::TaskId next : schedule_.released_by(task))
        if (open_[next.index()].fetch_sub(1, std::memory_order_acq_rel) == 1)
          bells_[schedule_.lane_of(next)].ring();
    }
  }

  void fail(std::exception_ptr failure) {
    {
      const std::lock_guard lock(failure_mutex_);
      if (failed_)
        return;  // a consequence of the first
      failure_ = std::move(failure);
      failed_ = true;
    }
    runner_->abort();
    ring_all();
  }

  void ring_all() {
    for (Bell& bell : bells_)
      bell.ring();
  }

  StreamSchedule schedule_;
  TaskRunner* runner_;
  std::vector<std::atomic<std::uint32_t>> open_;  // by task: dependencies on other lanes that have not ended
  std::vector<Bell> bells_;                       // by lane
  Bell done_;
  std::vector<TaskStamp>* stamps_ = nullptr;
  SteadyNs start_at_ = 0;
  std::atomic<std::uint32_t> step_{0};
  std::atomic<std::uint32_t> running_{0};
  std::atomic<bool> stop_{false};
  std::atomic<bool> failed_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

StreamSession::StreamSession(StreamSchedule schedule, TaskRunner& runner)
    : streams_(std::make_unique<Streams>(std::move(schedule), runner)) {}
StreamSession::~StreamSession() = default;
void StreamSession::run_step(SteadyNs start_at, std::vector<TaskStamp>& stamps) {
  streams_->run_step(start_at, stamps);
}

}  // namespace trainwright::executor
