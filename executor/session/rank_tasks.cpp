// SPDX-License-Identifier: Apache-2.0
#include "executor/session/rank_tasks.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "executor/verify/pattern.hpp"

namespace trainwright::executor {
namespace {

using model::CollectiveKind;

}  // namespace

RankTasks::RankTasks(const model::ExecutionGraph& graph, model::RankId rank, Backend& backend, ComputeEngine& engine,
                     HostIo& host_io)
    : program_(&graph.program_of_rank(rank)),
      rank_(rank),
      backend_(&backend),
      engine_(&engine),
      host_io_(&host_io),
      plan_(graph, rank) {
  try {
    for (std::size_t i = 0; i < model::kStreamCount; ++i) {
      buffers_.emplace_back(plan_.buffer_elements(static_cast<model::Stream>(i)), 0.0F);
      outputs_.emplace_back(plan_.output_elements(static_cast<model::Stream>(i)), 0.0F);
    }
  } catch (const std::bad_alloc&) {
    throw model::EnvironmentError("no memory for communication buffers of " + std::to_string(plan_.memory_bytes()) +
                                  " bytes");
  }
  for (const GroupOptions& group : plan_.groups())
    communicators_.push_back(backend.join(group));
}

void RankTasks::begin_verification() {
  verifying_ = true;
}

void RankTasks::end_verification() {
  verifying_ = false;
  for (std::vector<float>& buffer : buffers_)
    std::fill(buffer.begin(), buffer.end(), 0.0F);
}

void RankTasks::abort() noexcept {
  backend_->abort();
}

Elements RankTasks::buffer(model::Stream stream, std::size_t elements) {
  return Elements(buffers_[static_cast<std::size_t>(stream)]).first(elements);
}

Elements RankTasks::output(model::Stream stream, std::size_t elements) {
  return Elements(outputs_[static_cast<std::size_t>(stream)]).first(elements);
}

void RankTasks::run(model::TaskId id) {
  const model::Task& task = program_->tasks[id.index()];
  const auto& communication = plan_.of(id);
  const auto where = [&] {
    return "rank " + std::to_string(rank_.value()) + ", task " + std::to_string(id.value()) + " (" + to_text(task) +
           "): ";
  };
  try {
    if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work)) {
      if (communication)
        run_collective(task, *collective, *communication);
    } else if (const auto* transfer = std::get_if<model::TransferWork>(&task.work)) {
      run_transfer(task, *transfer, *communication);
    } else if (const auto* io = std::get_if<model::HostIoWork>(&task.work)) {
      host_io_->run(*io);
    } else {
      engine_->run(task);
    }
  } catch (const CommunicationError& error) {
    throw CommunicationError(where() + error.what());
  } catch (const VerificationError& error) {
    throw VerificationError(where() + error.what());
  } catch (const model::EnvironmentError& error) {
    throw model::EnvironmentError(where() + error.what());
  }
}

void RankTasks::run_collective(const model::Task& task, const model::CollectiveWork& work,
                               const TaskCommunication& what) {
  Communicator& communicator = *communicators_[what.group];
  const GroupOptions& group = plan_.groups()[what.group];
  const Elements data = buffer(task.stream, what.elements);
  Elements result = data;
  if (verifying_)
    fill(data, group.own_index, what.salt);
  switch (work.kind) {
    case CollectiveKind::all_reduce:
      communicator.all_reduce(data);
      break;
    case CollectiveKind::all_gather:
      communicator.all_gather(data);
      break;
    case CollectiveKind::reduce_scatter:
      communicator.reduce_scatter(data);
      break;
    case CollectiveKind::broadcast:
      communicator.broadcast(data, 0);
      break;
    case CollectiveKind::reduce:
      communicator.reduce(data, 0);
      break;
    case CollectiveKind::all_to_all:
      result = output(task.stream, what.elements);
      communicator.all_to_all(data, result);
      break;
    case CollectiveKind::ring_shift:
      result = output(task.stream, what.elements);
      communicator.ring_shift(data, result);
      break;
  }
  if (!verifying_)
    return;
  const PatternKey key{static_cast<int>(group.members.size()), group.own_index, what.salt};
  if (const auto problem = check_collective(work.kind, result, key))
    throw VerificationError("wrong result in group " + group.name + ": " + *problem);
}

void RankTasks::run_transfer(const model::Task& task, const model::TransferWork& work, const TaskCommunication& what) {
  Communicator& communicator = *communicators_[what.group];
  const GroupOptions& group = plan_.groups()[what.group];
  const Elements data = buffer(task.stream, what.elements);
  if (work.is_send) {
    if (verifying_)
      fill(data, group.own_index, what.salt);
    communicator.send(data, what.peer, work.tag);
    return;
  }
  communicator.receive(data, what.peer, work.tag);
  if (!verifying_)
    return;
  if (const auto problem = check_message(data, what.peer, what.salt))
    throw VerificationError("wrong data from rank " +
                            std::to_string(group.members[static_cast<std::size_t>(what.peer)].value()) + ": " +
                            *problem);
}

}  // namespace trainwright::executor
