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

/// Throws EnvironmentError when the backend is not one that this version has.
inline void require_available(const std::optional<Backend>& backend) {
  if (backend == Backend::nccl)
    throw model::EnvironmentError("the nccl backend is not in this version", "--backend gloo runs on CPU cores");
}

}  // namespace trainwright::cli
