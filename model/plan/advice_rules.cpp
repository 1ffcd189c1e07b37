// Warnings: layouts that frameworks accept and that seldom do what was wanted. Origin of each: docs/rules.md.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "model/plan/library_memory.hpp"
#include "model/plan/placement.hpp"
#include "model/plan/plan_rules.hpp"
#include "model/plan/state_recipe.hpp"
#include "model/units/format.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model {
namespace {

using Violations = std::vector<Violation>;

std::string number(std::int64_t value) {
  return std::to_string(value);
}

std::string percent(double share) {
  return format_fixed(100.0 * share, 0) + " %";
}

void warn(Violations& list, std::string rule, std::string field, std::string message, std::string hint) {
  list.push_back(
      {std::move(rule), PlanSection::layout, std::move(field), std::move(message), std::move(hint), Severity::warning});
}

// Share of the passes of 1F1B and GPipe that a stage waits: arXiv 2104.04473, section 2.2.1; interleaved: / vpp.
void bubble_rule(const RuleInput& input, Violations& list) {
  const Layout& l = input.layout;
  constexpr std::int64_t kEnough = 4;
  const bool has_bubble = l.schedule == PipelineSchedule::one_f_one_b || l.schedule == PipelineSchedule::gpipe;
  if (l.pp == 1 || !has_bubble || input.job.global_batch % (l.micro_batch * l.dp) != 0)
    return;
  const std::int64_t count = micro_batches(l, input.job.global_batch);
  if (count >= kEnough * l.pp)
    return;
  warn(list, "layout.bubble", "pp",
       number(count) + " micro-batches on " + number(l.pp) + " stages leave them idle for " +
           percent(pipeline_bubble(l.pp, count)) + " of the passes",
       number(micro_batches_for_bubble(l.pp, 0.1)) + " micro-batches bring it to 10 %");
}

// DeepSpeed allocates whole buckets however small the model is.
void sharding_gain_rule(const RuleInput& input, Violations& list) {
  const Layout& l = input.layout;
  const int ranks = l.dp * l.cp;
  if (input.job.framework != "deepspeed" || l.zero != 2 || ranks < 2)
    return;
  const StateRecipe recipe = state_recipe(input.job);
  const auto parameters = static_cast<double>(parameter_count(input.model).total) / (l.tp * l.pp);
  const double saved_each = (recipe.gradient + recipe.master + recipe.moments) * (1.0 - 1.0 / ranks);
  const double buckets = static_cast<double>(l.bucket.count()) * (l.overlap_gradients ? 2 : 1);
  if (parameters * saved_each >= buckets)
    return;
  warn(list, "layout.zero-costs-more", "zero",
       "stage 2 saves " + format(ByteCount(static_cast<std::int64_t>(parameters * saved_each))) +
           " of states and takes " + format(ByteCount(static_cast<std::int64_t>(buckets))) + " for its buckets",
       "worth it above " + format_significant(buckets / saved_each, 3) +
           " parameters a rank; or a smaller bucket, or plain data parallelism");
}

// An expert that gets no token on one rank would skip its gather there, and the collectives no longer match.
void expert_gather_rule(const RuleInput& input, Violations& list) {
  const bool has_experts = std::any_of(input.model.layers.begin(), input.model.layers.end(),
                                       [](const LayerRun& run) { return run.layer.moe.has_value(); });
  if (!has_experts || input.layout.zero < 3)
    return;
  warn(list, "layout.experts-gathered-whole", "zero",
       "sharded parameters with experts: an expert without tokens on one rank skips its gather there, and the run "
       "hangs",
       "gather each expert block as one unit (deepspeed: set_z3_leaf_modules; FSDP: wrap the block)");
}

// Groups that reduce in the switch take one multicast slot each.
void multicast_rule(const RuleInput& input, Violations& list) {
  constexpr std::size_t kSlots = 128;
  const NodeGroup& node = input.cluster.groups.front();
  if (!node.link || node.link->kind != LinkKind::nvlink_switch || node.devices_share_cores)
    return;
  const Placement placement(input.layout, input.cluster);
  const int domain = std::min(node.link->domain_devices > 0 ? node.link->domain_devices : node.devices_per_node,
                              placement.world_size());
  std::set<std::pair<GroupAxis, int>> groups;
  for (const GroupAxis axis : {GroupAxis::tensor, GroupAxis::context, GroupAxis::data_context, GroupAxis::expert,
                               GroupAxis::expert_data, GroupAxis::expert_tensor, GroupAxis::pipeline})
    for (int rank = 0; rank < domain; ++rank) {
      const std::vector<RankId> members = placement.group(RankId(rank), axis);
      if (members.size() > 1 && members.back().value() < domain)
        groups.insert({axis, members.front().value()});
    }
  if (groups.size() <= kSlots)
    return;
  warn(list, "cluster.multicast-groups", "tp",
       number(static_cast<std::int64_t>(groups.size())) + " groups inside one switch domain, which has " +
           number(kSlots) + " multicast slots",
       "set NCCL_NVLS_ENABLE=0, or fewer kinds of groups inside the domain");
}

// Rails join adapters of the same place in each node only.
void rail_rule(const RuleInput& input, Violations& list) {
  const Layout& l = input.layout;
  const int node = input.cluster.groups.front().devices_per_node;
  if (input.cluster.fabric.kind != FabricKind::rail_optimized || l.ep <= 1 || l.ep * l.etp <= node)
    return;
  warn(list, "cluster.all-to-all-across-rails", "ep",
       "the all-to-all of " + number(l.ep) +
           " ranks crosses rails: it goes over the node link to the adapter of the "
           "right rail (PXN), and without that over the spine, or nowhere on a fabric of rails alone",
       "keep NCCL_PXN_DISABLE at 0, or ep within the " + number(node) + " devices of a node");
}

}  // namespace

double pipeline_bubble(std::int64_t stages, std::int64_t micro_batches) {
  return static_cast<double>(stages - 1) / static_cast<double>(micro_batches + stages - 1);
}

std::int64_t micro_batches_for_bubble(std::int64_t stages, double share) {
  const double needed = static_cast<double>(stages - 1) * (1.0 - share) / share;
  constexpr double kRounding = 1e-9;
  return static_cast<std::int64_t>(needed - kRounding) + 1;
}

std::vector<Violation> check_advice_rules(const RuleInput& input) {
  Violations list;
  bubble_rule(input, list);
  sharding_gain_rule(input, list);
  expert_gather_rule(input, list);
  multicast_rule(input, list);
  rail_rule(input, list);
  return list;
}

}  // namespace trainwright::model
