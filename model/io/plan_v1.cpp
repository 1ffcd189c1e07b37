// SPDX-License-Identifier: Apache-2.0
#include "model/io/plan_v1.hpp"

#include <nlohmann/json.hpp>

#include "model/io/cluster_v1.hpp"
#include "model/io/constants_value.hpp"
#include "model/io/document.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/model_v1.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kMaxBatch = 1L << 40;
constexpr std::int64_t kMaxTokens = 1L << 40;
constexpr std::int64_t kMaxSteps = 1L << 50;
constexpr int kMaxDegree = 10'000'000;
constexpr int kMaxGathers = 4096;
constexpr int kMaxTensorChunks = 64;
constexpr double kMaxImbalance = 10'000.0;
constexpr double kMinCapacity = 0.01;
constexpr int kMaxAdapterRank = 1 << 20;
constexpr double kMinTokenShare = 0.001;
constexpr int kFirstYear = 2012;
constexpr int kLastYear = 2100;

ordered_json job_value(const Job& job) {
  ordered_json value{{"global_batch", job.global_batch},
                     {"seq_len", job.seq_len},
                     {"precision", to_word(job.precision)},
                     {"optimizer", word_of(kOptimizerKindWords, job.optimizer)},
                     {"attention", word_of(kAttentionKernelWords, job.attention)},
                     {"framework", job.framework}};
  if (job.year != 0)
    value["year"] = job.year;
  if (job.expert_imbalance != 1.0)
    value["expert_imbalance"] = job.expert_imbalance;
  if (job.expert_capacity)
    value["expert_capacity"] = *job.expert_capacity;
  if (job.dropout)
    value["dropout"] = *job.dropout;
  if (job.adapter_rank != 0)
    value["adapter_rank"] = job.adapter_rank;
  if (job.loss)
    value["loss"] = word_of(kLossKernelWords, *job.loss);
  if (job.loss_chunks != 1)
    value["loss_chunks"] = job.loss_chunks;
  if (job.sequence_fill != 1.0)
    value["sequence_fill"] = job.sequence_fill;
  if (job.loss_share != 1.0)
    value["loss_share"] = job.loss_share;
  if (job.steps)
    value["steps"] = *job.steps;
  return value;
}

Job read_job(JsonObject& object) {
  Job job;
  job.global_batch = object.integer("global_batch", {1, kMaxBatch});
  job.seq_len = object.integer("seq_len", {1, kMaxTokens});
  job.precision = object.choice<Precision>("precision", kPrecisionWords);
  job.optimizer = object.choice<OptimizerKind>("optimizer", kOptimizerKindWords);
  job.attention = object.choice<AttentionKernel>("attention", kAttentionKernelWords);
  job.framework = object.string("framework");
  job.year = static_cast<int>(object.optional_integer("year", {kFirstYear, kLastYear}).value_or(0));
  job.expert_imbalance = object.optional_number("expert_imbalance", {1.0, kMaxImbalance}).value_or(1.0);
  job.expert_capacity = object.optional_number("expert_capacity", {kMinCapacity, kMaxImbalance});
  job.dropout = object.optional_boolean("dropout");
  job.adapter_rank = static_cast<int>(object.optional_integer("adapter_rank", {0, kMaxAdapterRank}).value_or(0));
  job.loss = object.optional_choice<LossKernel>("loss", kLossKernelWords);
  job.loss_chunks = static_cast<int>(object.optional_integer("loss_chunks", {1, kMaxAdapterRank}).value_or(1));
  job.sequence_fill = object.optional_number("sequence_fill", {kMinTokenShare, 1.0}).value_or(1.0);
  job.loss_share = object.optional_number("loss_share", {kMinTokenShare, 1.0}).value_or(1.0);
  job.steps = object.optional_integer("steps", {1, kMaxSteps});
  object.finish();
  return job;
}

Layout read_layout(JsonObject& object) {
  Layout layout;
  layout.dp = read_int(object, "dp", 1, kMaxDegree);
  layout.tp = read_int(object, "tp", 1, kMaxDegree);
  layout.pp = read_int(object, "pp", 1, kMaxDegree);
  layout.vpp = read_int(object, "vpp", 1, kMaxDegree);
  layout.cp = read_int(object, "cp", 1, kMaxDegree);
  layout.ep = read_int(object, "ep", 1, kMaxDegree);
  layout.etp = read_int(object, "etp", 1, kMaxDegree);
  layout.sequence_parallel = object.boolean("sequence_parallel");
  layout.zero = read_int(object, "zero", 0, 3);
  layout.zero_group = read_int(object, "zero_group", 0, kMaxDegree);
  layout.micro_batch = object.integer("micro_batch", {1, kMaxBatch});
  layout.schedule = object.choice<PipelineSchedule>("schedule", kPipelineScheduleWords);
  layout.recompute = object.choice<Recompute>("recompute", kRecomputeWords);
  layout.overlap_gradients = object.boolean("overlap_gradients");
  layout.bucket = positive_byte_count(object, "bucket");
  // Added after the first release of the format: absent means what plans without them meant.
  layout.overlap_parameters = object.optional_boolean("overlap_parameters").value_or(true);
  layout.reshard_after_forward = object.optional_boolean("reshard_after_forward").value_or(true);
  layout.gathers_in_flight = static_cast<int>(
      object.optional_integer("gathers_in_flight", {1, kMaxGathers}).value_or(layout.gathers_in_flight));
  if (object.has("overlap_messages"))
    layout.overlap_messages = object.boolean("overlap_messages");
  layout.tensor_chunks = static_cast<int>(object.optional_integer("tensor_chunks", {1, kMaxTensorChunks}).value_or(1));
  layout.recompute_layers = static_cast<int>(object.optional_integer("recompute_layers", {0, kMaxDegree}).value_or(0));
  if (object.has("stage_layers"))
    for (const std::int64_t layers : object.integers("stage_layers", {0, kMaxDegree}))
      layout.stage_layers.push_back(static_cast<int>(layers));
  if (object.has("cp_kind"))  // plans written before there was a choice used the ring
    layout.cp_kind = object.choice<ContextKind>("cp_kind", kContextKindWords);
  layout.compression =
      object.optional_choice<Compression>("compression", kCompressionWords).value_or(Compression::none);
  layout.sync_every = static_cast<int>(object.optional_integer("sync_every", {1, kMaxDegree}).value_or(1));
  layout.parameter_servers =
      static_cast<int>(object.optional_integer("parameter_servers", {0, kMaxDegree}).value_or(0));
  layout.interleave_group = static_cast<int>(object.optional_integer("interleave_group", {0, kMaxDegree}).value_or(0));
  layout.offload_optimizer = object.optional_boolean("offload_optimizer").value_or(false);
  layout.offload_parameters = object.optional_boolean("offload_parameters").value_or(false);
  layout.offload_activations = object.optional_boolean("offload_activations").value_or(false);
  object.finish();
  // world_size() multiplies in int.
  const double ranks = static_cast<double>(layout.dp) * layout.tp * layout.pp * layout.cp;
  if (ranks > kMaxDegree)
    object.add_error("", "has dp x tp x pp x cp = " + std::to_string(static_cast<std::int64_t>(ranks)) + " ranks",
                     "at most " + std::to_string(kMaxDegree) + " are possible");
  return layout;
}

void fill(const Plan& plan, ordered_json& value) {
  value["model"] = model_value(plan.model);
  value["cluster"] = cluster_value(plan.cluster);
  value["job"] = job_value(plan.job);
  value["layout"] = layout_value(plan.layout);
  value["constants_origin"] = plan.constants.origin;
  value["constants"] = constants_value(plan.constants);
  value["assumptions"] = plan.assumptions;
}

}  // namespace

ordered_json layout_value(const Layout& layout) {
  ordered_json value{{"dp", layout.dp},
                     {"tp", layout.tp},
                     {"pp", layout.pp},
                     {"vpp", layout.vpp},
                     {"cp", layout.cp},
                     {"ep", layout.ep},
                     {"etp", layout.etp},
                     {"sequence_parallel", layout.sequence_parallel},
                     {"zero", layout.zero},
                     {"zero_group", layout.zero_group},
                     {"micro_batch", layout.micro_batch},
                     {"schedule", word_of(kPipelineScheduleWords, layout.schedule)},
                     {"recompute", word_of(kRecomputeWords, layout.recompute)},
                     {"overlap_gradients", layout.overlap_gradients},
                     {"bucket", exact_text(layout.bucket)},
                     {"overlap_parameters", layout.overlap_parameters},
                     {"reshard_after_forward", layout.reshard_after_forward},
                     {"gathers_in_flight", layout.gathers_in_flight},
                     {"recompute_layers", layout.recompute_layers},
                     {"tensor_chunks", layout.tensor_chunks},
                     {"overlap_messages", layout.overlap_messages},
                     {"stage_layers", layout.stage_layers},
                     {"cp_kind", word_of(kContextKindWords, layout.cp_kind)}};
  if (layout.compression != Compression::none)
    value["compression"] = word_of(kCompressionWords, layout.compression);
  if (layout.sync_every != 1)
    value["sync_every"] = layout.sync_every;
  if (layout.parameter_servers != 0)
    value["parameter_servers"] = layout.parameter_servers;
  if (layout.interleave_group != 0)
    value["interleave_group"] = layout.interleave_group;
  for (const auto& [key, is_on] : {std::pair{"offload_optimizer", layout.offload_optimizer},
                                   std::pair{"offload_parameters", layout.offload_parameters},
                                   std::pair{"offload_activations", layout.offload_activations}})
    if (is_on)
      value[key] = true;
  return value;
}

ordered_json plan_value(const Plan& plan) {
  auto value = ordered_json::object();
  fill(plan, value);
  return value;
}

Plan read_plan(JsonObject& object) {
  Plan plan;
  JsonObject model = object.object("model");
  plan.model = read_model(model);
  JsonObject cluster = object.object("cluster");
  plan.cluster = read_cluster(cluster);
  JsonObject job = object.object("job");
  plan.job = read_job(job);
  JsonObject layout = object.object("layout");
  plan.layout = read_layout(layout);
  plan.constants.origin = object.string("constants_origin");
  JsonObject constants = object.object("constants");
  const bool given = object.has("constants");
  const std::vector<std::string> missing = read_constants(constants, plan.constants);
  plan.assumptions = optional_strings(object, "assumptions");
  if (given)
    for (const std::string& name : missing) {
      constants.add_warning(name, "is missing; the built-in value is taken");
      plan.assumptions.push_back("the plan does not state the constant " + name + "; the built-in value is taken");
    }
  object.finish();
  return plan;
}

std::string to_plan_json(const Plan& plan) {
  ordered_json value{{"format", "trainwright/plan/v1"}};
  fill(plan, value);
  return canonical_text(value);
}

std::optional<Plan> plan_from_json(std::string_view text, std::string source, Diagnostics& diagnostics) {
  return read_document(text, std::move(source), "plan", diagnostics, read_plan);
}

}  // namespace trainwright::model
