// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "model/plan/plan_rules.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

using Violations = std::vector<Violation>;

std::string number(std::int64_t value) {
  return std::to_string(value);
}

// Limits far above any machine or training that exists; they keep every product within 64 bits.
constexpr std::int64_t kMaxDegree = 1 << 20;
constexpr std::int64_t kMaxBatch = std::int64_t{1} << 30;
constexpr double kMaxImbalance = 10'000.0;
constexpr double kMinCapacity = 0.01;
constexpr double kMinTokenShare = 0.001;
constexpr std::int64_t kMaxTokens = std::int64_t{1} << 30;

void range(Violations& list, PlanSection section, std::string_view field, std::int64_t value, std::int64_t min,
           std::int64_t max) {
  if (value < min || value > max)
    list.push_back({std::string(section == PlanSection::layout ? "layout" : "job") + ".range",
                    section,
                    std::string(field),
                    number(value) + " is out of range; allowed: " + number(min) + " to " + number(max),
                    {}});
}

/// Frameworks whose rules differ or whose published steps the constants were compared with.
constexpr std::array<std::string_view, 11> kFrameworks{
    "megatron-core", "megatron-lm", "megatron-te",   "megatron-deepspeed", "deepspeed",  "fsdp",
    "torchtitan",    "pytorch-ddp", "pytorch-gpipe", "internevo",          "trainwright"};

void precision_rule(const RuleInput& input, Violations& list) {
  for (const NodeGroup& group : input.cluster.groups) {
    const Accelerator& device = group.accelerator;
    if (device.peak(input.job.precision))
      continue;
    std::string allowed;
    for (const auto& [word, precision] : kPrecisionWords)
      if (device.peak(precision))
        allowed += (allowed.empty() ? "" : ", ") + std::string(word);
    Violation violation{"job.precision",
                        PlanSection::job,
                        "precision",
                        std::string(to_word(input.job.precision)) + " is not a matrix format of " +
                            (device.name.empty() ? device.id : device.name) + "; allowed: " + allowed,
                        {}};
    if (std::find(list.begin(), list.end(), violation) == list.end())
      list.push_back(std::move(violation));
  }
}

void sequence_length_rule(const RuleInput& input, Violations& list) {
  const Model& model = input.model;
  if (model.max_positions <= 0 || input.job.seq_len <= model.max_positions)
    return;
  Violation violation{"job.seq-len", PlanSection::job, "seq_len", {}, {}};
  if (model.position == PositionKind::learned) {
    violation.message = number(input.job.seq_len) + " tokens are more than the " + number(model.max_positions) +
                        " learned positions of the model; allowed: 1 to " + number(model.max_positions);
  } else {
    violation.severity = Severity::warning;
    violation.message = number(input.job.seq_len) + " tokens are more than the " + number(model.max_positions) +
                        " positions the model was made for";
    violation.hint = "the time is predicted all the same";
  }
  list.push_back(std::move(violation));
}

void capacity_rule(const RuleInput& input, Violations& list) {
  const std::int64_t ranks = world_size(input.layout);
  const std::int64_t capacity = rank_capacity(input.cluster);
  if (ranks <= capacity)
    return;
  const bool share_cores = std::any_of(input.cluster.groups.begin(), input.cluster.groups.end(),
                                       [](const NodeGroup& group) { return group.devices_share_cores; });
  std::string message = number(ranks) + " ranks (dp x tp x pp x cp) are more than the " + number(capacity);
  if (share_cores)
    message += " that the cluster holds at " + number(kMaxRanksPerCore) + " ranks a core";
  else if (!is_uniform(input.cluster))
    message += " devices of the cluster, which is of several kinds of node and cannot be enlarged";
  else if (!input.cluster.groups.front().network)
    message += " devices of the cluster, which states no network to add nodes to";
  else
    message += " devices of the cluster";
  list.push_back({"cluster.holds-ranks", PlanSection::layout, "dp", std::move(message),
                  "use at most " + number(capacity) + " ranks, or another cluster"});
}

}  // namespace

std::int64_t rank_capacity(const Cluster& cluster) {
  std::int64_t capacity = 0;
  for (const NodeGroup& group : cluster.groups)
    capacity +=
        std::int64_t{group.nodes} *
        (group.devices_share_cores
             ? std::max<std::int64_t>(std::int64_t{group.cores_per_node} * kMaxRanksPerCore, group.devices_per_node)
             : group.devices_per_node);
  return capacity;
}

std::vector<Violation> check_ranges(const RuleInput& input) {
  Violations list;
  const Layout& layout = input.layout;
  const std::pair<std::string_view, int> degrees[] = {{"tp", layout.tp},   {"pp", layout.pp}, {"dp", layout.dp},
                                                      {"vpp", layout.vpp}, {"cp", layout.cp}, {"ep", layout.ep},
                                                      {"etp", layout.etp}};
  for (const auto& [field, value] : degrees)
    range(list, PlanSection::layout, field, value, 1, kMaxDegree);
  range(list, PlanSection::layout, "zero", layout.zero, 0, 3);
  range(list, PlanSection::layout, "zero_group", layout.zero_group, 0, kMaxDegree);
  range(list, PlanSection::layout, "micro_batch", layout.micro_batch, 1, kMaxBatch);
  range(list, PlanSection::layout, "bucket", layout.bucket.count(), 1, std::int64_t{1} << 40);
  range(list, PlanSection::job, "global_batch", input.job.global_batch, 1, kMaxBatch);
  range(list, PlanSection::job, "seq_len", input.job.seq_len, 1, kMaxTokens);
  // From balanced to all tokens at the experts of one rank. NaN is in no range.
  const auto factor = [&](std::string_view field, double value, double min, double max = kMaxImbalance) {
    if (!(value >= min && value <= max))
      list.push_back(
          {"job.range",
           PlanSection::job,
           std::string(field),
           format_number(value) + " is out of range; allowed: " + format_number(min) + " to " + format_number(max),
           {}});
  };
  factor("expert_imbalance", input.job.expert_imbalance, 1.0);
  if (input.job.expert_capacity)
    factor("expert_capacity", *input.job.expert_capacity, kMinCapacity);
  factor("sequence_fill", input.job.sequence_fill, kMinTokenShare, 1.0);
  factor("loss_share", input.job.loss_share, kMinTokenShare, 1.0);
  if (!list.empty())
    return list;
  const std::int64_t ranks = std::int64_t{layout.dp} * layout.tp;
  const std::int64_t others = std::int64_t{layout.pp} * layout.cp;
  if (ranks > kMaxDegree || others > kMaxDegree || ranks * others > kMaxDegree)
    list.push_back({"layout.range",
                    PlanSection::layout,
                    "dp",
                    "dp x tp x pp x cp is more than " + number(kMaxDegree) + " ranks",
                    {}});
  if (std::int64_t{layout.ep} * layout.etp > kMaxDegree || std::int64_t{layout.pp} * layout.vpp > kMaxDegree)
    list.push_back(
        {"layout.range", PlanSection::layout, "vpp", "ep x etp or pp x vpp is more than " + number(kMaxDegree), {}});
  if (input.model.layers.empty())
    list.push_back({"model.layers", PlanSection::job, "model", "the model has no layers", {}});
  if (input.cluster.groups.empty())
    list.push_back({"cluster.nodes", PlanSection::cluster, "groups", "the cluster has no nodes", {}});
  return list;
}

std::vector<Violation> check_job_rules(const RuleInput& input) {
  Violations list;
  capacity_rule(input, list);
  precision_rule(input, list);
  sequence_length_rule(input, list);
  if (std::find(kFrameworks.begin(), kFrameworks.end(), input.job.framework) == kFrameworks.end()) {
    std::string known;
    for (const std::string_view word : kFrameworks)
      known += (known.empty() ? "" : ", ") + std::string(word);
    list.push_back({"job.framework", PlanSection::job, "framework",
                    "\"" + input.job.framework + "\" is not known; the rules of megatron-core are applied",
                    "known: " + known, Severity::warning});
  }
  return list;
}

}  // namespace trainwright::model
