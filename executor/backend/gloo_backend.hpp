// Backend on Gloo over TCP: ranks on CPUs of one machine, or of several.
//
// Algorithms (Debian's Gloo of May 2022): all-reduce and reduce by ring in segments of 1 MiB, all-gather by ring,
// broadcast by binomial tree, all-to-all by direct messages. Gloo has no reduce-scatter of the same kind (its
// halving-doubling class sends more when the group is no power of two), so ours is the ring that its all-reduce uses
// for the first half: each member sends and receives (n-1)/n of the buffer, which is what the cost model assumes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "executor/backend/backend.hpp"
#include "executor/backend/backend_options.hpp"

namespace trainwright::executor {

/// Library and version, without making a backend.
[[nodiscard]] std::pair<std::string, std::string> gloo_version();

/// Data goes over the loopback address unless options.interface says otherwise.
/// Throws EnvironmentError when the rendezvous store or the interface cannot be reached.
[[nodiscard]] std::unique_ptr<Backend> make_gloo_backend(const BackendOptions& options);

}  // namespace trainwright::executor
