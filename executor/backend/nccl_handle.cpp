// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/nccl_handle.hpp"

#include "executor/cuda/device_error.hpp"
#include "executor/cuda/patience.hpp"
#include "model/units/format.hpp"

namespace trainwright::executor {
namespace {

// Members leave at nearly the same time, after a barrier.
constexpr std::chrono::seconds kLeave{5};

}  // namespace

NcclHandle::~NcclHandle() {
  close();
}

void NcclHandle::fail(const std::string& what, const std::string& why) const {
  throw CommunicationError(what + " in " + group_ + ": " + why);
}

void NcclHandle::create(const char* call, const std::function<ApiResult(ApiCommunicator*&)>& create) {
  ApiResult result;
  {
    const std::lock_guard lock(mutex_);
    if (aborted_)
      fail("joining", "aborted");
    result = create(handle_);
  }
  settle("joining", call, result);
}

void NcclHandle::split_from(NcclHandle& parent, int color, int key) {
  parent.run("splitting off " + group_, "ncclCommSplit",
             [&](ApiCommunicator* communicator) { return api_.nccl->split(communicator, color, key, split_off_); });
  if (color != kNcclNoColor)
    create("ncclCommSplit", [&](ApiCommunicator*& communicator) {
      communicator = split_off_;
      return ApiResult{ApiLibrary::nccl, kNcclInProgress};
    });
}

void NcclHandle::run(const std::string& what, const char* call,
                     const std::function<ApiResult(ApiCommunicator*)>& action) {
  ApiResult result;
  {
    const std::lock_guard lock(mutex_);
    if (handle_ == nullptr)
      fail(what, "aborted");
    result = action(handle_);
  }
  settle(what, call, result);
}

ApiResult NcclHandle::state(const std::string& what, const char* call) {
  const std::lock_guard lock(mutex_);
  if (handle_ == nullptr)
    fail(what, "aborted");
  ApiResult state{ApiLibrary::nccl, 0};
  const ApiResult asked = api_.nccl->async_error(handle_, state);
  if (!asked.ok())
    fail(what, "ncclCommGetAsyncError: " + text_of(api_, asked));
  if (!state.ok() && state.code != kNcclInProgress)
    fail(what, std::string(call) + ": " + text_of(api_, state));
  return state;
}

void NcclHandle::settle(const std::string& what, const char* call, ApiResult result) {
  if (!result.ok() && result.code != kNcclInProgress)
    fail(what, std::string(call) + ": " + text_of(api_, result));
  if (result.ok())
    return;
  const Patience patience(timeout_);
  while (state(what, call).code == kNcclInProgress) {
    if (patience.is_exhausted())
      fail(what, std::string(call) + ": not all members have come within " +
                     model::format(model::Seconds(std::chrono::duration<double>(timeout_).count())));
    patience.pause();
  }
}

void NcclHandle::check() {
  {
    const std::lock_guard lock(mutex_);
    if (handle_ == nullptr && !aborted_)
      return;  // closed
  }
  static_cast<void>(state("an operation", "NCCL"));
}

void NcclHandle::abort() noexcept {
  aborted_ = true;
  const std::lock_guard lock(mutex_);
  if (handle_ != nullptr)
    static_cast<void>(api_.nccl->abort(handle_));
  handle_ = nullptr;
}

void NcclHandle::close() noexcept {
  const std::lock_guard lock(mutex_);
  if (handle_ == nullptr)
    return;
  ApiResult state = api_.nccl->finalize(handle_);
  const Patience patience(kLeave);
  while (state.code == kNcclInProgress && !patience.is_exhausted()) {
    patience.pause();
    if (const ApiResult asked = api_.nccl->async_error(handle_, state); !asked.ok())
      state = asked;
  }
  static_cast<void>(state.ok() ? api_.nccl->destroy(handle_) : api_.nccl->abort(handle_));
  handle_ = nullptr;
}

}  // namespace trainwright::executor
