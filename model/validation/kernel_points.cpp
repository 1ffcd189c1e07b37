// SPDX-License-Identifier: Apache-2.0
#include "model/validation/kernel_points.hpp"

#include <algorithm>
#include <map>

#include "model/collective/bus_bandwidth.hpp"
#include "model/cost/task_duration.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/load.hpp"
#include "model/validation/names.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kMicrosecond = 1e-6;
constexpr double kGigabyte = 1e9;
constexpr std::int64_t kLargeMessage = 1'000'000'000;
constexpr double kCacheBytes = 4.0;  // keys and values, bf16

RowResult not_held(const RowId& id, double time_us, std::string reason) {
  RowResult result;
  result.row_id = id.row_id;
  result.source = id.source;
  result.measured_s = time_us * kMicrosecond;
  result.skipped = std::move(reason);
  return result;
}

CostConstants shipped_for(const Accelerator& device) {
  Cluster cluster;
  NodeGroup group;
  group.accelerator = device;
  cluster.groups = {group};
  return kernels_alone(shipped_constants(cluster, SoftwareGeneration::current, StepConstants::left_out));
}

class SetBuilder {
 public:
  explicit SetBuilder(std::vector<RowResult>& skipped) : skipped_(skipped) {}

  void add(const GemmRow& row) {
    const std::optional<Accelerator>& device = accelerator(row.gpu);
    if (!device)
      return skip(row.id, row.time_us, row.gpu);
    if (!device->peak(row.work.precision)) {
      skipped_.push_back(
          not_held(row.id, row.time_us, device->id + " has no peak for " + std::string(to_word(row.work.precision))));
      return;
    }
    const std::string word(to_word(row.work.precision));
    KernelSet& set = set_for(device->id + " " + word, *device);
    set.kind = KernelSet::Kind::gemm;
    set.precision = row.work.precision;
    if (set.parameters.empty())
      set.parameters = gemm_parameters(word, bits_per_element(row.work.precision) < bits_per_element(Precision::bf16));
    set.points.push_back(
        {row.id, set.name,
         std::to_string(row.work.m) + "x" + std::to_string(row.work.n) + "x" + std::to_string(row.work.k),
         flops(row.work).count(), row.time_us * kMicrosecond,
         [row, device](const CostConstants& c) { return predicted_s(row, *device, c); }});
  }

  void add(const AttentionRow& row) {
    const std::optional<Accelerator>& device = accelerator(row.gpu);
    if (!device)
      return skip(row.id, row.time_us, row.gpu);
    KernelSet& set = set_for(device->id + " attention", *device);
    set.kind = KernelSet::Kind::attention;
    set.parameters = {"attention.peak_fraction", "attention.bandwidth_fraction", "attention.fixed_s",
                      "attention.start_tokens", "attention.tail"};
    const double scores = static_cast<double>(row.batch) * static_cast<double>(row.heads) *
                          static_cast<double>(row.seq_len) * static_cast<double>(row.seq_len);
    set.points.push_back({row.id, set.name,
                          std::to_string(row.batch) + "x" + std::to_string(row.seq_len) + "x" +
                              std::to_string(row.heads) + "x" + std::to_string(row.kv_heads),
                          scores, row.time_us * kMicrosecond,
                          [row, device](const CostConstants& c) { return predicted_s(row, *device, c); }});
  }

  void add(const CollectiveRow& row) {
    std::string problem;
    const std::optional<CollectivePlace> place = place_of(row, problem);
    if (!place) {
      skipped_.push_back(not_held(row.id, row.time_us, problem));
      return;
    }
    CollectiveRow timed = row;
    if (row.time_us == 0.0) {
      // Only the bandwidth of large messages is stated: a message of a gigabyte stands for them.
      timed.bytes = row.bytes > 0 ? row.bytes : kLargeMessage;
      timed.time_us = static_cast<double>(timed.bytes) * bus_bandwidth_factor(place->kind, place->shape.ranks) /
                      (row.bus_bandwidth_gb_s * kGigabyte) / kMicrosecond;
    }
    const NodeGroup& group = place->cluster.groups.front();
    const bool across = place->shape.nodes > 1;
    const std::string link =
        across ? word_of(kLinkKindWords, group.network->kind) : word_of(kLinkKindWords, group.link->kind);
    const bool rack = row.intra_node_link.find("NVL72") != std::string::npos;
    const std::string name =
        across ? "network " + link : "link " + link + " " + group.accelerator.family + (rack ? " tray" : "");
    KernelSet& set = set_for(name, group.accelerator);
    set.kind = KernelSet::Kind::collective;
    set.link = link;
    if (set.points.empty()) {
      set.shipped =
          kernels_alone(shipped_constants(place->cluster, SoftwareGeneration::current, StepConstants::left_out));
      set.parameters = across ? network_parameters() : link_parameters(group.link->kind);
    }
    const std::string where = row.gpu.empty() ? row.system : across ? row.system : group.accelerator.id;
    set.points.push_back({row.id, where + (place->healthy ? "" : ", sick by its notes"),
                          where + " " + row.collective + " " + std::to_string(row.gpus),
                          static_cast<double>(timed.bytes), timed.time_us * kMicrosecond,
                          [row = timed, place](const CostConstants& c) { return predicted_s(row, *place, c); }});
  }

  std::vector<KernelSet> take() {
    std::vector<KernelSet> sets;
    for (auto& [name, set] : sets_)
      sets.push_back(std::move(set));
    return sets;
  }

 private:
  static std::vector<std::string> gemm_parameters(const std::string& word, bool quantised) {
    const std::string prefix = "gemm." + word + ".";
    std::vector<std::string> names{prefix + "peak_fraction", prefix + "bandwidth_fraction", prefix + "sag",
                                   prefix + "wave_loss",     prefix + "underfill",          prefix + "prologue_k"};
    // The launches of the quantisation and of the product cannot be told apart: the latter keeps the pooled value.
    if (quantised) {
      names.push_back(prefix + "quantise_bandwidth_fraction");
      names.push_back(prefix + "quantise_s");
    } else {
      names.push_back(prefix + "fixed_s");
    }
    return names;
  }

  static std::vector<std::string> link_parameters(LinkKind kind) {
    std::vector<std::string> names;
    for (const char* const name : {"base_s", "step_s", "efficiency", "knee_s", "all_to_all_s", "all_to_all_plateau_s",
                                   "all_to_all_plateau_bytes", "bulk_s", "bulk_step_s"})
      names.push_back(std::string("node_link.") + name);
    if (kind == LinkKind::nvlink_switch)
      for (const char* const name :
           {"copy_ratio", "all_to_all_copy_ratio", "in_switch_efficiency", "in_switch_latency_s", "in_switch_rank_s"})
        names.push_back(std::string("node_link.") + name);
    // Copies inside a device are quick beside PCI Express; an all-to-all crowds its bridges more than a ring does.
    if (kind == LinkKind::pcie)
      for (const char* const name : {"crowding", "small_bandwidth_ratio", "kind_factor.all_to_all"})
        names.push_back(std::string("node_link.") + name);
    return names;
  }

  static std::vector<std::string> network_parameters() {
    return {"network.base_s", "network.step_s", "network.efficiency", "network.knee_s"};
  }

  const std::optional<Accelerator>& accelerator(const std::string& name) {
    auto found = accelerators_.find(name);
    if (found == accelerators_.end())
      found = accelerators_.emplace(name, accelerator_named(name)).first;
    return found->second;
  }

  void skip(const RowId& id, double time_us, const std::string& gpu) {
    skipped_.push_back(not_held(id, time_us, "no profile for accelerator \"" + gpu + "\""));
  }

  KernelSet& set_for(const std::string& name, const Accelerator& device) {
    KernelSet& set = sets_[name];
    if (set.name.empty()) {
      set.name = name;
      set.family = device.family;
      set.shipped = shipped_for(device);
    }
    if (std::find(set.cards.begin(), set.cards.end(), device.id) == set.cards.end())
      set.cards.push_back(device.id);
    return set;
  }

  std::vector<RowResult>& skipped_;
  std::map<std::string, std::optional<Accelerator>> accelerators_;
  std::map<std::string, KernelSet> sets_;
};

}  // namespace

double predicted_s(const GemmRow& row, const Accelerator& device, const CostConstants& constants) {
  return duration(row.work, device, constants).count() +
         quantise_duration(row.work.m * row.work.k, row.work.precision, device, constants).count();
}

double predicted_s(const AttentionRow& row, const Accelerator& device, const CostConstants& constants) {
  AttentionWork work;
  work.batch = row.batch;
  work.seq_q = work.seq_kv = row.seq_len;
  work.heads = row.heads;
  work.kv_heads = row.kv_heads;
  work.head_dim = work.value_head_dim = row.head_dim;
  work.causal = row.causal;
  const double cache = kCacheBytes * static_cast<double>(row.batch) * static_cast<double>(row.seq_len) *
                       static_cast<double>(row.kv_heads) * static_cast<double>(row.head_dim);
  return duration(work, device, constants).count() +
         cache / (device.memory_bandwidth.count() * constants.attention.bandwidth_fraction);
}

double predicted_s(const CollectiveRow& row, const CollectivePlace& place, const CostConstants& constants) {
  const CollectiveWork work{place.kind, GroupAxis::world, ByteCount(row.bytes), Precision::bf16};
  return collective_duration(work, place.shape, place.cluster, constants).count();
}

std::vector<KernelSet> kernel_sets(const Table& table, std::vector<RowResult>& skipped) {
  SetBuilder builder(skipped);
  if (const auto* rows = std::get_if<std::vector<GemmRow>>(&table.rows))
    for (const GemmRow& row : *rows)
      builder.add(row);
  if (const auto* rows = std::get_if<std::vector<AttentionRow>>(&table.rows))
    for (const AttentionRow& row : *rows)
      builder.add(row);
  if (const auto* rows = std::get_if<std::vector<CollectiveRow>>(&table.rows))
    for (const CollectiveRow& row : *rows)
      builder.add(row);
  if (const auto* rows = std::get_if<std::vector<MoeLayerRow>>(&table.rows))
    for (const MoeLayerRow& row : *rows)
      skipped.push_back(not_held(row.id, 1e3 * (row.forward_ms + row.backward_ms),
                                 "single layers are not predicted yet, only whole steps and single kernels"));
  return builder.take();
}

}  // namespace trainwright::model::validation
