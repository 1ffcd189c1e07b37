// Arguments of Megatron-LM to a request. Names and defaults: megatron/training/arguments.py of NVIDIA/Megatron-LM.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "model/io/importers/imported_request.hpp"
#include "model/io/importers/megatron_flags.hpp"
#include "model/io/importers/shell_words.hpp"
#include "model/io/importers/text_lines.hpp"
#include "model/io/load.hpp"

namespace trainwright::model {
namespace {

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return value;
}

bool is_flag(const std::string& word) {
  return word.size() > 2 && word.starts_with("--");
}

// What follows a flag may be more than its value: the program, the words of the next command.
std::string first_word(const std::string& value) {
  return value.substr(0, value.find(' '));
}

// "--nproc_per_node" and "--nproc-per-node" are one.
std::string dashed(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

class Importer {
 public:
  Importer(const std::string& source, Diagnostics& diagnostics) : source_(source), diagnostics_(diagnostics) {}

  std::optional<ImportedRequest> import(std::string_view text) {
    const ShellText shell = read_shell_text(text);
    collect(shell.words);
    for (const auto& [name, value] : shell.remarks)
      if (name == "nproc_per_node" || name == "nnodes")
        flags_.try_emplace("--" + dashed(name), value);
    const bool any = std::any_of(flags_.begin(), flags_.end(),
                                 [](const auto& flag) { return megatron_flag(flag.first) != MegatronFlag::unknown; });
    if (!any) {
      diagnostics_.add_error(source_, {}, "holds no argument of Megatron-LM",
                             "give the launch script or its flags, for example --tensor-model-parallel-size 8");
      return std::nullopt;
    }
    sort_flags();
    read_layout();
    read_job();
    read_model();
    read_launcher();
    if (diagnostics_.has_errors())
      return std::nullopt;
    return std::move(request_);
  }

 private:
  void collect(const std::vector<std::string>& words) {
    std::string last;
    for (const std::string& word : words) {
      if (is_flag(word)) {
        const std::size_t equals = word.find('=');
        last = word.substr(0, equals);
        if (last.starts_with("--nproc") || last.starts_with("--nnodes"))
          last = dashed(last);
        flags_[last] = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (equals != std::string::npos)
          last.clear();
      } else if (!last.empty()) {
        std::string& value = flags_[last];
        value += (value.empty() ? "" : " ") + word;
      }
    }
  }

  void sort_flags() {
    for (const auto& [name, value] : flags_)
      switch (megatron_flag(name)) {
        case MegatronFlag::read:
          break;
        case MegatronFlag::part_of_model:
          parts_of_model_.emplace_back(name.substr(2), value.empty() ? "yes" : value);
          break;
        case MegatronFlag::without_effect:
          request_.without_effect.push_back(name);
          break;
        case MegatronFlag::not_modeled:
          request_.notes.push_back(name + (value.empty() ? "" : " " + value) +
                                   " changes time or memory; this program has no choice for it");
          break;
        case MegatronFlag::unknown:
          request_.unknown.push_back(name + (value.empty() ? "" : " " + value));
          break;
      }
  }

  [[nodiscard]] bool has(const std::string& name) const { return flags_.count(name) > 0; }

  std::optional<std::int64_t> number(const std::string& name) {
    const auto found = flags_.find(name);
    if (found == flags_.end())
      return std::nullopt;
    const std::optional<std::int64_t> value = whole(first_word(found->second));
    if (value && *value > 0)
      return value;
    if (found->second.find('$') != std::string::npos)
      request_.asked.push_back(name + " is " + first_word(found->second) + ", which the text does not set");
    else
      diagnostics_.add_error(source_, name, "is \"" + found->second + "\"; a whole number above 0 is needed");
    return std::nullopt;
  }

  std::string word(const std::string& name) const {
    const auto found = flags_.find(name);
    return found == flags_.end() ? "" : first_word(found->second);
  }

  void note(std::string text) { request_.notes.push_back(std::move(text)); }

  void read_layout() {
    PlanChoices& choices = request_.choices;
    choices.tp = number("--tensor-model-parallel-size").value_or(1);
    choices.pp = number("--pipeline-model-parallel-size").value_or(1);
    choices.cp = number("--context-parallel-size").value_or(1);
    choices.ep = number("--expert-model-parallel-size").value_or(1);
    choices.etp = number("--expert-tensor-parallel-size");
    choices.layers_per_chunk = number("--num-layers-per-virtual-pipeline-stage");
    choices.vpp = number("--num-virtual-stages-per-pipeline-rank");
    choices.sequence_parallel = has("--sequence-parallel") && *choices.tp > 1;
    if (has("--sequence-parallel") && *choices.tp == 1)
      note("--sequence-parallel has no effect with one tensor-parallel rank");
    choices.zero = has("--use-distributed-optimizer") ? 1 : 0;
    if (has("--use-torch-fsdp2") || word("--data-parallel-sharding-strategy") == "optim_grads_params")
      choices.zero = 3;
    else if (word("--data-parallel-sharding-strategy") == "optim_grads")
      choices.zero = 2;
    choices.overlap_gradients = has("--overlap-grad-reduce");
    if (const auto elements = number("--ddp-bucket-size"))
      choices.bucket = ByteCount(*elements * (has("--grad-reduce-in-bf16") ? 2 : 4));
    const std::int64_t dense = *choices.tp * *choices.cp * *choices.pp;
    const std::int64_t experts = choices.etp.value_or(*choices.tp) * *choices.ep * *choices.pp;
    request_.ranks_multiple = *choices.ep > 1 ? std::lcm(dense, experts) : dense;
  }

  void read_recompute() {
    const std::string granularity = word("--recompute-granularity");
    if (granularity == "full")
      request_.choices.recompute = Recompute::full;
    else if (granularity == "selective" || has("--recompute-activations"))
      request_.choices.recompute = Recompute::selective;
    else if (granularity.empty())
      request_.choices.recompute = Recompute::none;
    else
      diagnostics_.add_error(source_, "--recompute-granularity", "is \"" + granularity + "\"",
                             "allowed: full, selective");
    if (granularity == "full" && word("--recompute-method") == "block")
      request_.choices.recompute_layers = number("--recompute-num-layers");
  }

  void read_job() {
    PlanChoices& choices = request_.choices;
    choices.micro_batch = number("--micro-batch-size");
    choices.global_batch = number("--global-batch-size");
    choices.seq_len = number("--seq-length");
    choices.steps = number("--train-iters");
    if (has("--rampup-batch-size") || has("--step-batch-size-schedule"))
      note("the batch grows during the run; the global batch is the final one");
    choices.precision = has("--fp8-format") ? Precision::fp8
                        : has("--bf16")     ? Precision::bf16
                        : has("--fp16")     ? Precision::fp16
                                            : Precision::fp32;
    if (has("--fp8-recipe") && word("--fp8-recipe") == "mxfp8")
      choices.precision = Precision::mxfp8;
    const std::string optimizer = has("--optimizer") ? word("--optimizer") : "adam";
    if (optimizer == "adam")
      choices.optimizer = OptimizerKind::adam;
    else if (optimizer == "sgd")
      choices.optimizer = OptimizerKind::sgd_momentum;
    else
      note("--optimizer " + optimizer + " is not among adam, sgd");
    if (has("--use-flash-attn") || word("--attention-backend") == "flash" || word("--attention-backend") == "fused")
      choices.attention = AttentionKernel::flash;
    else if (word("--attention-backend") == "unfused")
      choices.attention = AttentionKernel::unfused;
    choices.framework = "megatron-core";
    read_recompute();
    for (const auto& [name, value, option] : {std::tuple{"--micro-batch-size", choices.micro_batch, "--micro-batch"},
                                              std::tuple{"--global-batch-size", choices.global_batch, "--global-batch"},
                                              std::tuple{"--seq-length", choices.seq_len, "--seq-len"}})
      if (!value && !has(name))
        request_.asked.push_back(std::string(name) + " is not given: " + option);
  }

  void read_model() {
    const auto fact = [&](const char* label, const std::string& name) {
      const std::optional<std::int64_t> value = number(name);
      if (value)
        request_.model_shape.emplace_back(label, std::to_string(*value));
      return value;
    };
    const auto layers = fact("layers", "--num-layers");
    const auto hidden = fact("hidden", "--hidden-size");
    const auto ffn = fact("feed-forward", "--ffn-hidden-size");
    const auto heads = fact("heads", "--num-attention-heads");
    const auto groups = has("--group-query-attention") ? fact("key/value heads", "--num-query-groups") : heads;
    const auto experts = fact("experts", "--num-experts");
    fact("experts per token", "--moe-router-topk");
    const auto vocab = fact("vocabulary", "--vocab-size");
    request_.model_shape.insert(request_.model_shape.end(), parts_of_model_.begin(), parts_of_model_.end());
    if (!layers || !hidden || !heads)
      return;
    for (const std::string& id : profile_ids(ProfileKind::model)) {
      Diagnostics ignored;
      const std::optional<Model> model = load_model(id, ignored);
      if (!model || model->layers.size() != 1 || model->hidden != *hidden || layer_count(*model) != *layers)
        continue;
      const LayerShape& layer = model->layers.front().layer;
      const bool fits = layer.attention.heads == *heads && layer.attention.kv_heads == groups.value_or(*heads) &&
                        layer.moe.has_value() == experts.has_value() && (!vocab || model->vocab == *vocab) &&
                        (!experts || layer.moe->experts == *experts) &&
                        (!ffn || (layer.mlp ? layer.mlp->ffn == *ffn : layer.moe->expert_ffn == *ffn));
      if (fits)
        request_.known_model = id;
    }
  }

  void read_launcher() {
    request_.ranks_per_node = number("--nproc-per-node");
    const auto nodes = number("--nnodes");
    if (request_.ranks_per_node)
      request_.launched_ranks = *request_.ranks_per_node * nodes.value_or(1);
    if (!request_.launched_ranks)
      return;
    const std::int64_t launched = *request_.launched_ranks;
    const std::int64_t needed = request_.ranks_multiple;
    if (launched % needed == 0) {
      request_.choices.gpus = launched;
      return;
    }
    const std::int64_t per_node = *request_.ranks_per_node;
    request_.problems.push_back("the layout needs " + std::string(needed > 1 ? "a multiple of " : "") +
                                std::to_string(needed) + " ranks (" +
                                std::to_string((needed + per_node - 1) / per_node) + " nodes of " +
                                std::to_string(per_node) + "), the launcher starts " + std::to_string(launched));
    request_.choices.gpus = needed;
    note("gpus " + std::to_string(needed) + ": the least that the layout needs");
  }

  std::string source_;
  Diagnostics& diagnostics_;
  std::map<std::string, std::string> flags_;
  std::vector<std::pair<std::string, std::string>> parts_of_model_;
  ImportedRequest request_;
};

}  // namespace

std::optional<ImportedRequest> request_from_megatron(std::string_view text, const std::string& source,
                                                     Diagnostics& diagnostics) {
  return Importer(source, diagnostics).import(text);
}

}  // namespace trainwright::model
