// DeepSpeed's ds_config.json to a request. Keys and defaults: https://www.deepspeed.ai/docs/config-json/.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/io/importers/imported_request.hpp"
#include "model/io/json_reader.hpp"

namespace trainwright::model {
namespace {

using nlohmann::json;

// Keys that change neither time nor memory, by their path.
constexpr std::array kWithoutEffect = std::to_array<std::string_view>({
    "comms_logger",
    "csv_monitor",
    "dump_state",
    "elasticity",
    "flops_profiler",
    "fp16/auto_cast",
    "fp16/hysteresis",
    "fp16/initial_scale_power",
    "fp16/loss_scale",
    "fp16/loss_scale_window",
    "fp16/min_loss_scale",
    "gradient_clipping",
    "gradient_predivide_factor",
    "optimizer/params",
    "prescale_gradients",
    "scheduler",
    "steps_per_print",
    "tensorboard",
    "wall_clock_breakdown",
    "wandb",
    "zero_allow_untested_optimizer",
    "zero_force_ds_cpu_optimizer",
    "zero_optimization/elastic_checkpoint",
    "zero_optimization/ignore_unused_parameters",
    "zero_optimization/load_from_fp32_weights",
    "zero_optimization/stage3_gather_16bit_weights_on_model_save",
    "zero_optimization/stage3_gather_fp16_weights_on_model_save",
});

// Keys that change time or memory, and that nothing here can say.
constexpr std::array kNotModeled = std::to_array<std::string_view>({
    "activation_checkpointing",
    "amp",
    "communication_data_type",
    "compression_training",
    "data_types",
    "gradient_accumulation_dtype",
    "pipeline",
    "sparse_attention",
    "sparse_gradients",
    "zero_optimization/allgather_bucket_size",
    "zero_optimization/allgather_partitions",
    "zero_optimization/contiguous_gradients",
    "zero_optimization/log_trace_cache_warnings",
    "zero_optimization/offload_optimizer",
    "zero_optimization/offload_param",
    "zero_optimization/cpu_offload",
    "zero_optimization/overlap_events_timeout",
    "zero_optimization/reduce_scatter",
    "zero_optimization/round_robin_gradients",
    "zero_optimization/stage3_max_live_parameters",
    "zero_optimization/stage3_max_reuse_distance",
    "zero_optimization/stage3_param_persistence_threshold",
    "zero_optimization/stage3_prefetch_bucket_size",
    "zero_optimization/sub_group_size",
    "zero_optimization/zero_quantized_gradients",
    "zero_optimization/zero_quantized_weights",
});

bool is_auto(const json& value) {
  return value.is_string() && value.get<std::string>() == "auto";
}

class Importer {
 public:
  Importer(const json& config, const std::string& source, Diagnostics& diagnostics)
      : config_(config), source_(source), diagnostics_(diagnostics) {}

  std::optional<ImportedRequest> import() {
    PlanChoices& choices = request_.choices;
    choices.framework = "deepspeed";
    choices.global_batch = count("train_batch_size", "--global-batch");
    choices.micro_batch = count("train_micro_batch_size_per_gpu", "--micro-batch");
    choices.micro_batches = count("gradient_accumulation_steps", "--micro-batches");
    read_precision();
    read_optimizer();
    read_zero();
    for (const auto& [key, value] : config_.items())
      if (!value.is_object() || !is_section(key))
        sort(key, value);
      else
        for (const auto& [inner, inner_value] : value.items())
          sort(key + "/" + inner, inner_value);
    check_batch();
    if (!choices.global_batch && !config_.contains("train_batch_size"))
      request_.asked.emplace_back("train_batch_size is not given: --global-batch");
    request_.asked.emplace_back("the sequence length is not in a DeepSpeed configuration: --seq-len");
    request_.asked.emplace_back("the ranks are not in a DeepSpeed configuration: --gpus");
    if (diagnostics_.has_errors())
      return std::nullopt;
    return std::move(request_);
  }

 private:
  static bool is_section(const std::string& key) {
    return key == "fp16" || key == "bf16" || key == "bfloat16" || key == "optimizer" || key == "zero_optimization";
  }

  const json* find(const std::string& key) {
    const json* at = &config_;
    std::size_t begin = 0;
    while (begin <= key.size()) {
      const std::size_t slash = std::min(key.find('/', begin), key.size());
      const auto found = at->is_object() ? at->find(key.substr(begin, slash - begin)) : at->end();
      if (!at->is_object() || found == at->end())
        return nullptr;
      at = &*found;
      begin = slash + 1;
    }
    read_.push_back(key);
    return at;
  }

  void error(const std::string& key, std::string message, std::string hint = {}) {
    diagnostics_.add_error(source_, "/" + key, std::move(message), std::move(hint));
  }

  std::optional<double> number(const std::string& key, const std::string& option) {
    const json* value = find(key);
    if (value == nullptr || value->is_null())
      return std::nullopt;
    if (is_auto(*value)) {
      request_.asked.push_back(key + " is auto" + (option.empty() ? "" : ": " + option));
      return std::nullopt;
    }
    if (value->is_number() && value->get<double>() >= 0.0)
      return value->get<double>();
    error(key, "is " + value->dump() + "; a number from 0 or \"auto\" is needed");
    return std::nullopt;
  }

  std::optional<std::int64_t> count(const std::string& key, const std::string& option) {
    constexpr double kMost = 1e15;
    const std::optional<double> value = number(key, option);
    if (!value)
      return std::nullopt;
    if (*value < 1.0 || *value > kMost || std::floor(*value) != *value) {
      error(key, "is " + find(key)->dump() + "; a whole number above 0 is needed");
      return std::nullopt;
    }
    return static_cast<std::int64_t>(*value);
  }

  std::optional<bool> truth(const std::string& key, const std::string& option) {
    const json* value = find(key);
    if (value == nullptr || value->is_null())
      return std::nullopt;
    if (is_auto(*value)) {
      request_.asked.push_back(key + " is auto: " + option);
      return std::nullopt;
    }
    if (value->is_boolean())
      return value->get<bool>();
    error(key, "is " + value->dump() + "; true, false or \"auto\" is needed");
    return std::nullopt;
  }

  void read_precision() {
    const bool fp16 = truth("fp16/enabled", "--precision fp16").value_or(false);
    const bool bf16 = truth("bf16/enabled", "--precision bf16").value_or(false) ||
                      truth("bfloat16/enabled", "--precision bf16").value_or(false);
    if (fp16 && bf16)
      error("bf16/enabled", "is true, and so is fp16", "one of them");
    const json* section = config_.contains("fp16") ? &config_["fp16"] : nullptr;
    const bool asked = section != nullptr && section->contains("enabled") && is_auto((*section)["enabled"]);
    if (bf16)
      request_.choices.precision = Precision::bf16;
    else if (fp16)
      request_.choices.precision = Precision::fp16;
    else if (!asked)
      request_.choices.precision = Precision::fp32;
  }

  void read_optimizer() {
    const json* type = find("optimizer/type");
    if (type == nullptr || !type->is_string()) {
      request_.notes.emplace_back("the optimizer is the training script's: --optimizer, if it is not Adam");
      return;
    }
    const std::string name = type->get<std::string>();
    if (name == "Adam" || name == "AdamW" || name == "FusedAdam" || name == "CPUAdam")
      request_.choices.optimizer = OptimizerKind::adam;
    else if (name == "SGD")
      request_.choices.optimizer = OptimizerKind::sgd_momentum;
    else
      request_.notes.push_back("optimizer " + name + " is not among adam, sgd, sgd-momentum");
  }

  void read_zero() {
    const std::optional<double> stage = number("zero_optimization/stage", "--zero");
    const json* stage_value = find("zero_optimization/stage");
    if (stage && (*stage > 3.0 || std::floor(*stage) != *stage))
      error("zero_optimization/stage", "is " + stage_value->dump(), "allowed: 0, 1, 2, 3");
    else if (stage)
      request_.choices.zero = static_cast<std::int64_t>(*stage);
    else if (stage_value == nullptr)
      request_.choices.zero = 0;
    const bool by_default = request_.choices.zero == 3;  // overlap_comm is on in stage 3 unless said otherwise
    request_.choices.overlap_gradients = truth("zero_optimization/overlap_comm", "--overlap").value_or(by_default);
    if (const auto group = count("zero_optimization/zero_hpz_partition_size", "--hsdp"); group && *group > 1)
      request_.notes.push_back("zero_hpz_partition_size " + std::to_string(*group) +
                               " keeps a second copy of the parameters in each group, which --hsdp does not say");
    if (const auto group = count("zero_optimization/mics_shard_size", "--hsdp"))
      request_.choices.zero_group = *group;
    // In elements; gradients of mixed precision have 2 bytes.
    if (const auto elements = count("zero_optimization/reduce_bucket_size", "--bucket")) {
      const std::int64_t size = request_.choices.precision == Precision::fp32 ? 4 : 2;
      request_.choices.bucket = ByteCount(*elements * size);
      request_.notes.push_back("reduce_bucket_size counts elements: " + std::to_string(size) + " bytes each");
    }
    read_offload("zero_optimization/offload_optimizer", request_.choices.offload_optimizer);
    read_offload("zero_optimization/offload_param", request_.choices.offload_parameters);
    if (truth("zero_optimization/cpu_offload", "--offload-optimizer").value_or(false))
      request_.choices.offload_optimizer = true;
  }

  void read_offload(const char* key, std::optional<bool>& choice) {
    const json* value = find(key);
    if (value == nullptr || !value->is_object())
      return;
    const std::string device = value->value("device", "none");
    if (device == "cpu")
      choice = true;
    else if (device != "none")
      request_.problems.push_back(std::string(key) + " to " + device +
                                  ": this program offloads to host memory only, so memory and time would be those "
                                  "without it");
  }

  void sort(const std::string& key, const json& value) {
    const auto is_or_is_in = [&](std::string_view known) {
      return key == known || (key.starts_with(known) && key.size() > known.size() && key[known.size()] == '/');
    };
    if (std::find(read_.begin(), read_.end(), key) != read_.end())
      return;
    if (std::any_of(kWithoutEffect.begin(), kWithoutEffect.end(), is_or_is_in))
      request_.without_effect.push_back(key);
    else if (std::any_of(kNotModeled.begin(), kNotModeled.end(), is_or_is_in))
      request_.notes.push_back(key + " " + value.dump() + " changes time or memory; this program has no choice for it");
    else
      request_.unknown.push_back(key + " " + value.dump());
  }

  void check_batch() {
    const PlanChoices& c = request_.choices;
    if (!c.global_batch || !c.micro_batch || !c.micro_batches)
      return;
    const std::int64_t per_replica = *c.micro_batch * *c.micro_batches;
    if (*c.global_batch % per_replica != 0)
      request_.problems.push_back("train_batch_size " + std::to_string(*c.global_batch) +
                                  " is no multiple of train_micro_batch_size_per_gpu x gradient_accumulation_steps = " +
                                  std::to_string(per_replica));
    else
      request_.notes.push_back("train_batch_size over micro-batch and accumulation: " +
                               std::to_string(*c.global_batch / per_replica) + " data-parallel replicas");
  }

  const json& config_;
  std::string source_;
  Diagnostics& diagnostics_;
  ImportedRequest request_;
  std::vector<std::string> read_;  // paths that were asked for
};

}  // namespace

std::optional<ImportedRequest> request_from_deepspeed(std::string_view text, const std::string& source,
                                                      Diagnostics& diagnostics) {
  const std::optional<JsonDocument> document = JsonDocument::parse(text, source, diagnostics);
  if (!document)
    return std::nullopt;
  const json& config = document->value();
  constexpr std::array<const char*, 5> kTypical{"zero_optimization", "train_batch_size",
                                                "train_micro_batch_size_per_gpu", "fp16", "bf16"};
  if (!config.is_object() ||
      std::none_of(kTypical.begin(), kTypical.end(), [&](const char* key) { return config.contains(key); })) {
    diagnostics.add_error(source, {},
                          "is no configuration of DeepSpeed: it has none of zero_optimization, "
                          "train_batch_size, train_micro_batch_size_per_gpu, fp16, bf16");
    return std::nullopt;
  }
  return Importer(config, source, diagnostics).import();
}

}  // namespace trainwright::model
