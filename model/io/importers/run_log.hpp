// Findings in the log of a distributed run: what NCCL says about its transports, why memory ran out. Lines of other
// programs are passed over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/hardware/cluster.hpp"
#include "model/units/byte_count.hpp"

namespace trainwright::model {

/// PyTorch's "CUDA out of memory" message in numbers.
struct AllocatorError {
  ByteCount request;
  ByteCount capacity;
  ByteCount free;
  ByteCount used;       ///< by the process, context included
  ByteCount allocated;  ///< in tensors
  ByteCount unusable;   ///< reserved by the allocator but not allocated
  /// What is missing beside the free memory; more than 0, else it would not have failed.
  [[nodiscard]] ByteCount short_by() const { return request - free; }
  /// The reserve would have held the request with what is free: the memory is there, but in pieces.
  [[nodiscard]] bool is_fragmentation() const { return free + unusable >= request; }
  /// "fragmentation or slack, short by 0.88 GiB"
  [[nodiscard]] std::string verdict() const;
};
[[nodiscard]] std::optional<AllocatorError> allocator_error(std::string_view line);

struct LogFinding {
  int line = 0;        ///< from 1
  std::string topic;   ///< "transport", "provider", "bootstrap", "peer path", "shared memory", "multicast", "memory"
  std::string text;    ///< what the line says
  std::string advice;  ///< what to do; may be empty
};

struct RunLog {
  std::string transport;             ///< "socket", "ib", "ofi"; empty: not said
  std::optional<int> adapters;       ///< that the library found, where said
  bool copies_through_host = false;  ///< some ranks of a node meet in shared memory
  std::vector<LogFinding> findings;
};
[[nodiscard]] RunLog read_run_log(std::string_view text);

/// Where the log contradicts what a plan on `cluster` assumes: sockets instead of RDMA, host memory instead of NVLink,
/// fewer adapters than a node has.
[[nodiscard]] std::vector<LogFinding> contradictions(const RunLog& log, const Cluster& cluster);

}  // namespace trainwright::model
