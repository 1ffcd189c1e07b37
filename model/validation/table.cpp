// SPDX-License-Identifier: Apache-2.0
#include "model/validation/table.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "model/io/profile_library.hpp"
#include "model/validation/csv.hpp"
#include "model/validation/row_reader.hpp"

namespace trainwright::model::validation {
namespace {

using Columns = std::vector<std::string_view>;

// What a kind of table must have, and what it may have besides. The first column of `needed` tells the kinds apart
// together with the others: no two kinds need the same set.
struct Layout {
  std::string_view kind;
  Columns needed;
  Columns optional;
};

const std::array<Layout, 6>& layouts() {
  static const std::array<Layout, 6> all{{
      {"steps",
       {"row_id", "source", "model", "cluster", "accelerator", "gpus", "tp", "pp", "iteration_time_s"},
       {"url",
        "framework",
        "attention",
        "year",
        "params_b",
        "layers",
        "hidden",
        "heads",
        "kv_heads",
        "ffn",
        "vocab",
        "seq_len",
        "precision",
        "gpus_per_node",
        "inter_node_gbps",
        "inter_node_latency_us",
        "vpp",
        "dp",
        "cp",
        "ep",
        "sequence_parallel",
        "dp_sharding",
        "schedule",
        "micro_batch",
        "global_batch",
        "recompute",
        "tflops_per_gpu",
        "flops_convention",
        "mfu_pct",
        "memory_gb_per_gpu",
        "notes"}},
      {"scaling",
       {"row_id", "source", "model", "accelerator", "gpus", "base_gpus", "base_throughput", "efficiency_pct"},
       {"url", "group", "params_b", "precision", "interconnect", "gpus_per_node", "inter_node_gbps", "micro_batch",
        "throughput", "throughput_unit", "notes"}},
      {"gemm",
       {"row_id", "source", "gpu", "dtype", "m", "n", "k", "time_us"},
       {"url", "tflops", "framework", "kernel", "notes"}},
      {"attention",
       {"row_id", "source", "gpu", "dtype", "batch", "seq_len", "heads", "kv_heads", "head_dim", "causal", "time_us"},
       {"url", "tflops", "framework", "notes"}},
      {"collectives",
       {"row_id", "source", "gpu", "gpus", "collective", "bytes", "time_us"},
       {"url", "system", "nodes", "gpus_per_node", "intra_node_link", "inter_node_network", "dtype", "algbw", "busbw",
        "in_place", "nccl_version", "notes"}},
      {"mixture-of-experts layers",
       {"row_id", "source", "layer", "hidden", "ffn", "experts", "topk", "gpu", "forward_ms", "backward_ms"},
       {"url", "shared_expert_ffn", "seq_len", "micro_batch", "precision", "gpus", "tp", "ep", "dispatcher",
        "max_allocated_gb", "notes"}},
  }};
  return all;
}

bool has(const std::vector<std::string>& header, std::string_view column) {
  return std::find(header.begin(), header.end(), column) != header.end();
}

std::size_t missing_count(const Layout& layout, const std::vector<std::string>& header) {
  return static_cast<std::size_t>(std::count_if(layout.needed.begin(), layout.needed.end(),
                                                [&](std::string_view column) { return !has(header, column); }));
}

RowId read_id(RowReader& row) {
  return {row.required_text("row_id"), row.required_text("source"), row.text("url"), row.text("notes")};
}

StepRow read_step(RowReader& row) {
  StepRow r;
  r.id = read_id(row);
  r.framework = row.text("framework");
  r.attention = row.text("attention");
  r.year = row.integer("year");
  r.model = row.required_text("model");
  r.params_b = row.positive("params_b");
  r.layers = row.integer("layers");
  r.hidden = row.integer("hidden");
  r.heads = row.integer("heads");
  r.kv_heads = row.integer("kv_heads");
  r.ffn = row.integer("ffn");
  r.vocab = row.integer("vocab");
  r.seq_len = row.integer("seq_len");
  r.precision = row.text("precision");
  r.cluster = row.text("cluster");
  r.accelerator = row.text("accelerator");
  r.gpus = row.required_integer("gpus");
  r.gpus_per_node = row.integer("gpus_per_node");
  r.inter_node_gbps = row.positive("inter_node_gbps");
  r.inter_node_latency_us = row.not_negative("inter_node_latency_us");
  r.tp = row.integer("tp");
  r.pp = row.integer("pp");
  r.vpp = row.integer("vpp");
  r.dp = row.integer("dp");
  r.cp = row.integer("cp");
  r.ep = row.integer("ep");
  r.sequence_parallel = row.boolean("sequence_parallel");
  r.dp_sharding = row.text("dp_sharding");
  r.schedule = row.text("schedule");
  r.micro_batch = row.integer("micro_batch");
  r.global_batch = row.integer("global_batch");
  r.recompute = row.text("recompute");
  r.iteration_time_s = row.positive("iteration_time_s");
  r.memory_gb_per_gpu = row.positive("memory_gb_per_gpu");
  if (r.cluster.empty() && r.accelerator.empty())
    row.error("cluster", "is empty, and so is accelerator; one of them is needed");
  return r;
}

ScalingRow read_scaling(RowReader& row) {
  ScalingRow r;
  r.id = read_id(row);
  r.group = row.text("group");
  r.model = row.required_text("model");
  r.params_b = row.positive("params_b");
  r.precision = row.text("precision");
  r.accelerator = row.required_text("accelerator");
  r.interconnect = row.text("interconnect");
  r.gpus = row.required_integer("gpus");
  r.gpus_per_node = row.integer("gpus_per_node");
  r.inter_node_gbps = row.positive("inter_node_gbps");
  r.micro_batch = row.positive("micro_batch");
  r.base_gpus = row.required_integer("base_gpus");
  r.base_throughput = row.required_positive("base_throughput");
  r.throughput_unit = row.text("throughput_unit");
  r.efficiency_pct = row.required_positive("efficiency_pct");
  return r;
}

Precision read_precision(RowReader& row, std::string_view column) {
  const std::string word = row.required_text(column);
  const std::optional<Precision> precision = precision_of(word);
  if (!precision && !word.empty())
    row.error(column, "\"" + word + "\" is not a known number format", "fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4");
  return precision.value_or(Precision::bf16);
}

GemmRow read_gemm(RowReader& row) {
  GemmRow r;
  r.id = read_id(row);
  r.gpu = row.required_text("gpu");
  r.dtype = row.text("dtype");
  r.work = {row.required_integer("m"), row.required_integer("n"), row.required_integer("k"), 1,
            read_precision(row, "dtype")};
  r.time_us = row.required_positive("time_us");
  return r;
}

AttentionRow read_attention(RowReader& row) {
  AttentionRow r;
  r.id = read_id(row);
  r.gpu = row.required_text("gpu");
  r.dtype = row.text("dtype");
  static_cast<void>(read_precision(row, "dtype"));
  r.batch = row.required_integer("batch");
  r.seq_len = row.required_integer("seq_len");
  r.heads = row.required_integer("heads");
  r.kv_heads = row.required_integer("kv_heads");
  r.head_dim = row.required_integer("head_dim");
  r.causal = row.boolean("causal").value_or(true);
  r.time_us = row.required_positive("time_us");
  return r;
}

CollectiveRow read_collective(RowReader& row) {
  CollectiveRow r;
  r.id = read_id(row);
  r.system = row.text("system");
  r.gpu = row.text("gpu");
  r.gpus = row.required_integer("gpus");
  r.nodes = row.integer("nodes");
  r.gpus_per_node = row.integer("gpus_per_node");
  r.intra_node_link = row.text("intra_node_link");
  r.inter_node_network = row.text("inter_node_network");
  r.collective = row.required_text("collective");
  r.bytes = row.integer("bytes").value_or(0);
  r.time_us = row.positive("time_us").value_or(0.0);
  r.bus_bandwidth_gb_s = row.not_negative("busbw").value_or(0.0);
  if (r.time_us == 0.0 && r.bus_bandwidth_gb_s == 0.0)
    row.error("time_us", "is empty, and so is busbw; one of them is needed");
  if (r.time_us > 0.0 && r.bytes == 0)
    row.error("bytes", "is empty; a time needs it");
  return r;
}

MoeLayerRow read_moe_layer(RowReader& row) {
  MoeLayerRow r;
  r.id = read_id(row);
  r.layer = row.required_text("layer");
  r.hidden = row.required_integer("hidden");
  r.ffn = row.required_integer("ffn");
  r.experts = row.required_integer("experts");
  r.topk = row.required_integer("topk");
  r.seq_len = row.required_integer("seq_len");
  r.micro_batch = row.required_integer("micro_batch");
  r.precision = row.text("precision");
  r.gpu = row.required_text("gpu");
  r.gpus = row.required_integer("gpus");
  r.tp = row.required_integer("tp");
  r.ep = row.required_integer("ep");
  r.dispatcher = row.text("dispatcher");
  r.forward_ms = row.required_positive("forward_ms");
  r.backward_ms = row.required_positive("backward_ms");
  return r;
}

template <class Row>
std::vector<Row> read_all(const Csv& csv, RowReader& reader, Row (*read)(RowReader&)) {
  std::vector<Row> rows;
  rows.reserve(csv.rows.size());
  for (const CsvRow& row : csv.rows) {
    reader.begin(row);
    rows.push_back(read(reader));
  }
  return rows;
}

Rows read_kind(std::size_t kind, const Csv& csv, RowReader& reader) {
  switch (kind) {
    case 0:
      return read_all(csv, reader, read_step);
    case 1:
      return read_all(csv, reader, read_scaling);
    case 2:
      return read_all(csv, reader, read_gemm);
    case 3:
      return read_all(csv, reader, read_attention);
    case 4:
      return read_all(csv, reader, read_collective);
    default:
      return read_all(csv, reader, read_moe_layer);
  }
}

// The kind whose columns are all there; else the one that lacks fewest, whose missing columns are reported.
std::optional<std::size_t> kind_of(const Csv& csv, const std::string& source, Diagnostics& diagnostics) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < layouts().size(); ++i)
    if (missing_count(layouts()[i], csv.header) < missing_count(layouts()[best], csv.header))
      best = i;
  const Layout& layout = layouts()[best];
  if (missing_count(layout, csv.header) > layout.needed.size() / 2) {
    std::string kinds;
    for (const Layout& known : layouts())
      kinds += (kinds.empty() ? "" : ", ") + std::string(known.kind);
    diagnostics.add_error(source, "line 1", "these columns are of no known table", "known tables: " + kinds);
    return std::nullopt;
  }
  bool good = true;
  for (const std::string_view column : layout.needed)
    if (!has(csv.header, column)) {
      diagnostics.add_error(
          source, "line 1",
          "column \"" + std::string(column) + "\" is missing; a table of " + std::string(layout.kind) + " needs it");
      good = false;
    }
  std::vector<std::string> known(layout.needed.begin(), layout.needed.end());
  known.insert(known.end(), layout.optional.begin(), layout.optional.end());
  for (const std::string& column : csv.header)
    if (!has(known, column)) {
      std::string hint;
      for (const std::string& match : close_matches(column, known))
        hint += (hint.empty() ? "did you mean " : " or ") + match;
      diagnostics.add_error(source, "line 1",
                            "column \"" + column + "\" is not one of a table of " + std::string(layout.kind),
                            hint.empty() ? hint : hint + "?");
      good = false;
    }
  return good ? std::optional(best) : std::nullopt;
}

}  // namespace

std::optional<Precision> precision_of(std::string_view word) {
  for (const auto& [known, precision] : kPrecisionWords)
    if (known == word)
      return precision;
  if (word == "bfloat16")
    return Precision::bf16;
  if (word == "half" || word == "float16")
    return Precision::fp16;
  if (word == "float" || word == "float32")
    return Precision::fp32;
  return std::nullopt;
}

std::optional<Table> load_table(std::string_view text, const std::string& source, Diagnostics& diagnostics) {
  Diagnostics own;
  const std::optional<Csv> csv = parse_csv(text, source, own);
  const std::optional<std::size_t> kind = csv ? kind_of(*csv, source, own) : std::nullopt;
  Table table{source, {}};
  if (kind) {
    RowReader reader(*csv, source, own);
    table.rows = read_kind(*kind, *csv, reader);
    std::set<std::string> seen;
    const std::size_t column =
        static_cast<std::size_t>(std::find(csv->header.begin(), csv->header.end(), "row_id") - csv->header.begin());
    for (const CsvRow& row : csv->rows)
      if (!row.cells[column].empty() && !seen.insert(row.cells[column]).second)
        own.add_error(source, "line " + std::to_string(row.line) + ", column row_id",
                      "\"" + row.cells[column] + "\" occurs twice");
  }
  const bool good = !own.has_errors();
  diagnostics.append(own);
  return good && kind ? std::optional(std::move(table)) : std::nullopt;
}

}  // namespace trainwright::model::validation
