// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/nccl_handle.hpp"

#include <optional>

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

void NcclHandle::fail(const std::string& what, const std::string& why, ApiResult failure) const {
  give_up_();
  const std::string text = what + " in " + group_ + ": " + why;
  if (failure.ok() || failure.code == kNcclRemoteError)
    throw CommunicationError(text);
  throw model::EnvironmentError(text);
}

void NcclHandle::create(const char* call, const std::function<ApiResult(ApiCommunicator*&)>& create) {
  std::optional<ApiResult> result;
  {
    const std::lock_guard lock(mutex_);
    if (!aborted_)
      result = create(handle_);
  }
  if (!result)
    fail("joining", "aborted");
  settle("joining", call, *result);
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
  std::optional<ApiResult> result;
  {
    const std::lock_guard lock(mutex_);
    if (handle_ != nullptr)
      result = action(handle_);
  }
  if (!result)
    fail(what, "aborted");
  settle(what, call, *result);
}

ApiResult NcclHandle::state(const std::string& what, const char* call) {
  ApiResult asked{ApiLibrary::nccl, 0};
  ApiResult state{ApiLibrary::nccl, 0};
  bool is_aborted = false;
  std::string words;  // of this communicator, while it is there
  {
    const std::lock_guard lock(mutex_);
    is_aborted = handle_ == nullptr;
    if (!is_aborted)
      asked = api_.nccl->async_error(handle_, state);
    if (!asked.ok())
      words = "ncclCommGetAsyncError: " + text_of(api_, asked);
    else if (!state.ok() && state.code != kNcclInProgress)
      words = std::string(call) + ": " + text_of(api_, state);
  }
  if (is_aborted)
    fail(what, "aborted");
  if (!words.empty())
    fail(what, words, asked.ok() ? state : asked);
  return state;
}

void NcclHandle::settle(const std::string& what, const char* call, ApiResult result) {
  if (!result.ok() && result.code != kNcclInProgress)
    fail(what, std::string(call) + ": " + text_of(api_, result), result);
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
