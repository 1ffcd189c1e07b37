// Tables of published measurements as rows of values. The kind of a table is known by its header; the columns are
// described in docs/models/validation.md. An empty cell is a value the source does not state.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/graph/task.hpp"

namespace trainwright::model::validation {

/// What every row has.
struct RowId {
  std::string row_id;
  std::string source;
  std::string url;
  std::string notes;
  friend bool operator==(const RowId&, const RowId&) = default;
};

/// One measured training step. Memory rows have the same columns and may lack a time worth predicting.
struct StepRow {
  RowId id;
  std::string framework;
  std::string attention;
  std::optional<std::int64_t> year;
  std::string model;
  std::optional<double> params_b;
  std::optional<std::int64_t> layers, hidden, heads, kv_heads, ffn, vocab, seq_len;
  std::string precision;
  std::string cluster;
  std::string accelerator;
  std::int64_t gpus = 1;
  std::optional<std::int64_t> gpus_per_node;
  std::optional<double> inter_node_gbps;
  std::optional<double> inter_node_latency_us;
  std::optional<std::int64_t> tp, pp, vpp, dp, cp, ep;
  std::optional<bool> sequence_parallel;
  std::string dp_sharding;
  std::string schedule;
  std::optional<std::int64_t> micro_batch, global_batch;
  std::string recompute;
  std::optional<double> iteration_time_s;
  std::optional<double> memory_gb_per_gpu;
  friend bool operator==(const StepRow&, const StepRow&) = default;
};

/// Pure data parallelism: efficiency = (throughput / gpus) / (base_throughput / base_gpus).
struct ScalingRow {
  RowId id;
  std::string group;
  std::string model;
  std::optional<double> params_b;
  std::string precision;
  std::string accelerator;
  std::string interconnect;
  std::int64_t gpus = 1;
  std::optional<std::int64_t> gpus_per_node;
  std::optional<double> inter_node_gbps;
  std::optional<double> micro_batch;
  std::int64_t base_gpus = 1;
  double base_throughput = 0.0;  ///< samples (or tokens) a second, all devices
  std::string throughput_unit;
  double efficiency_pct = 0.0;
  friend bool operator==(const ScalingRow&, const ScalingRow&) = default;
};

struct GemmRow {
  RowId id;
  std::string gpu;
  std::string dtype;
  GemmWork work;
  double time_us = 0.0;
  friend bool operator==(const GemmRow&, const GemmRow&) = default;
};

struct AttentionRow {
  RowId id;
  std::string gpu;
  std::string dtype;
  std::int64_t batch = 1, seq_len = 1, heads = 1, kv_heads = 1, head_dim = 1;
  bool causal = true;
  double time_us = 0.0;
  friend bool operator==(const AttentionRow&, const AttentionRow&) = default;
};

struct CollectiveRow {
  RowId id;
  std::string system;
  std::string gpu;
  std::int64_t gpus = 1;
  std::optional<std::int64_t> nodes, gpus_per_node;
  std::string intra_node_link;
  std::string inter_node_network;
  std::string collective;           ///< as the table writes it; sendrecv is no CollectiveKind
  std::int64_t bytes = 0;           ///< 0: not stated, then only the bus bandwidth of large messages is
  double time_us = 0.0;             ///< 0: not stated
  double bus_bandwidth_gb_s = 0.0;  ///< 0: not stated
  friend bool operator==(const CollectiveRow&, const CollectiveRow&) = default;
};

struct MoeLayerRow {
  RowId id;
  std::string layer;
  std::int64_t hidden = 1, ffn = 1, experts = 1, topk = 1, seq_len = 1, micro_batch = 1;
  std::string precision;
  std::string gpu;
  std::int64_t gpus = 1, tp = 1, ep = 1;
  std::string dispatcher;
  double forward_ms = 0.0;
  double backward_ms = 0.0;
  friend bool operator==(const MoeLayerRow&, const MoeLayerRow&) = default;
};

using Rows = std::variant<std::vector<StepRow>, std::vector<ScalingRow>, std::vector<GemmRow>,
                          std::vector<AttentionRow>, std::vector<CollectiveRow>, std::vector<MoeLayerRow>>;

/// Rows of one table, all of one kind.
struct Table {
  std::string source;  ///< file name, for messages
  Rows rows;
  friend bool operator==(const Table&, const Table&) = default;
};

/// The table that `text` holds. Every wrong cell is reported with line and column; empty when there is an error.
/// Columns that no kind knows are errors, so that a misspelt one is not taken for an unstated one.
[[nodiscard]] std::optional<Table> load_table(std::string_view text, const std::string& source,
                                              Diagnostics& diagnostics);

/// "fp16", "bfloat16", "half": words of the tables for a number format; empty for another word.
[[nodiscard]] std::optional<Precision> precision_of(std::string_view word);

}  // namespace trainwright::model::validation
