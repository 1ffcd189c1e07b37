// Turns a failed call into an exception that names the call, the code and the library's words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "executor/cuda/device_api.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {

/// A CUDA, cuBLAS or NCCL call failed: "cudaMalloc: out of memory (code 2)".
class DeviceError : public model::EnvironmentError {
 public:
  DeviceError(const std::string& call, int code, const std::string& text);
  [[nodiscard]] int code() const { return code_; }

 private:
  int code_;
};

/// "out of memory (code 2)"
[[nodiscard]] std::string text_of(const DeviceApi& api, ApiResult result);

/// Throws DeviceError unless `result` is a success.
void check(const DeviceApi& api, const char* call, ApiResult result);

}  // namespace trainwright::executor
