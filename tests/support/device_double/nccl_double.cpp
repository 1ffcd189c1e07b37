// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/nccl_double.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "tests/support/device_double/nccl_hub.hpp"
#include "tests/support/device_double/nccl_member.hpp"

namespace trainwright::executor {

// The handle that the executor holds; work on streams holds the member itself, which may outlive it.
struct ApiCommunicator {
  std::shared_ptr<test::NcclMember> member = std::make_shared<test::NcclMember>();
};

}  // namespace trainwright::executor

namespace trainwright::test {
namespace {

using executor::ApiCommunicator;
using executor::ApiLibrary;
using executor::ApiResult;
using executor::ApiStream;

constexpr ApiResult kDone{ApiLibrary::nccl, 0};
constexpr ApiResult kInProgress{ApiLibrary::nccl, executor::kNcclInProgress};

MemoryUse use_of(const float* data, std::size_t count, bool writes) {
  return {reinterpret_cast<const std::byte*>(data), count * sizeof(float), writes};
}

struct Message {
  NcclPart part;
  const float* source = nullptr;
  float* target = nullptr;
  ApiCommunicator* communicator = nullptr;
  ApiStream* stream = nullptr;
};

// Open group of the calling thread.
struct Group {
  int depth = 0;
  std::vector<Message> messages;
};
Group& open_group() {
  thread_local Group group;
  return group;
}

class NcclDouble final : public executor::NcclApi {
 public:
  explicit NcclDouble(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> versions() override { return {{"nccl", "double"}}; }

  [[nodiscard]] std::string text(int code) override {
    const std::lock_guard lock(mutex_);
    std::string words;
    for (ApiCommunicator* communicator : communicators_)
      if (communicator->member->state() == code && !communicator->member->words().empty())
        words = ": " + communicator->member->words();
    switch (code) {
      case 2:
        return "unhandled system error" + words;
      case kNcclInvalidUsage:
        return "invalid usage" + words;
      case executor::kNcclRemoteError:
        return "remote process exited or there was a network error" + words;
      case kMisuse:
        return state_->last_misuse();
      default:
        return "error" + words;
    }
  }

  ApiResult unique_id(executor::NcclUniqueId& id) override {
    if (const Fault fault = state_->faults.next("ncclGetUniqueId"); fault.code != 0)
      return {ApiLibrary::nccl, fault.code};
    const std::lock_guard lock(mutex_);
    if (!hub_)
      hub_ = std::make_unique<NcclHub>();
    const std::uint16_t port = hub_->port();
    const std::uint32_t room = hub_->new_room();
    std::memcpy(id.data(), &port, sizeof port);
    std::memcpy(id.data() + sizeof port, &room, sizeof room);
    return kDone;
  }

  ApiResult init_rank(ApiCommunicator*& communicator, int ranks, const executor::NcclUniqueId& id, int rank) override {
    const Fault fault = state_->faults.next("ncclCommInitRankConfig");
    if (fault.kind == FaultKind::fail)
      return {ApiLibrary::nccl, fault.code};
    std::uint16_t port = 0;
    NcclHello hello{0, rank, ranks};
    std::memcpy(&port, id.data(), sizeof port);
    std::memcpy(&hello.room, id.data() + sizeof port, sizeof hello.room);
    communicator = add();
    if (fault.kind == FaultKind::hang)
      communicator->member->set_state(executor::kNcclInProgress);
    else
      communicator->member->enter(port, hello);
    return kInProgress;
  }

  // As NCCL does, the new handle is written when the parent has settled, not before.
  ApiResult split(ApiCommunicator* parent, int color, int key, ApiCommunicator*& communicator) override {
    const Fault fault = state_->faults.next("ncclCommSplit");
    if (fault.kind == FaultKind::fail)
      return {ApiLibrary::nccl, fault.code};
    if (const int wrong = objection("ncclCommSplit", parent); wrong != 0)
      return {ApiLibrary::nccl, wrong};
    NcclMember* const member = parent->member.get();  // waits for its background before it goes
    member->run_in_background([this, member, color, key, fault, &communicator] {
      if (fault.kind == FaultKind::hang)
        return member->hang();
      NcclQuestion question;
      question.request.op = NcclOp::split;
      question.request.color = color;
      question.request.key = key;
      NcclAnswer answer;
      if (!member->ask(question, answer))
        return;
      if (answer.reply.size > 0) {
        ApiCommunicator* const child = add();
        child->member->enter(member->port(), {answer.reply.room, answer.reply.rank, answer.reply.size});
        communicator = child;
      }
      member->set_state(0);
    });
    return kInProgress;
  }

  ApiResult async_error(ApiCommunicator* communicator, ApiResult& state) override {
    if (!knows(communicator))
      return misuse("ncclCommGetAsyncError: not a communicator, or destroyed before");
    state = {ApiLibrary::nccl, communicator->member->state()};
    return kDone;
  }

  ApiResult finalize(ApiCommunicator* communicator) override {
    if (const int wrong = objection("ncclCommFinalize", communicator); wrong != 0)
      return {ApiLibrary::nccl, wrong};
    NcclMember* const member = communicator->member.get();
    member->run_in_background([member] {
      NcclQuestion question;
      question.request.op = NcclOp::goodbye;
      NcclAnswer answer;
      if (member->ask(question, answer))
        member->set_state(0);
    });
    return kInProgress;
  }

  ApiResult destroy(ApiCommunicator* communicator) override {
    if (!knows(communicator))
      return misuse("ncclCommDestroy: not a communicator, or destroyed before");
    if (!communicator->member->registered.empty())
      misuse("ncclCommDestroy: a buffer is still registered");
    remove(communicator);
    return kDone;
  }

  ApiResult abort(ApiCommunicator* communicator) override {
    if (!knows(communicator))
      return misuse("ncclCommAbort: not a communicator, or destroyed before");
    communicator->member->abort();
    remove(communicator);
    return kDone;
  }

  ApiResult register_buffer(ApiCommunicator* communicator, void* buffer, std::size_t bytes, void*& handle) override {
    if (const int wrong = objection("ncclCommRegister", communicator); wrong != 0)
      return {ApiLibrary::nccl, wrong};
    if (const std::string wrong = state_->memory.objection(buffer, bytes); !wrong.empty())
      return misuse("ncclCommRegister: " + wrong);
    handle = buffer;
    communicator->member->registered.insert(handle);
    return kDone;
  }
  ApiResult deregister_buffer(ApiCommunicator* communicator, void* handle) override {
    if (!knows(communicator) || communicator->member->registered.erase(handle) == 0)
      return misuse("ncclCommDeregister: not registered there");
    return kDone;
  }

  ApiResult group_start() override {
    ++open_group().depth;
    return kDone;
  }

  ApiResult group_end() override {
    Group& group = open_group();
    if (group.depth == 0)
      return misuse("ncclGroupEnd: no group was started");
    if (--group.depth > 0)
      return kDone;
    const std::vector<Message> messages = std::move(group.messages);
    group.messages.clear();
    return launch(messages);
  }

  ApiResult all_reduce(float* data, std::size_t count, ApiCommunicator* communicator, ApiStream* stream) override {
    return collective("ncclAllReduce", NcclOp::all_reduce, {data, count}, {data, count}, count, 0, communicator,
                      stream);
  }
  ApiResult all_gather(float* data, std::size_t block, ApiCommunicator* communicator, ApiStream* stream) override {
    if (!knows(communicator))
      return misuse("ncclAllGather: not a communicator, or destroyed before");
    const auto rank = static_cast<std::size_t>(communicator->member->hello().rank);
    const auto size = static_cast<std::size_t>(communicator->member->hello().size);
    return collective("ncclAllGather", NcclOp::all_gather, {data + rank * block, block}, {data, size * block}, block, 0,
                      communicator, stream);
  }
  ApiResult reduce_scatter(float* data, std::size_t block, ApiCommunicator* communicator, ApiStream* stream) override {
    if (!knows(communicator))
      return misuse("ncclReduceScatter: not a communicator, or destroyed before");
    const auto rank = static_cast<std::size_t>(communicator->member->hello().rank);
    const auto size = static_cast<std::size_t>(communicator->member->hello().size);
    return collective("ncclReduceScatter", NcclOp::reduce_scatter, {data, size * block}, {data + rank * block, block},
                      block, 0, communicator, stream);
  }
  ApiResult broadcast(float* data, std::size_t count, int root, ApiCommunicator* communicator,
                      ApiStream* stream) override {
    return collective("ncclBroadcast", NcclOp::broadcast, {data, count}, {data, count}, count, root, communicator,
                      stream);
  }
  ApiResult reduce(float* data, std::size_t count, int root, ApiCommunicator* communicator,
                   ApiStream* stream) override {
    return collective("ncclReduce", NcclOp::reduce, {data, count}, {data, count}, count, root, communicator, stream);
  }

  ApiResult send(const float* data, std::size_t count, int peer, ApiCommunicator* communicator,
                 ApiStream* stream) override {
    return message("ncclSend", {{1, peer, count}, data, nullptr, communicator, stream});
  }
  ApiResult receive(float* data, std::size_t count, int peer, ApiCommunicator* communicator,
                    ApiStream* stream) override {
    return message("ncclRecv", {{0, peer, count}, nullptr, data, communicator, stream});
  }

 private:
  ApiResult misuse(const std::string& text) { return {ApiLibrary::nccl, state_->misuse(text)}; }

  ApiCommunicator* add() {
    const std::lock_guard lock(mutex_);
    owners_.push_back(std::make_unique<ApiCommunicator>());
    communicators_.push_back(owners_.back().get());
    return owners_.back().get();
  }
  void remove(ApiCommunicator* communicator) {
    std::unique_ptr<ApiCommunicator> removed;
    const std::lock_guard lock(mutex_);
    std::erase(communicators_, communicator);
    for (auto& owner : owners_)
      if (owner.get() == communicator)
        removed = std::move(owner);
    std::erase(owners_, nullptr);
  }
  bool knows(ApiCommunicator* communicator) {
    const std::lock_guard lock(mutex_);
    return std::find(communicators_.begin(), communicators_.end(), communicator) != communicators_.end();
  }

  // 0, or why no call may be made on it now.
  int objection(const char* call, ApiCommunicator* communicator) {
    if (!knows(communicator))
      return state_->misuse(std::string(call) + ": not a communicator, or destroyed before");
    const int state = communicator->member->state();
    if (state == executor::kNcclInProgress)
      return state_->misuse(std::string(call) + ": an earlier call is still in progress");
    return state;
  }

  // The first call of a communicator is in progress for a while, as where connections are made on demand. Asked before
  // the work is queued, which may fail at once.
  static ApiResult taken_in(NcclMember& member) {
    if (std::exchange(member.was_used, true))
      return kDone;
    member.run_in_background([&member] {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      member.settle();
    });
    return kInProgress;
  }

  ApiResult collective(const char* call, NcclOp op, std::span<const float> in, std::span<float> out, std::size_t count,
                       int root, ApiCommunicator* communicator, ApiStream* stream) {
    const Fault fault = state_->faults.next(call);
    if (fault.kind == FaultKind::fail)
      return {ApiLibrary::nccl, fault.code};
    if (const int wrong = objection(call, communicator); wrong != 0)
      return {ApiLibrary::nccl, wrong};
    if (open_group().depth > 0)
      return misuse(std::string(call) + ": collectives are not grouped here");
    const std::shared_ptr<NcclMember> member = communicator->member;
    const ApiResult taken = taken_in(*member);
    const int queued =
        state_->queue(call, stream, {use_of(in.data(), in.size(), false), use_of(out.data(), out.size(), true)}, [=] {
          NcclQuestion question;
          question.request.op = op;
          question.request.count = count;
          question.request.root = root;
          question.values.assign(in.begin(), in.end());
          run(*member, fault, question,
              [out](const std::vector<float>& values) { std::copy(values.begin(), values.end(), out.begin()); });
        });
    return queued != 0 ? ApiResult{ApiLibrary::nccl, queued} : taken;
  }

  static void run(NcclMember& member, const Fault& fault, const NcclQuestion& question,
                  const std::function<void(const std::vector<float>&)>& deliver) {
    if (fault.kind == FaultKind::async)
      member.fail(fault.code, "");
    if (fault.kind == FaultKind::async || fault.kind == FaultKind::hang)
      return member.hang();
    NcclAnswer answer;
    if (!member.ask(question, answer))
      return;
    if (fault.kind == FaultKind::wrong && !answer.values.empty())
      answer.values[answer.values.size() / 2] += 1.0F;
    deliver(answer.values);
  }

  ApiResult message(const char* call, const Message& message) {
    const Fault fault = state_->faults.next(call);
    if (fault.kind == FaultKind::fail)
      return {ApiLibrary::nccl, fault.code};
    if (const int wrong = objection(call, message.communicator); wrong != 0)
      return {ApiLibrary::nccl, wrong};
    if (open_group().depth == 0)
      return launch({message}, fault);
    open_group().messages.push_back(message);
    return kDone;
  }

  ApiResult launch(const std::vector<Message>& messages, const Fault& fault = {}) {
    if (messages.empty())
      return kDone;
    std::vector<MemoryUse> uses;
    for (const Message& one : messages) {
      if (one.communicator != messages.front().communicator || one.stream != messages.front().stream)
        return misuse("ncclGroupEnd: a group of several communicators or streams is not used here");
      uses.push_back(one.source != nullptr ? use_of(one.source, one.part.count, false)
                                           : use_of(one.target, one.part.count, true));
    }
    const std::shared_ptr<NcclMember> member = messages.front().communicator->member;
    const ApiResult taken = taken_in(*member);
    const int queued = state_->queue("ncclGroupEnd", messages.front().stream, uses, [=] {
      NcclQuestion question;
      question.request.op = NcclOp::point_to_point;
      for (const Message& one : messages) {
        question.parts.push_back(one.part);
        if (one.source != nullptr)
          question.values.insert(question.values.end(), one.source, one.source + one.part.count);
      }
      run(*member, fault, question, [&](const std::vector<float>& values) {
        auto from = values.begin();
        for (const Message& one : messages)
          if (one.target != nullptr) {
            std::copy_n(from, one.part.count, one.target);
            from += static_cast<std::ptrdiff_t>(one.part.count);
          }
      });
    });
    return queued != 0 ? ApiResult{ApiLibrary::nccl, queued} : taken;
  }

  std::shared_ptr<DeviceState> state_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ApiCommunicator>> owners_;
  std::vector<ApiCommunicator*> communicators_;
  std::unique_ptr<NcclHub> hub_;
};

}  // namespace

std::shared_ptr<executor::NcclApi> make_nccl_double(std::shared_ptr<DeviceState> state) {
  return std::make_shared<NcclDouble>(std::move(state));
}

}  // namespace trainwright::test
