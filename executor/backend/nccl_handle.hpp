// One NCCL communicator, which any thread may abort while others use it. Every use holds a lock, which is short because
// communicators are non-blocking: a call starts something, and waiting is asking again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include "executor/backend/backend.hpp"
#include "executor/cuda/device_api.hpp"

namespace trainwright::executor {

class NcclHandle {
 public:
  /// `group` names it in messages: "group data-stream.data.0 (ranks 0, 1)". `give_up` is called before a failure is
  /// thrown: it aborts whatever else is in progress, since giving memory back waits for the device.
  NcclHandle(const DeviceApi& api, std::string group, std::chrono::milliseconds timeout, std::function<void()> give_up)
      : api_(api), group_(std::move(group)), timeout_(timeout), give_up_(std::move(give_up)) {}
  NcclHandle(const NcclHandle&) = delete;
  NcclHandle& operator=(const NcclHandle&) = delete;
  ~NcclHandle();

  /// Makes the communicator: `create` starts it, and this waits until it is there, at most the time-out.
  void create(const char* call, const std::function<ApiResult(ApiCommunicator*&)>& create);
  /// Makes the communicator as the part of `parent` whose members pass the same color; every member of `parent` calls
  /// this. With kNcclNoColor there is none.
  void split_from(NcclHandle& parent, int color, int key);
  /// Runs a call on the communicator and waits until NCCL has taken it in (the work itself is queued). `what` is the
  /// operation as people know it. Throws CommunicationError where others may be the cause (time-out, a member gone,
  /// aborted), EnvironmentError where it failed here.
  void run(const std::string& what, const char* call, const std::function<ApiResult(ApiCommunicator*)>& action);
  /// Throws the same when something failed in the background.
  void check();
  /// Ends everything in progress; later uses throw. From any thread, also more than once.
  void abort() noexcept;
  /// Leaves the communicator in an orderly way when the others do; aborts it when they do not within a moment.
  void close() noexcept;

  [[nodiscard]] const std::string& group() const { return group_; }
  [[nodiscard]] std::chrono::milliseconds timeout() const { return timeout_; }

 private:
  /// kNcclInProgress or success; throws on a failure.
  ApiResult state(const std::string& what, const char* call);
  void settle(const std::string& what, const char* call, ApiResult result);
  /// Not called under the lock. `failure` is NCCL's, or a success when it did not fail itself.
  [[noreturn]] void fail(const std::string& what, const std::string& why, ApiResult failure = {}) const;

  DeviceApi api_;
  std::string group_;
  std::chrono::milliseconds timeout_;
  std::function<void()> give_up_;
  std::mutex mutex_;
  ApiCommunicator* handle_ = nullptr;
  ApiCommunicator* split_off_ = nullptr;  // written by NCCL in the background, until the parent has settled
  std::atomic<bool> aborted_{false};
};

}  // namespace trainwright::executor
