// SPDX-License-Identifier: Apache-2.0
#include "executor/app/gpu_parts.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "executor/app/device_parts.hpp"
#include "executor/cuda/linked_api.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

std::string loader_text() {
  const char* const text = ::dlerror();
  return text != nullptr ? text : "no reason given";
}

// Without the driver's library there is no GPU to be used, and no need to load what uses it.
bool has_driver() {
  void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver == nullptr)
    return false;
  ::dlclose(driver);
  return true;
}

// The library stays loaded until the process ends: CUDA cannot be unloaded.
DeviceApi loaded_api() {
  const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe").parent_path() / kLinkedApiFile;
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw model::EnvironmentError("the GPU part of this program cannot be loaded: " + loader_text(),
                                  "`trainwright doctor` says what is missing; --backend gloo needs none of it");
  // dlsym gives functions as void*, by POSIX convertible.
  const auto fill = reinterpret_cast<decltype(&trainwright_linked_device_api)>(  // NOLINT
      ::dlsym(library, kLinkedApiFunction));
  if (fill == nullptr)
    throw model::EnvironmentError(file.string() + " is not the GPU part of this program: " + loader_text());
  DeviceApi api;
  fill(&api);
  return api;
}

}  // namespace

std::vector<BackendParts> gpu_backends() {
  return {device_parts(&loaded_api, &has_driver)};
}

}  // namespace trainwright::executor
