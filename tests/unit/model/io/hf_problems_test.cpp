// What the importer says about files it cannot or does not fully understand; nothing is dropped without a word.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hf_fixture.hpp"
#include "model/io/hf/heads.hpp"
#include "model/io/hf/model_name.hpp"
#include "model/io/hf/unread_fields.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model::test {
namespace {

using nlohmann::json;

std::string problems(const json& config) {
  return import_text(config.dump()).diagnostics.to_text();
}
json fixture(const std::string& name) {
  return json::parse(hf_fixture(name));
}

TEST(HfProblems, H08AMissingLayerCountIsNamed) {
  json config = fixture("qwen3-32b");
  config.erase("num_hidden_layers");
  EXPECT_FALSE(import_text(config.dump()).model);
  EXPECT_EQ(problems(config), "config.json: /num_hidden_layers: is missing; model_type \"qwen3\" needs it\n");
}

TEST(HfProblems, OtherNamesOfAMissingFieldAreListed) {
  json config = fixture("gpt2");
  config.erase("n_embd");
  config["n_layer"] = nullptr;
  const std::string text = problems(config);
  EXPECT_NE(text.find("/n_embd: is missing; model_type \"gpt2\" needs it, also called hidden_size"), std::string::npos)
      << text;
  EXPECT_NE(text.find("/n_layer: is null; model_type \"gpt2\" needs it, also called num_hidden_layers"),
            std::string::npos)
      << text;
}

TEST(HfProblems, UnknownArchitectureListsTheSupportedOnes) {
  const std::string text = problems({{"model_type", "mamba"}, {"hidden_size", 768}, {"state_size", 16}});
  EXPECT_NE(text.find("config.json: /model_type: \"mamba\" is not a supported architecture"), std::string::npos)
      << text;
  EXPECT_NE(text.find("supported: bert, bloom, deepseek_v2"), std::string::npos) << text;
  EXPECT_NE(text.find("config.json: /state_size: (16) changes the shape"), std::string::npos) << text;
}

TEST(HfProblems, NothingSaysWhatTheNetworkIs) {
  const std::string text = problems({{"hidden_size", 768}});
  EXPECT_NE(text.find("config.json: /model_type: is missing, and so is architectures"), std::string::npos) << text;
}

TEST(HfProblems, TheClassNameStandsInForTheModelType) {
  json config = fixture("gemma-2-2b");
  config.erase("model_type");
  const Imported result = import_text(config.dump());
  ASSERT_TRUE(result.model) << result.diagnostics.to_text();
  EXPECT_EQ(parameter_count(*result.model).total, 2'614'341'888);
}

TEST(HfProblems, FieldsThatSoundLikeShapesAreReported) {
  json config = fixture("llama-3.1-8b");
  config["adapter_hidden_size"] = 64;
  config["my_note"] = "trained on a Tuesday";
  config["extra_gate"] = false;
  const Imported result = import_text(config.dump());
  EXPECT_TRUE(result.model);
  EXPECT_EQ(
      result.diagnostics.to_text(),
      "config.json: warning: /adapter_hidden_size: (64) is not understood for model_type \"llama\"; if it adds or "
      "resizes weights, the counts here are wrong\n");
}

TEST(HfProblems, OrdinarySettingsAreNotReported) {
  json config = fixture("llama-3.1-8b");
  config.update(
      json::parse(R"({"attention_dropout": 0.1, "attn_pdrop": 0.1, "bos_token_id": 1, "chunk_size_feed_forward":
      2, "decoder_start_token_id": 5, "dtype": "bfloat16", "eos_token_id": [1, 2], "hidden_act": "silu",
      "initializer_range": 0.02, "label2id": {"LABEL_0": 0}, "layer_norm_epsilon": 1e-5, "n_ctx": 1024, "num_beams": 4,
      "output_hidden_states": true, "pad_token_id": 3, "pretraining_tp": 2, "quantization_config": {"bits": 4},
      "rms_norm_eps": 1e-5, "rope_parameters": {"rope_theta": 5e5}, "rope_theta": 5e5, "router_aux_loss_coef": 0.1,
      "summary_proj_to_labels": true, "task_specific_params": {"max_length": 50}, "torch_dtype": "float16",
      "transformers_version": "4.43.0", "use_cache": true})"));
  EXPECT_EQ(problems(config), "");
}

TEST(HfProblems, WidthsThatDoNotDivideAreRefused) {
  json config = fixture("llama-2-7b");
  config["num_attention_heads"] = 33;
  EXPECT_NE(problems(config).find("/head_dim: is missing and the hidden size 4096 is not a multiple of the 33 heads"),
            std::string::npos);
  config = fixture("llama-3.1-8b");
  config["num_key_value_heads"] = 5;
  EXPECT_NE(problems(config).find("/num_key_value_heads: is 5; the 32 heads must be a multiple of it"),
            std::string::npos);
  config = fixture("gpt2");
  config["n_head"] = 13;
  EXPECT_NE(problems(config).find("/n_head: is 13; it must divide the hidden size 768"), std::string::npos);
}

TEST(HfProblems, MoreExpertsPerTokenThanExperts) {
  json config = fixture("mixtral-8x7b");
  config["num_experts_per_tok"] = 9;
  EXPECT_NE(problems(config).find("/num_experts_per_tok: is 9; there are 8 experts"), std::string::npos);
}

TEST(HfProblems, LayerTypesMustFitTheLayers) {
  json config = fixture("gpt-oss-20b");
  config["layer_types"] = {"sliding_attention", "linear_attention"};
  const std::string text = problems(config);
  EXPECT_NE(text.find("/layer_types: has 2 entries; the file states 24 layers"), std::string::npos) << text;
  EXPECT_NE(text.find("/layer_types: entry 1 is \"linear_attention\", which is not supported"), std::string::npos)
      << text;
}

TEST(HfProblems, QueryRankMustBeWrittenOrNull) {
  json config = fixture("deepseek-v2-lite");
  EXPECT_TRUE(import_text(config.dump()).model);
  config.erase("q_lora_rank");
  EXPECT_NE(problems(config).find("/q_lora_rank: is missing"), std::string::npos);
}

TEST(HfProblems, UnknownHeadIsSaid) {
  json config = fixture("llama-2-7b");
  config["architectures"] = {"LlamaForRewardModeling"};
  EXPECT_NE(problems(config).find("\"LlamaForRewardModeling\" has a head that is not known here"), std::string::npos);
  config = fixture("bert-base");
  config["architectures"] = {"BertForSomething"};
  EXPECT_NE(problems(config).find("\"BertForSomething\" has a head that is not known here"), std::string::npos);
}

TEST(HfProblems, ForeignClassesOfAKnownTypeAreSaid) {
  json config = fixture("llama-2-7b");
  config["architectures"] = {"MyMambaForCausalLM"};
  EXPECT_NE(problems(config).find("\"MyMambaForCausalLM\" is not a class of model_type \"llama\""), std::string::npos);
  config = fixture("mpt-7b");
  config["architectures"] = {"MptForCausalLM"};
  EXPECT_EQ(problems(config), "");
}

TEST(HfProblems, ImagesHaveOneOrTwoSides) {
  json config = fixture("vit-base-patch16-224");
  config["image_size"] = json::array();
  EXPECT_NE(problems(config).find("/image_size: has 0 entries"), std::string::npos);
  config["image_size"] = 8;
  EXPECT_NE(problems(config).find("/patch_size: is 16; it must not exceed the image's 8 pixels"), std::string::npos);
}

TEST(HfHeads, RoleIsWhatFollowsTheName) {
  EXPECT_EQ(hf::role_of("BertForMaskedLM"), "ForMaskedLM");
  EXPECT_EQ(hf::role_of("Qwen2ForRewardModel"), "ForRewardModel");
  EXPECT_EQ(hf::role_of("LongformerModel"), "Model");
  EXPECT_EQ(hf::role_of("GPT2LMHeadModel"), "LMHeadModel");
  EXPECT_EQ(hf::role_of("T5EncoderModel"), "EncoderModel");
  EXPECT_EQ(hf::role_of("Something"), "");
}

TEST(HfProblems, TextThatIsNoObject) {
  for (const char* text : {"", "[]", "3", "\"x\"", "{", "null", "{\"model_type\": 3}",
                           "{\"model_type\": \"llama\", "
                           "\"architectures\": 7}",
                           "{\"text_config\": []}"}) {
    const Imported result = import_text(text);
    EXPECT_FALSE(result.model) << text;
    EXPECT_TRUE(result.diagnostics.has_errors()) << text;
  }
}

TEST(HfProblems, EarlierErrorsOfOthersDoNotMatter) {
  Diagnostics diagnostics;
  diagnostics.add_error("other.json", "", "is wrong");
  EXPECT_TRUE(model_from_hf_config(hf_fixture("gpt2"), "config.json", diagnostics));
  EXPECT_EQ(diagnostics.list().size(), 1U);
}

TEST(HfModelName, FindsTheSizeInAName) {
  EXPECT_EQ(hf::size_in_name("Qwen1.5-72B")->parameters, 72e9);
  EXPECT_EQ(hf::size_in_name("opt-1.3b")->half_digit, 0.05e9);
  EXPECT_EQ(hf::size_in_name("bloom-560m")->parameters, 560e6);
  EXPECT_EQ(hf::size_in_name("Qwen3-30B-A3B")->parameters, 30e9);
  EXPECT_FALSE(hf::size_in_name("Mixtral-8x7B"));
  EXPECT_FALSE(hf::size_in_name("vit-base-patch16-224"));
  EXPECT_FALSE(hf::size_in_name("7bit"));
  EXPECT_FALSE(hf::size_in_name(""));
}

TEST(HfUnreadFields, AreJudgedByName) {
  EXPECT_EQ(hf::judge_unread_field("global_head_dim"), hf::UnreadField::changes_shape);
  EXPECT_EQ(hf::judge_unread_field("num_registers"), hf::UnreadField::looks_like_shape);
  EXPECT_EQ(hf::judge_unread_field("hidden_dropout"), hf::UnreadField::harmless);
  EXPECT_EQ(hf::judge_unread_field("eos_token_id"), hf::UnreadField::harmless);
  EXPECT_EQ(hf::judge_unread_field("rope_theta"), hf::UnreadField::harmless);
}

std::vector<json::json_pointer> fields_of(const json& config) {
  std::vector<json::json_pointer> fields;
  for (const auto& item : config.items())
    fields.push_back(json::json_pointer() / item.key());
  for (const char* nested : {"text_config", "attn_config"})
    if (config.contains(nested))
      for (const auto& item : config[nested].items())
        fields.push_back(json::json_pointer() / nested / item.key());
  return fields;
}

// Every field of every fixture taken away or replaced: a model or a named error, never a crash, a zero or an overflow.
TEST(HfProblems, EveryDamagedFieldGivesAModelOrAnError) {
  const json replacements = {nullptr,       0, -1, 1, 3, 9'007'199'254'740'993, 1e300, "word", true, json::array(),
                             json::object()};
  int tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tests_folder() / "fixtures" / "hf")) {
    const json config = fixture(entry.path().stem().string());
    for (const json::json_pointer& field : fields_of(config)) {
      std::vector<json> variants(replacements.size() + 1, config);
      variants.back()[field.parent_pointer()].erase(field.back());
      for (std::size_t i = 0; i < replacements.size(); ++i)
        variants[i][field] = replacements[i];
      for (const json& variant : variants) {
        ++tried;
        const Imported result = import_text(variant.dump());
        EXPECT_NE(result.model.has_value(), result.diagnostics.has_errors()) << variant.dump() << "\n"
                                                                             << result.diagnostics.to_text();
        if (!result.model)
          continue;
        const ParameterCount count = parameter_count(*result.model);
        EXPECT_GT(layer_count(*result.model), 0) << variant.dump();
        EXPECT_GT(count.active, 0) << variant.dump();
        EXPECT_LE(count.active, count.total) << variant.dump();
      }
    }
  }
  EXPECT_GT(tried, 5000);
}

TEST(HfProblems, LargestAcceptedNumbersStayWithin64Bits) {
  json config = fixture("gpt-oss-20b");
  config["hidden_size"] = 1 << 17;
  config["intermediate_size"] = 1 << 18;
  config["num_hidden_layers"] = 1 << 11;
  config["num_local_experts"] = 1 << 13;
  config["num_attention_heads"] = config["num_key_value_heads"] = 1 << 12;
  config["head_dim"] = 1 << 13;
  config["vocab_size"] = 1 << 24;
  config.erase("layer_types");
  const Imported result = import_text(config.dump());
  ASSERT_TRUE(result.model) << result.diagnostics.to_text();
  const auto approximate = 2048.0 * (8192.0 * 3 * 131072.0 * 262144.0 + 4 * 131072.0 * 4096.0 * 8192.0);
  EXPECT_NEAR(static_cast<double>(parameter_count(*result.model).total) / approximate, 1.0, 1e-4);
}

}  // namespace
}  // namespace trainwright::model::test
