// SPDX-License-Identifier: Apache-2.0
#include "executor/session/rank_tasks.hpp"

#include <string>

#include "executor/verify/pattern.hpp"

namespace trainwright::executor {
namespace {

using model::CollectiveKind;

}  // namespace

RankTasks::RankTasks(const model::ExecutionGraph& graph, model::RankId rank, Backend& backend, ComputeEngine& engine,
                     HostIo& host_io, TaskTimeline* timeline)
    : program_(&graph.program_of_rank(rank)),
      rank_(rank),
      backend_(&backend),
      engine_(&engine),
      host_io_(&host_io),
      timeline_(timeline),
      plan_(graph, rank) {
  for (std::size_t i = 0; i < model::kStreamCount; ++i) {
    const auto stream = static_cast<model::Stream>(i);
    buffers_.push_back(backend.allocate(stream, plan_.buffer_elements(stream)));
    outputs_.push_back(backend.allocate(stream, plan_.output_elements(stream)));
  }
  communicators_ = backend.split(plan_.groups(), plan_.rounds());
  for (std::size_t group = 0; group < communicators_.size(); ++group)
    if (const auto stream = plan_.groups()[group].stream)
      for (Buffer* memory : {&buffer(*stream), &output(*stream)})
        if (!memory->elements().empty())
          communicators_[group]->announce(memory->elements());
}

void RankTasks::begin_verification() {
  verifying_ = true;
}

void RankTasks::end_verification() {
  verifying_ = false;
  for (const auto& memory : buffers_)
    memory->write(std::vector<float>(memory->elements().size(), 0.0F));
}

void RankTasks::begin_step() {
  if (timeline_ != nullptr)
    timeline_->begin_step();
}

void RankTasks::finish_step(std::vector<TaskStamp>& stamps) {
  if (timeline_ == nullptr)
    return;
  try {
    timeline_->finish_step(stamps);
  } catch (...) {
    backend_->abort();
    throw;
  }
}

void RankTasks::abort() noexcept {
  backend_->abort();
}

void RankTasks::write_pattern(Buffer& memory, std::size_t elements, int index, std::uint32_t salt) {
  std::vector<float> values(elements);
  fill(values, index, salt);
  memory.write(values);
}

std::vector<float> RankTasks::values_of(Buffer& memory, std::size_t elements) {
  std::vector<float> values(elements);
  memory.read(values);
  return values;
}

void RankTasks::run(model::TaskId id) {
  const model::Task& task = program_->tasks[id.index()];
  const auto where = [&] {
    return "rank " + std::to_string(rank_.value()) + ", task " + std::to_string(id.value()) + " (" + to_text(task) +
           "): ";
  };
  try {
    if (timeline_ != nullptr)
      timeline_->begin(id);
    run_work(id, task);
    if (timeline_ != nullptr)
      timeline_->end(id);
  } catch (const CommunicationError& error) {
    throw CommunicationError(where() + error.what());
  } catch (const VerificationError& error) {
    throw VerificationError(where() + error.what());
  } catch (const model::EnvironmentError& error) {
    throw model::EnvironmentError(where() + error.what());
  }
}

void RankTasks::run_work(model::TaskId id, const model::Task& task) {
  const auto& communication = plan_.of(id);
  if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work)) {
    if (communication)
      run_collective(task, *collective, *communication);
  } else if (const auto* transfer = std::get_if<model::TransferWork>(&task.work)) {
    run_transfer(task, *transfer, *communication);
  } else if (const auto* io = std::get_if<model::HostIoWork>(&task.work)) {
    if (timeline_ != nullptr)
      timeline_->wait_until_free(id);
    host_io_->run(*io);
  } else {
    engine_->run(task);
  }
}

void RankTasks::run_collective(const model::Task& task, const model::CollectiveWork& work,
                               const TaskCommunication& what) {
  Communicator& communicator = *communicators_[what.group];
  const GroupOptions& group = plan_.groups()[what.group];
  Buffer* result = &buffer(task.stream);
  const Elements data = result->elements().first(what.elements);
  if (verifying_)
    write_pattern(*result, what.elements, group.own_index, what.salt);
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
      result = &output(task.stream);
      communicator.all_to_all(data, result->elements().first(what.elements));
      break;
    case CollectiveKind::ring_shift:
      result = &output(task.stream);
      communicator.ring_shift(data, result->elements().first(what.elements));
      break;
  }
  if (!verifying_)
    return;
  const PatternKey key{static_cast<int>(group.members.size()), group.own_index, what.salt};
  if (const auto problem = check_collective(work.kind, values_of(*result, what.elements), key))
    throw VerificationError("wrong result in group " + group.name + ": " + *problem);
}

void RankTasks::run_transfer(const model::Task& task, const model::TransferWork& work, const TaskCommunication& what) {
  Communicator& communicator = *communicators_[what.group];
  const GroupOptions& group = plan_.groups()[what.group];
  Buffer& memory = buffer(task.stream);
  const Elements data = memory.elements().first(what.elements);
  if (work.is_send) {
    if (verifying_)
      write_pattern(memory, what.elements, group.own_index, what.salt);
    communicator.send(data, what.peer, work.tag);
    return;
  }
  communicator.receive(data, what.peer, work.tag);
  if (!verifying_)
    return;
  if (const auto problem = check_message(values_of(memory, what.elements), what.peer, what.salt))
    throw VerificationError("wrong data from rank " +
                            std::to_string(group.members[static_cast<std::size_t>(what.peer)].value()) + ": " +
                            *problem);
}

}  // namespace trainwright::executor
