// SPDX-License-Identifier: Apache-2.0
#include "executor/device/device_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "executor/cuda/device_error.hpp"
#include "executor/cuda/owners.hpp"
#include "executor/cuda/patience.hpp"
#include "model/units/format.hpp"

namespace trainwright::executor {
namespace {

using model::TaskId;

bool communicates(const model::Task& task) {
  return std::holds_alternative<model::CollectiveWork>(task.work) ||
         std::holds_alternative<model::TransferWork>(task.work);
}

// A moment that both clocks know.
struct CommonMoment {
  explicit CommonMoment(const DeviceApi& api) : event(api) {}
  Event event;
  SteadyNs host = 0;
};

class DeviceTimeline final : public TaskTimeline {
 public:
  DeviceTimeline(const model::Program& program, model::RankId rank, std::shared_ptr<const DeviceQueues> queues,
                 Backend& backend, std::chrono::milliseconds timeout)
      : program_(&program),
        rank_(rank),
        queues_(std::move(queues)),
        backend_(&backend),
        timeout_(timeout),
        schedule_(program),
        awaited_(program.tasks.size()),
        first_(queues_->api()),
        last_(queues_->api()) {
    for (std::size_t i = 0; i < program.tasks.size(); ++i) {
      starts_.emplace_back(queues_->api());
      ends_.emplace_back(queues_->api());
    }
    for (const model::Dependency& d : program.dependencies)
      if (schedule_.lane_of(d.before) != schedule_.lane_of(d.after))
        awaited_[d.after.index()].push_back(d.before);
  }

  void begin_step() override { meet(first_); }

  void begin(TaskId task) override {
    queues_->device().make_current();
    ApiStream* const stream = stream_of(task);
    for (const TaskId before : awaited_[task.index()])
      call("cudaStreamWaitEvent", cuda().wait(stream, ends_[before.index()].get()));
    call("cudaEventRecord", cuda().record(starts_[task.index()].get(), stream));
  }

  void wait_until_free(TaskId task) override {
    Patience patience(timeout_);
    while (!has_passed(starts_[task.index()])) {
      ask_backend({task});
      give_up_after(patience, {task});
      patience.pause();
    }
  }

  void end(TaskId task) override { call("cudaEventRecord", cuda().record(ends_[task.index()].get(), stream_of(task))); }

  void finish_step(std::vector<TaskStamp>& stamps) override {
    wait_for_all();
    meet(last_);
    // Clocks differ in rate too: the device's times are stretched to the host's.
    const double span = milliseconds(first_.event, last_.event);
    const double ns_per_ms = span > 0.0 ? static_cast<double>(last_.host - first_.host) / span : 1e6;
    const auto at = [&](const Event& event) -> SteadyNs {
      return first_.host + std::llround(milliseconds(first_.event, event) * ns_per_ms);
    };
    for (std::size_t i = 0; i < stamps.size(); ++i) {
      // Whatever the clocks say, a task does not start before it was given to its stream.
      stamps[i].start = std::max(stamps[i].start, at(starts_[i]));
      stamps[i].end = std::max(stamps[i].start, at(ends_[i]));
    }
  }

 private:
  [[nodiscard]] CudaApi& cuda() const { return *queues_->api().cuda; }
  void call(const char* name, ApiResult result) const { check(queues_->api(), name, result); }
  [[nodiscard]] ApiStream* stream_of(TaskId task) const { return queues_->of(program_->tasks[task.index()].stream); }

  [[nodiscard]] bool has_passed(const Event& event) const {
    const ApiResult result = cuda().query_event(event.get());
    if (result.code == kCudaNotReady)
      return false;
    call("cudaEventQuery", result);
    return true;
  }

  [[nodiscard]] double milliseconds(const Event& from, const Event& to) const {
    float value = 0.0F;
    call("cudaEventElapsedTime", cuda().elapsed(value, from.get(), to.get()));
    return static_cast<double>(value);
  }

  // The event passes between two looks at the host's clock; the closest pair of some tries says when. On a quiet
  // machine the first is close enough.
  void meet(CommonMoment& moment) const {
    constexpr int kTries = 50;
    constexpr SteadyNs kClose = 50'000;
    SteadyNs best = -1;
    CommonMoment trial(queues_->api());
    for (int i = 0; i < kTries && (best < 0 || best > kClose); ++i) {
      const SteadyNs before = steady_now();
      call("cudaEventRecord", cuda().record(trial.event.get(), queues_->of(std::nullopt)));
      const Patience patience(timeout_);
      while (!has_passed(trial.event)) {
        give_up_after(patience, {});
        std::this_thread::yield();
      }
      const SteadyNs after = steady_now();
      if (best >= 0 && after - before >= best)
        continue;
      best = after - before;
      trial.host = before + best / 2;
      std::swap(moment, trial);
    }
  }

  // Streams are looked at in program order; the host sleeps more and more between looks.
  void wait_for_all() {
    const std::vector<Lane>& lanes = schedule_.lanes();
    std::vector<std::size_t> next(lanes.size(), 0);
    Patience patience(timeout_);
    while (true) {
      std::vector<TaskId> waiting;
      bool has_moved = false;
      for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const std::vector<TaskId>& tasks = lanes[lane].tasks;
        for (; next[lane] < tasks.size() && has_passed(ends_[tasks[next[lane]].index()]); ++next[lane])
          has_moved = true;
        if (next[lane] < tasks.size())
          waiting.push_back(tasks[next[lane]]);
      }
      ask_backend(waiting);
      if (waiting.empty())
        return;
      if (has_moved)
        patience.renew();
      give_up_after(patience, waiting);
      patience.pause();
    }
  }

  void ask_backend(const std::vector<TaskId>& waiting) const {
    try {
      backend_->check();
    } catch (const CommunicationError& error) {
      throw CommunicationError(place_of(waiting) + error.what());
    } catch (const model::EnvironmentError& error) {
      throw model::EnvironmentError(place_of(waiting) + error.what());
    }
  }

  void give_up_after(const Patience& patience, const std::vector<TaskId>& waiting) const {
    if (patience.is_exhausted())
      throw CommunicationError(place_of(waiting) + "not done after " +
                               model::format(model::Seconds(std::chrono::duration<double>(timeout_).count())));
  }

  // The task to name: communication that has started and not ended, else whatever has started.
  [[nodiscard]] std::string place_of(const std::vector<TaskId>& waiting) const {
    std::string text = "rank " + std::to_string(rank_.value()) + ", ";
    std::optional<TaskId> found;
    for (const TaskId task : waiting) {
      const bool better =
          !found || (communicates(program_->tasks[task.index()]) && !communicates(program_->tasks[found->index()]));
      if (better && has_passed(starts_[task.index()]))
        found = task;
    }
    if (!found && !waiting.empty())
      found = waiting.front();
    return found ? text + "task " + std::to_string(found->value()) + " (" + to_text(program_->tasks[found->index()]) +
                       "): "
                 : text;
  }

  const model::Program* program_;
  model::RankId rank_;
  std::shared_ptr<const DeviceQueues> queues_;
  Backend* backend_;
  std::chrono::milliseconds timeout_;
  StreamSchedule schedule_;
  std::vector<std::vector<TaskId>> awaited_;  // by task: those of other streams
  std::vector<Event> starts_;
  std::vector<Event> ends_;
  CommonMoment first_;
  CommonMoment last_;
};

}  // namespace

std::unique_ptr<TaskTimeline> make_device_timeline(const model::Program& program, model::RankId rank,
                                                   std::shared_ptr<const DeviceQueues> queues, Backend& backend,
                                                   std::chrono::milliseconds timeout) {
  return std::make_unique<DeviceTimeline>(program, rank, std::move(queues), backend, timeout);
}

}  // namespace trainwright::executor
