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
  RankTasks(const model::ExecutionGraph& graph, model::RankId rank, Backend& backend, ComputeEngine& engine,
            HostIo& host_io);

  /// Between steps. After verification buffers are set to zero, which keeps sums of later steps finite.
  void begin_verification();
  void end_verification();

  /// Throws CommunicationError, VerificationError or EnvironmentError, naming rank and task.
  void run(model::TaskId task) override;
  void abort() noexcept override;

 private:
  void run_collective(const model::Task& task, const model::CollectiveWork& work, const TaskCommunication& what);
  void run_transfer(const model::Task& task, const model::TransferWork& work, const TaskCommunication& what);
  [[nodiscard]] Elements buffer(model::Stream stream, std::size_t elements);
  [[nodiscard]] Elements output(model::Stream stream, std::size_t elements);

  const model::Program* program_;
  model::RankId rank_;
  Backend* backend_;
  ComputeEngine* engine_;
  HostIo* host_io_;
  CommunicationPlan plan_;
  std::vector<std::unique_ptr<Communicator>> communicators_;  // by group
  std::vector<std::vector<float>> buffers_;                   // by stream
  std::vector<std::vector<float>> outputs_;                   // by stream
  bool verifying_ = false;
};

}  // namespace trainwright::executor
