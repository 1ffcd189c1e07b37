// Hugging Face accelerate's YAML to a request. Keys: accelerate/commands/config and utils/dataclasses.py of
// huggingface/accelerate.
// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "model/io/importers/imported_request.hpp"

namespace trainwright::model {
namespace {

constexpr std::array kWithoutEffect = std::to_array<std::string_view>({
    "command_file",
    "commands",
    "compute_environment",
    "debug",
    "downcast_bf16",
    "enable_cpu_affinity",
    "fsdp_config/fsdp_cpu_ram_efficient_loading",
    "fsdp_config/fsdp_ignored_modules",
    "fsdp_config/fsdp_state_dict_type",
    "fsdp_config/fsdp_sync_module_states",
    "fsdp_config/fsdp_transformer_layer_cls_to_wrap",
    "fsdp_config/fsdp_use_orig_params",
    "gpu_ids",
    "machine_rank",
    "main_process_ip",
    "main_process_port",
    "main_training_function",
    "rdzv_backend",
    "same_network",
    "tpu_env",
    "tpu_name",
    "tpu_use_cluster",
    "tpu_use_sudo",
    "tpu_zone",
    "use_cpu",
});

constexpr std::array kNotModeled = std::to_array<std::string_view>({
    "dynamo_backend",
    "dynamo_config",
    "fp8_config",
    "fsdp_config/fsdp_auto_wrap_policy",
    "fsdp_config/fsdp_backward_prefetch",
    "fsdp_config/fsdp_forward_prefetch",
    "fsdp_config/fsdp_min_num_params",
});

std::string text_of(const YAML::Node& node) {
  if (node.IsScalar())
    return node.Scalar();
  if (node.IsNull())
    return "null";
  YAML::Emitter emitter;
  emitter << YAML::Flow << node;
  return emitter.c_str();
}

class Importer {
 public:
  Importer(const YAML::Node& config, const std::string& source, Diagnostics& diagnostics)
      : config_(config), source_(source), diagnostics_(diagnostics) {}

  std::optional<ImportedRequest> import() {
    read_processes();
    read_precision();
    read_distribution();
    for (const auto& entry : config_) {
      const std::string key = entry.first.Scalar();
      if (entry.second.IsMap() && key.ends_with("_config"))
        for (const auto& inner : entry.second)
          sort(key + "/" + inner.first.Scalar(), inner.second);
      else
        sort(key, entry.second);
    }
    for (const auto& [what, option] :
         {std::pair{"micro-batch", "--micro-batch"}, std::pair{"global batch", "--global-batch"},
          std::pair{"sequence length", "--seq-len"}})
      if (!(std::string_view(what) == "global batch" && request_.choices.micro_batches))
        request_.asked.push_back(std::string("the ") + what + " is the training script's: " + option);
    if (diagnostics_.has_errors())
      return std::nullopt;
    return std::move(request_);
  }

 private:
  // Const access all the way: on other nodes yaml-cpp's [] and = change the document.
  YAML::Node find(const std::string& key) {
    const std::size_t slash = key.find('/');
    const YAML::Node section = config_[key.substr(0, slash)];
    const bool is_nested = slash != std::string::npos;
    if (!section || (is_nested && !section.IsMap()))
      return YAML::Node(YAML::NodeType::Undefined);
    const YAML::Node found = is_nested ? section[key.substr(slash + 1)] : section;
    if (found)
      read_.push_back(key);
    return found;
  }

  void error(const std::string& key, std::string message, std::string hint = {}) {
    diagnostics_.add_error(source_, "/" + key, std::move(message), std::move(hint));
  }

  std::optional<std::int64_t> number(const std::string& key) {
    const YAML::Node node = find(key);
    if (!node || node.IsNull())
      return std::nullopt;
    const std::string text = text_of(node);
    if (text == "auto") {
      request_.asked.push_back(key + " is auto");
      return std::nullopt;
    }
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size() || value < 1) {
      error(key, "is \"" + text + "\"; a whole number above 0 is needed");
      return std::nullopt;
    }
    return value;
  }

  std::optional<bool> truth(const std::string& key) {
    const YAML::Node node = find(key);
    if (!node || node.IsNull())
      return std::nullopt;
    const std::string text = text_of(node);
    if (text == "true" || text == "True" || text == "yes")
      return true;
    if (text == "false" || text == "False" || text == "no")
      return false;
    error(key, "is \"" + text + "\"; true or false is needed");
    return std::nullopt;
  }

  std::string word(const std::string& key) {
    const YAML::Node node = find(key);
    return node && node.IsScalar() ? node.Scalar() : "";
  }

  void read_processes() {
    const std::optional<std::int64_t> processes = number("num_processes");
    const std::optional<std::int64_t> machines = number("num_machines");
    request_.launched_ranks = processes;
    request_.choices.gpus = processes;
    if (!processes) {
      request_.asked.emplace_back("num_processes is not given: --gpus");
      return;
    }
    if (*processes % machines.value_or(1) != 0)
      request_.problems.push_back(std::to_string(*processes) + " processes cannot be spread evenly over " +
                                  std::to_string(*machines) + " machines");
    else
      request_.ranks_per_node = *processes / machines.value_or(1);
  }

  void read_precision() {
    const std::string precision = word("mixed_precision");
    if (precision == "bf16")
      request_.choices.precision = Precision::bf16;
    else if (precision == "fp16")
      request_.choices.precision = Precision::fp16;
    else if (precision == "fp8")
      request_.choices.precision = Precision::fp8;
    else if (precision == "no")
      request_.choices.precision = Precision::fp32;
    else if (precision.empty())
      request_.asked.emplace_back("mixed_precision is not given: --precision");
    else
      error("mixed_precision", "is \"" + precision + "\"", "allowed: no, fp16, bf16, fp8");
  }

  void read_distribution() {
    PlanChoices& choices = request_.choices;
    const std::string type = word("distributed_type");
    choices.framework = "pytorch-ddp";
    if (type == "FSDP") {
      choices.framework = "fsdp";
      read_fsdp();
    } else if (type == "MULTI_GPU" || type == "NO" || type == "MULTI_CPU") {
      choices.zero = 0;
      choices.overlap_gradients = true;
    } else if (type == "DEEPSPEED") {
      choices.framework = "deepspeed";
      read_deepspeed();
    } else if (type == "MEGATRON_LM") {
      choices.framework = "megatron-lm";
      choices.tp = number("megatron_lm_config/megatron_lm_tp_degree");
      choices.pp = number("megatron_lm_config/megatron_lm_pp_degree");
      choices.micro_batches = number("megatron_lm_config/megatron_lm_num_micro_batches");
      choices.sequence_parallel = truth("megatron_lm_config/megatron_lm_sequence_parallelism");
    } else {
      error("distributed_type", type.empty() ? "is missing" : "is \"" + type + "\"",
            "allowed: FSDP, MULTI_GPU, DEEPSPEED, MEGATRON_LM, NO");
    }
  }

  void read_fsdp() {
    PlanChoices& choices = request_.choices;
    const std::string strategy = word("fsdp_config/fsdp_sharding_strategy");
    const std::string reshard = word("fsdp_config/fsdp_reshard_after_forward");
    const bool is_hybrid =
        strategy == "HYBRID_SHARD" || strategy == "4" || strategy == "HYBRID_SHARD_ZERO2" || strategy == "5";
    if (strategy == "FULL_SHARD" || strategy == "1" || strategy == "HYBRID_SHARD" || strategy == "4")
      choices.zero = 3;
    else if (strategy == "SHARD_GRAD_OP" || strategy == "2" || strategy == "HYBRID_SHARD_ZERO2" || strategy == "5")
      choices.zero = 2;
    else if (strategy == "NO_SHARD" || strategy == "3")
      choices.zero = 0;
    else if (!strategy.empty())
      error("fsdp_config/fsdp_sharding_strategy", "is \"" + strategy + "\"",
            "allowed: FULL_SHARD, SHARD_GRAD_OP, NO_SHARD, HYBRID_SHARD, HYBRID_SHARD_ZERO2 or 1 to 5");
    else if (word("fsdp_config/fsdp_version") == "2" || !reshard.empty())
      choices.zero = reshard == "false" || reshard == "False" ? 2 : 3;
    else
      choices.zero = 3;
    word("fsdp_config/fsdp_version");  // known, whatever it decides
    if (strategy.empty())
      request_.notes.push_back("no fsdp_sharding_strategy: zero " + std::to_string(choices.zero.value_or(3)));
    if (is_hybrid) {
      choices.zero_group = request_.ranks_per_node;
      if (!request_.ranks_per_node)
        request_.asked.emplace_back("HYBRID_SHARD shards inside a node: --hsdp");
    }
    choices.overlap_gradients = true;
    choices.recompute =
        truth("fsdp_config/fsdp_activation_checkpointing").value_or(false) ? Recompute::full : Recompute::none;
    // FSDP steps where its shards are: on the host.
    if (truth("fsdp_config/fsdp_offload_params").value_or(false))
      choices.offload_parameters = choices.offload_optimizer = true;
  }

  void read_deepspeed() {
    PlanChoices& choices = request_.choices;
    const YAML::Node stage = find("deepspeed_config/zero_stage");
    if (find("deepspeed_config/deepspeed_config_file"))
      request_.notes.push_back("the rest is in " + word("deepspeed_config/deepspeed_config_file") +
                               ": import it with `trainwright import deepspeed`");
    if (stage && stage.IsScalar() && (stage.Scalar().size() != 1 || stage.Scalar() < "0" || stage.Scalar() > "3"))
      error("deepspeed_config/zero_stage", "is \"" + stage.Scalar() + "\"", "allowed: 0, 1, 2, 3");
    else if (stage && stage.IsScalar())
      choices.zero = stage.Scalar().front() - '0';
    choices.micro_batches = number("deepspeed_config/gradient_accumulation_steps");
    const auto read_offload = [&](const char* key, std::optional<bool>& choice) {
      const std::string device = word(key);
      if (device == "cpu")
        choice = true;
      else if (!device.empty() && device != "none")
        request_.problems.push_back(std::string(key) + " " + device +
                                    ": this program offloads to host memory only, so memory and time would be those "
                                    "without it");
    };
    read_offload("deepspeed_config/offload_optimizer_device", choices.offload_optimizer);
    read_offload("deepspeed_config/offload_param_device", choices.offload_parameters);
  }

  void sort(const std::string& key, const YAML::Node& value) {
    const auto contains = [&](const auto& names) { return std::find(names.begin(), names.end(), key) != names.end(); };
    if (contains(read_))
      return;
    if (contains(kWithoutEffect))
      request_.without_effect.push_back(key);
    else if (contains(kNotModeled))
      request_.notes.push_back(key + " " + text_of(value) +
                               " changes time or memory; this program has no choice for it");
    else
      request_.unknown.push_back(key + " " + text_of(value));
  }

  const YAML::Node config_;
  std::string source_;
  Diagnostics& diagnostics_;
  ImportedRequest request_;
  std::vector<std::string> read_;  // paths that were asked for and are there
};

}  // namespace

std::optional<ImportedRequest> request_from_accelerate(std::string_view text, const std::string& source,
                                                       Diagnostics& diagnostics) {
  YAML::Node config;
  try {
    config = YAML::Load(std::string(text));
  } catch (const YAML::Exception& exception) {
    diagnostics.add_error(source, {}, std::string("is not YAML: ") + exception.what());
    return std::nullopt;
  }
  if (!config.IsMap() || (!config["distributed_type"] && !config["num_processes"] && !config["compute_environment"])) {
    diagnostics.add_error(source, {},
                          "is no configuration of accelerate: it has none of distributed_type, "
                          "num_processes, compute_environment",
                          "accelerate config writes one");
    return std::nullopt;
  }
  for (const auto& entry : config)
    if (!entry.first.IsScalar()) {
      diagnostics.add_error(source, {}, "has a key that is no word");
      return std::nullopt;
    }
  return Importer(config, source, diagnostics).import();
}

}  // namespace trainwright::model
