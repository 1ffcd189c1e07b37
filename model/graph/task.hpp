// One node of the execution graph: what one rank does on one stream, between two synchronisations.
// The graph that is simulated is the graph that is executed; neither side has tasks of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

#include "model/base/id.hpp"
#include "model/hardware/precision.hpp"
#include "model/plan/placement.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

/// Order within a stream of a rank is the order of the tasks in its program. Receives have a stream for each neighbour
/// and direction, so that a late message never blocks one that another task is waiting for.
enum class Stream : std::uint8_t {
  compute,
  tensor,            ///< tensor-, context- and expert-parallel collectives
  data,              ///< gradient reduction, parameter gathering
  send_forward,      ///< activations to the next stage
  receive_forward,   ///< activations from the previous stage
  send_backward,     ///< gradients to the previous stage
  receive_backward,  ///< gradients from the next stage
  host_io,           ///< data shards, checkpoints
};
inline constexpr std::size_t kStreamCount = 8;
inline constexpr std::array<std::string_view, kStreamCount> kStreamWords{
    {"compute", "tensor", "data", "send_forward", "receive_forward", "send_backward", "receive_backward", "host_io"}};
[[nodiscard]] constexpr std::string_view to_word(Stream stream) {
  return kStreamWords[static_cast<std::size_t>(stream)];
}

enum class Pass : std::uint8_t { forward, recompute, backward, gradient_sync, optimizer, data_load, checkpoint };
inline constexpr std::array<std::string_view, 7> kPassWords{
    {"forward", "recompute", "backward", "gradient_sync", "optimizer", "data_load", "checkpoint"}};
[[nodiscard]] constexpr std::string_view to_word(Pass pass) {
  return kPassWords[static_cast<std::size_t>(pass)];
}

/// Which gradient a backward task computes.
enum class BackwardPart : std::uint8_t { none, input, weight };

struct Phase {
  Pass pass = Pass::forward;
  BackwardPart part = BackwardPart::none;
  std::int16_t chunk = 0;
  std::int32_t micro_batch = -1;  ///< -1: once a step
  std::int32_t layer_begin = -1;  ///< layers [begin, end) of the model; -1: outside the layers
  std::int32_t layer_end = -1;
};

/// y[m,n] = x[m,k] w[k,n], `batch` independent ones.
struct GemmWork {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;
  Precision precision = Precision::bf16;
  friend bool operator==(const GemmWork&, const GemmWork&) = default;
};

/// Attention core of `batch` sequences on this rank: scores, softmax, weighted sum.
struct AttentionWork {
  std::int64_t batch = 0;
  std::int64_t seq_q = 0;
  std::int64_t seq_kv = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t value_head_dim = 0;
  bool causal = true;
  bool backward = false;
  bool fused = true;  ///< scores never reach memory
  Precision precision = Precision::bf16;
};

/// Element-wise work, bound by memory traffic.
struct MemoryWork {
  ByteCount reads;
  ByteCount writes;
  int kernels = 1;  ///< launches
};

struct OptimizerWork {
  std::int64_t parameters = 0;  ///< updated by this rank
  int bytes_per_parameter = 0;  ///< memory traffic
};

struct FixedWork {
  Seconds duration = Seconds::zero();
  bool is_host_sync = false;  ///< the device waits for the host: constants of the cost model say how long
};

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  all_to_all,
  ring_shift,  ///< every member sends to the next of the group and receives from the one before
};
inline constexpr std::array<std::string_view, 7> kCollectiveWords{
    {"all_reduce", "all_gather", "reduce_scatter", "broadcast", "reduce", "all_to_all", "ring_shift"}};
[[nodiscard]] constexpr std::string_view to_word(CollectiveKind kind) {
  return kCollectiveWords[static_cast<std::size_t>(kind)];
}

/// `bytes` as nccl-tests counts them: the whole buffer for all-reduce, broadcast, reduce; the gathered (scattered)
/// whole for all-gather (reduce-scatter); what one rank sends for all-to-all and ring-shift. The k-th task of a program
/// with one axis on one stream meets the k-th of every other member of the group.
struct CollectiveWork {
  CollectiveKind kind = CollectiveKind::all_reduce;
  GroupAxis axis = GroupAxis::data;
  ByteCount bytes;
  Precision precision = Precision::bf16;
  friend bool operator==(const CollectiveWork&, const CollectiveWork&) = default;
};

/// Message to or from the rank of the same pipeline at `peer`; matched by direction and tag.
struct TransferWork {
  bool is_send = true;
  StageId peer = StageId(0);
  ByteCount bytes;
  std::int32_t tag = 0;
  Precision precision = Precision::bf16;
};

struct HostIoWork {
  bool is_write = false;
  ByteCount bytes;
};

using Work = std::variant<GemmWork, AttentionWork, MemoryWork, OptimizerWork, FixedWork, CollectiveWork, TransferWork,
                          HostIoWork>;

enum class MemoryTerm : std::uint8_t {
  weights,
  gradients,
  master_weights,
  moments,
  activations,
  logits,
  buckets,
  gathered_parameters,
  communication,
  context,
  fragmentation,
};
inline constexpr std::size_t kMemoryTermCount = 11;
inline constexpr std::array<std::string_view, kMemoryTermCount> kMemoryTermWords{
    {"weights", "gradients", "master_weights", "moments", "activations", "logits", "buckets", "gathered_parameters",
     "communication", "context", "fragmentation"}};
[[nodiscard]] constexpr std::string_view to_word(MemoryTerm term) {
  return kMemoryTermWords[static_cast<std::size_t>(term)];
}

struct Task {
  Work work = FixedWork{};
  Stream stream = Stream::compute;
  Phase phase;
  OperatorId op = OperatorId(-1);  ///< vertex of the operator graph; -1: none (communication of a step, optimizer)
  // Memory held from the start of this task (allocates) and given back at its end (frees).
  MemoryTerm term = MemoryTerm::activations;
  ByteCount allocates;
  ByteCount frees;
};

}  // namespace trainwright::model
