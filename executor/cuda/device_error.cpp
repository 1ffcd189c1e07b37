// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/device_error.hpp"

namespace trainwright::executor {
namespace {

std::string words_of(const DeviceApi& api, ApiResult result) {
  switch (result.library) {
    case ApiLibrary::cuda:
      return api.cuda->text(result.code);
    case ApiLibrary::cublas:
      return api.math->text(result.code);
    case ApiLibrary::nccl:
      return api.nccl->text(result.code);
  }
  return "unknown";
}

}  // namespace

DeviceError::DeviceError(const std::string& call, int code, const std::string& text)
    : EnvironmentError(call + ": " + text), code_(code) {}

std::string text_of(const DeviceApi& api, ApiResult result) {
  return words_of(api, result) + " (code " + std::to_string(result.code) + ")";
}

void check(const DeviceApi& api, const char* call, ApiResult result) {
  if (!result.ok())
    throw DeviceError(call, result.code, text_of(api, result));
}

std::vector<std::pair<std::string, std::string>> versions(const DeviceApi& api) {
  auto all = api.cuda->versions();
  for (const auto& more : {api.math->versions(), api.nccl->versions()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace trainwright::executor
