// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf_config.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "model/io/hf/families.hpp"
#include "model/io/hf/heads.hpp"
#include "model/io/hf/model_name.hpp"
#include "model/io/json_reader.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model {
namespace {

using hf::HfReader;

struct Family {
  std::string_view model_type;
  std::string_view class_prefix;  ///< of the names in `architectures`, for files without model_type
  std::string_view title;
  void (*read)(HfReader&, Model&);
  bool reads_own_head = false;
};

constexpr bool kOwnHead = true;

constexpr auto kFamilies = std::to_array<Family>({
    {"bert", "Bert", "BERT", hf::read_bert, kOwnHead},
    {"bloom", "Bloom", "BLOOM", hf::read_bloom},
    {"deepseek_v2", "DeepseekV2", "DeepSeek V2", hf::read_deepseek_v2},
    {"deepseek_v3", "DeepseekV3", "DeepSeek V3", hf::read_deepseek_v3},
    {"falcon", "Falcon", "Falcon", hf::read_falcon},
    {"gemma", "Gemma", "Gemma", hf::read_gemma},
    {"gemma2", "Gemma2", "Gemma 2", hf::read_gemma2},
    {"gemma3", "Gemma3", "Gemma 3", hf::read_gemma3},
    {"gemma3_text", "Gemma3", "Gemma 3", hf::read_gemma3},
    {"gpt2", "GPT2", "GPT-2", hf::read_gpt2},
    {"gpt_neox", "GPTNeoX", "GPT-NeoX", hf::read_gpt_neox},
    {"gpt_oss", "GptOss", "gpt-oss", hf::read_gpt_oss},
    {"gptj", "GPTJ", "GPT-J", hf::read_gptj},
    {"kimi_k2", "DeepseekV3", "Kimi K2", hf::read_deepseek_v3},
    {"llama", "Llama", "Llama", hf::read_llama},
    {"mistral", "Mistral", "Mistral", hf::read_mistral},
    {"mixtral", "Mixtral", "Mixtral", hf::read_mixtral},
    {"mpt", "MPT", "MPT", hf::read_mpt},
    {"mt5", "MT5", "mT5", hf::read_mt5, kOwnHead},
    {"opt", "OPT", "OPT", hf::read_opt},
    {"phi", "Phi", "Phi", hf::read_phi},
    {"phi3", "Phi3", "Phi-3", hf::read_phi3},
    {"qwen2", "Qwen2", "Qwen2", hf::read_qwen2},
    {"qwen2_moe", "Qwen2Moe", "Qwen2 MoE", hf::read_qwen2_moe},
    {"qwen3", "Qwen3", "Qwen3", hf::read_qwen3},
    {"qwen3_moe", "Qwen3Moe", "Qwen3 MoE", hf::read_qwen3_moe},
    {"roberta", "Roberta", "RoBERTa", hf::read_roberta, kOwnHead},
    {"t5", "T5", "T5", hf::read_t5, kOwnHead},
    {"vit", "ViT", "ViT", hf::read_vit, kOwnHead},
    {"xlm-roberta", "XLMRoberta", "XLM-RoBERTa", hf::read_roberta, kOwnHead},
});

std::string supported_text() {
  std::string text;
  for (const std::string& type : supported_hf_model_types())
    text += (text.empty() ? "supported: " : ", ") + type;
  return text;
}

// "LlamaForCausalLM" is of class prefix "Llama". Spelling differs between releases ("MPTForCausalLM",
// "MptForCausalLM").
bool is_class_of(std::string_view architecture, std::string_view prefix) {
  const std::string_view role = hf::role_of(architecture);
  const std::string_view name = architecture.substr(0, architecture.size() - role.size());
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(name.begin(), name.end(), prefix.begin(), prefix.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

const Family* family_of(HfReader& config) {
  const std::string& type = config.model_type();
  for (const Family& family : kFamilies)
    if (type.empty() ? is_class_of(config.architecture(), family.class_prefix) : family.model_type == type)
      return &family;
  if (type.empty() && config.architecture().empty())
    config.add_error("model_type", "is missing, and so is architectures",
                     "one of them must say what the network is; " + supported_text());
  else
    config.add_error(type.empty() ? "architectures" : "model_type",
                     "\"" + (type.empty() ? config.architecture() : type) + "\" is not a supported architecture",
                     "its layers are not known here: describe the model in a profile file; " + supported_text());
  return nullptr;
}

// A multimodal file: the language model is an object of its own, the other towers are named in a warning.
void warn_of_other_towers(HfReader& root) {
  for (const std::string_view key : {"vision_config", "audio_config", "vq_config"})
    if (root.has(key))
      root.add_warning(key, "is not counted", "only the language model in text_config is imported");
}

// `outer` is the whole file where `config` is its text_config.
std::optional<Model> read_language_model(HfReader& config, HfReader* outer, const std::string& source) {
  const Family* family = family_of(config);
  Model model;
  if (family != nullptr) {
    model.architecture = config.architecture();
    if (model.architecture.empty() && outer != nullptr)
      model.architecture = outer->architecture();
    if (!config.architecture().empty() && !is_class_of(config.architecture(), family->class_prefix))
      config.add_warning(
          "architectures",
          "\"" + config.architecture() + "\" is not a class of model_type \"" + std::string(family->model_type) + "\"",
          "it is read as " + std::string(family->title) + "; its own code may add weights");
    family->read(config, model);
    if (outer != nullptr && outer->has("tie_word_embeddings") && !config.has("tie_word_embeddings"))
      model.tied_embeddings = outer->flag("tie_word_embeddings", model.tied_embeddings);
    if (!family->reads_own_head)
      hf::read_decoder_head(config, model);
  }
  config.finish(family != nullptr);
  if (config.diagnostics().has_errors())
    return std::nullopt;
  hf::name_model(config, std::string(family->title), source, model);
  return model;
}

std::optional<Model> read_document(const JsonDocument& document, Diagnostics& diagnostics) {
  JsonObject object = document.root(diagnostics);
  if (!document.value().is_object())
    return std::nullopt;
  HfReader root(object, document.value(), object.optional_string("model_type").value_or(""));
  if (diagnostics.has_errors())
    return std::nullopt;
  if (!root.has("text_config"))
    return read_language_model(root, nullptr, document.source());
  warn_of_other_towers(root);
  std::optional<HfReader> language = root.object("text_config");
  if (!language || diagnostics.has_errors())
    return std::nullopt;
  return read_language_model(*language, &root, document.source());
}

}  // namespace

std::vector<std::string> supported_hf_model_types() {
  std::vector<std::string> types;
  for (const Family& family : kFamilies)
    types.emplace_back(family.model_type);
  std::sort(types.begin(), types.end());
  return types;
}

std::optional<Model> model_from_hf_config(std::string_view text, std::string source, Diagnostics& diagnostics) {
  Diagnostics found;  // apart from the caller's, whose earlier errors say nothing about this file
  std::optional<Model> model;
  if (const std::optional<JsonDocument> document = JsonDocument::parse(text, std::move(source), found))
    model = read_document(*document, found);
  diagnostics.append(found);
  return model;
}

}  // namespace trainwright::model
