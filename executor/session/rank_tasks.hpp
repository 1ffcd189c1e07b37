// The tasks of one rank on real resources: collectives and messages through the backend, compute through the engine,
// files through HostIo. In verification each communication task fills its buffer before and checks it after.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "executor/backend/backend.hpp"
#include "executor/session/communication_plan.hpp"
#include "executor/session/compute_engine.hpp"
#include "executor/session/host_io.hpp"
#include "executor/session/stream_session.hpp"
#include "executor/session/task_timeline.hpp"

namespace trainwright::executor {

/// A collective or message delivered wrong data.
class VerificationError : public model::EnvironmentError {
 public:
  using EnvironmentError::EnvironmentError;
};

class RankTasks final : public TaskRunner {
 public:
  /// Joins all groups (all ranks of the job must do so at the same time) and allocates all buffers. The references must
  /// outlive the object. Throws EnvironmentError.
  /// `timeline` is null where tasks end with their calls.
  RankTasks(const model::ExecutionGraph& graph, model::RankId rank, Backend& backend, ComputeEngine& engine,
            HostIo& host_io, TaskTimeline* timeline);

  /// Between steps. After verification buffers are set to zero, which keeps sums of later steps finite.
  void begin_verification();
  void end_verification();
  /// Around each step.
  void begin_step();
  /// Waits until every task has ended. `stamps` hold when the calls were made, and then when the tasks ran.
  void finish_step(std::vector<TaskStamp>& stamps);

  /// Throws CommunicationError, VerificationError or EnvironmentError, naming rank and task.
  void run(model::TaskId task) override;
  void abort() noexcept override;

 private:
  void run_collective(const model::Task& task, const model::CollectiveWork& work, const TaskCommunication& what);
  void run_transfer(const model::Task& task, const model::TransferWork& work, const TaskCommunication& what);
  void run_work(model::TaskId id, const model::Task& task);
  void write_pattern(Buffer& buffer, std::size_t elements, int index, std::uint32_t salt);
  [[nodiscard]] static std::vector<float> values_of(Buffer& buffer, std::size_t elements);
  [[nodiscard]] Buffer& buffer(model::Stream stream) { return *buffers_[static_cast<std::size_t>(stream)]; }
  [[nodiscard]] Buffer& output(model::Stream stream) { return *outputs_[static_cast<std::size_t>(stream)]; }

  const model::Program* program_;
  model::RankId rank_;
  Backend* backend_;
  ComputeEngine* engine_;
  HostIo* host_io_;
  TaskTimeline* timeline_;
  CommunicationPlan plan_;
  // By stream. Below, the communicators: they end before the memory that they use.
  std::vector<std::unique_ptr<Buffer>> buffers_;
  std::vector<std::unique_ptr<Buffer>> outputs_;
  std::vector<std::unique_ptr<Communicator>> communicators_;  // by group
  bool verifying_ = false;
};

}  // namespace trainwright::executor
