// --backend of execute and measure.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "model/base/error.hpp"

namespace trainwright::cli {

enum class Backend { automatic, gloo, nccl };
inline constexpr std::array<std::pair<std::string_view, Backend>, 3> kBackendWords{
    {{"auto", Backend::automatic}, {"gloo", Backend::gloo}, {"nccl", Backend::nccl}}};

[[nodiscard]] constexpr std::string_view to_word(Backend backend) {
  return kBackendWords[static_cast<std::size_t>(backend)].first;
}

/// Throws EnvironmentError when the backend is not one that the micro-benchmarks have.
inline void require_measurable(const std::optional<Backend>& backend) {
  if (backend == Backend::nccl)
    throw model::EnvironmentError("there are no micro-benchmarks for the nccl backend yet",
                                  "--backend gloo measures CPU cores; execute --backend nccl runs and measures a plan; "
                                  "logs of nccl-tests can be imported");
}

}  // namespace trainwright::cli
