// What a performance model needs besides the count: heads, windows, experts, norms, order. With cases H01 to H08 of the
// collected reports about other planners' importers.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hf_fixture.hpp"
#include "model/io/model_v1.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model::test {
namespace {

Model imported(const std::string& fixture) {
  const Imported result = import_fixture(fixture);
  EXPECT_TRUE(result.model) << result.diagnostics.to_text();
  return result.model.value_or(Model{});
}

std::vector<std::int64_t> windows(const Model& model) {
  std::vector<std::int64_t> list;
  for (int layer = 0; layer < layer_count(model); ++layer)
    list.push_back(layer_at(model, layer).attention.window);
  return list;
}

TEST(HfShapes, H01ExplicitHeadSizeWins) {
  const AttentionShape attention = imported("qwen3-32b").layers.front().layer.attention;
  EXPECT_EQ((attention.heads + 2 * attention.kv_heads) * attention.head_dim, 10'240);
}

TEST(HfShapes, H03GemmaQueriesAreWiderOrNarrowerThanHidden) {
  const AttentionShape small = imported("gemma-3-270m").layers.front().layer.attention;
  EXPECT_EQ(small.heads * small.head_dim, 1024);
  const Model large = imported("gemma-7b");
  EXPECT_EQ(large.layers.front().layer.attention.heads * large.layers.front().layer.attention.head_dim, 4096);
  EXPECT_EQ(large.hidden, 3072);
}

TEST(HfShapes, H05TwoHeadSizesAreRefusedByName) {
  const Imported result = import_text(R"({"model_type": "gemma4", "text_config": {"model_type": "gemma4_text",
      "hidden_size": 2816, "num_hidden_layers": 30, "head_dim": 256, "global_head_dim": 512,
      "num_global_key_value_heads": 2}})");
  EXPECT_FALSE(result.model);
  const std::string text = result.diagnostics.to_text();
  EXPECT_NE(text.find("/text_config/global_head_dim: (512) changes the shape of the network and is not supported"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"gemma4_text\" is not a supported architecture"), std::string::npos) << text;
}

TEST(HfShapes, H05AnUnknownHeadSizeInAKnownFamilyIsRefusedToo) {
  std::string text = hf_fixture("gemma-3-1b");
  text.insert(text.find('{') + 1, "\"global_head_dim\": 512, ");
  const Imported result = import_text(text);
  EXPECT_FALSE(result.model);
  EXPECT_NE(result.diagnostics.to_text().find("/global_head_dim"), std::string::npos);
}

TEST(HfShapes, H06GatedMlpHasThreeMatrices) {
  const Model model = imported("qwen1.5-72b");
  EXPECT_EQ(mlp_parameters(model, model.layers.front().layer), 3LL * 8192 * 24576);
  EXPECT_EQ(parameter_count(model).total, 72'287'920'128);
}

TEST(HfShapes, H06WarnsWhenTheNameStatesAnotherSize) {
  const Imported same = import_text(hf_fixture("qwen1.5-72b"), "models/Qwen1.5-72B/config.json");
  EXPECT_TRUE(same.diagnostics.empty()) << same.diagnostics.to_text();
  const Imported other = import_text(hf_fixture("qwen1.5-72b"), "models/Qwen1.5-56.19B/config.json");
  ASSERT_TRUE(other.model);
  EXPECT_EQ(other.diagnostics.to_text(),
            "models/Qwen1.5-56.19B/config.json: warning: the name \"Qwen1.5-56.19B/config.json\" states 56.19B "
            "parameters; these numbers make 72.3b; check that the file belongs to the model you mean\n");
}

TEST(HfShapes, H07TheNumbersSayWhichModelItIs) {
  std::string text = hf_fixture("gpt2");
  const Imported result = import_text(text, "gpt2-xl/config.json");
  ASSERT_TRUE(result.model);
  EXPECT_EQ(result.model->id, "gpt2-124m");
  EXPECT_EQ(result.model->name, "GPT-2 124m");
}

TEST(HfShapes, H08LayerTypesStandInForTheLayerCount) {
  std::string text = hf_fixture("gemma-3-270m");
  const std::string key = "\"num_hidden_layers\": 18,";
  text.replace(text.find(key), key.size(), "");
  const Imported result = import_text(text);
  ASSERT_TRUE(result.model) << result.diagnostics.to_text();
  EXPECT_EQ(layer_count(*result.model), 18);
  EXPECT_NE(result.diagnostics.to_text().find("/num_hidden_layers: is missing; layer_types lists 18 layers"),
            std::string::npos);
}

TEST(HfShapes, WindowsAlternateInGemma) {
  const std::vector<std::int64_t> second = windows(imported("gemma-2-2b"));
  EXPECT_EQ(std::vector<std::int64_t>(second.begin(), second.begin() + 4),
            (std::vector<std::int64_t>{4096, 0, 4096, 0}));
  const std::vector<std::int64_t> third = windows(imported("gemma-3-1b"));
  EXPECT_EQ(std::vector<std::int64_t>(third.begin(), third.begin() + 7),
            (std::vector<std::int64_t>{512, 512, 512, 512, 512, 0, 512}));
}

TEST(HfShapes, WindowsOfQwenNeedTheirSwitch) {
  std::string text = hf_fixture("qwen2-0.5b");
  EXPECT_EQ(windows(*import_text(text).model), std::vector<std::int64_t>(24, 0));
  text.replace(text.find("\"use_sliding_window\": false"), 27, "\"use_sliding_window\": true ");
  text.replace(text.find("\"max_window_layers\": 24"), 23, "\"max_window_layers\": 22 ");
  std::vector<std::int64_t> expected(22, 0);
  expected.insert(expected.end(), 2, 131072);
  EXPECT_EQ(windows(*import_text(text).model), expected);
}

TEST(HfShapes, FirstLayersOfDeepSeekAreDense) {
  const Model model = imported("deepseek-v3");
  ASSERT_EQ(model.layers.size(), 2U);
  EXPECT_EQ(model.layers[0].count, 3);
  EXPECT_EQ(model.layers[0].layer.mlp, (MlpShape{18432, true, false}));
  EXPECT_EQ(model.layers[1].count, 58);
  EXPECT_EQ(model.layers[1].layer.moe, (MoeShape{256, 8, 2048, 2048, true, true, false, false}));
  EXPECT_EQ(model.layers[1].layer.attention.latent, (LatentAttention{1536, 512, 64, 128, 128}));
  EXPECT_EQ(model.layers[1].layer.attention.head_dim, 192);
}

TEST(HfShapes, PredictionLayersAreNotedAndNotCounted) {
  // Layer 11,507,288,320 + two widths to one 102,760,448 + three norms 21,504; the report says 14 B with the shared
  // embedding and head, 1.85 B together.
  const std::vector<std::string> notes = imported("deepseek-v3").notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(
      notes.front(),
      "Not counted: 1 multi-token prediction layer(s) of 11610068224 parameters each, besides the shared embedding "
      "and head.");
}

TEST(HfShapes, FrequencyOfExpertsIsCountedFromLayerZero) {
  std::string text = hf_fixture("deepseek-v2-lite");
  text.replace(text.find("\"moe_layer_freq\": 1"), 19, "\"moe_layer_freq\": 2");
  const Model model = *import_text(text).model;
  EXPECT_FALSE(layer_at(model, 0).moe);
  EXPECT_FALSE(layer_at(model, 1).moe);
  EXPECT_TRUE(layer_at(model, 2).moe);
  EXPECT_FALSE(layer_at(model, 3).moe);
}

TEST(HfShapes, QwenListsDenseLayersAndSteps) {
  std::string text = hf_fixture("qwen3-30b-a3b");
  text.replace(text.find("\"decoder_sparse_step\": 1"), 24, "\"decoder_sparse_step\": 2");
  text.replace(text.find("\"mlp_only_layers\": []"), 21, "\"mlp_only_layers\": [3]");
  const Model model = *import_text(text).model;
  EXPECT_TRUE(layer_at(model, 0).mlp);
  EXPECT_TRUE(layer_at(model, 1).moe);
  EXPECT_EQ(layer_at(model, 3).mlp, (MlpShape{6144, true, false}));
  EXPECT_TRUE(layer_at(model, 5).moe);
}

TEST(HfShapes, SharedExpertOfQwenHasAGate) {
  EXPECT_EQ(imported("qwen1.5-moe-a2.7b").layers.front().layer.moe,
            (MoeShape{60, 4, 1408, 5632, true, false, true, false}));
}

TEST(HfShapes, GptOssHasSinksAndBiasesEverywhere) {
  const LayerShape layer = imported("gpt-oss-20b").layers.front().layer;
  EXPECT_TRUE(layer.attention.sinks && layer.attention.qkv_bias && layer.attention.output_bias);
  EXPECT_EQ(layer.moe, (MoeShape{32, 4, 2880, 0, true, true, false, true}));
  EXPECT_EQ(layer.attention.window, 128);
}

TEST(HfShapes, FalconSharesOneOrSeveralKeyValueHeads) {
  const LayerShape small = imported("falcon-7b").layers.front().layer;
  EXPECT_EQ(small.attention.kv_heads, 1);
  EXPECT_EQ(small.norms, 1);
  EXPECT_EQ(small.order, BlockOrder::parallel);
  const LayerShape large = imported("falcon-40b").layers.front().layer;
  EXPECT_EQ(large.attention.kv_heads, 8);
  EXPECT_EQ(large.norms, 2);
  EXPECT_EQ(large.order, BlockOrder::parallel);
}

TEST(HfShapes, TyingFollowsTheArchitectureUnlessWritten) {
  EXPECT_TRUE(imported("gpt2").tied_embeddings);
  EXPECT_TRUE(imported("gemma-2b").tied_embeddings);
  EXPECT_FALSE(imported("llama-2-7b").tied_embeddings);
  EXPECT_TRUE(imported("llama-3.2-1b").tied_embeddings);
  EXPECT_FALSE(imported("phi-2").tied_embeddings);
}

TEST(HfShapes, PositionsFollowTheArchitecture) {
  EXPECT_EQ(imported("gpt2").position, PositionKind::learned);
  EXPECT_EQ(imported("bloom").position, PositionKind::alibi);
  EXPECT_EQ(imported("mpt-7b").position, PositionKind::alibi);
  EXPECT_EQ(imported("gpt-j-6b").position, PositionKind::rotary);
  EXPECT_EQ(imported("t5-base").position, PositionKind::relative);
}

TEST(HfShapes, DecoderOfT5AttendsToTheEncoder) {
  const Model model = imported("t5-11b");
  ASSERT_EQ(model.layers.size(), 2U);
  EXPECT_EQ(model.encoder_layers, 24);
  EXPECT_FALSE(layer_at(model, 23).cross_attention);
  EXPECT_FALSE(layer_at(model, 23).attention.causal);
  const LayerShape& decoder = layer_at(model, 24);
  EXPECT_TRUE(decoder.attention.causal);
  ASSERT_TRUE(decoder.cross_attention);
  EXPECT_FALSE(decoder.cross_attention->causal);
  EXPECT_EQ(decoder.cross_attention->heads * decoder.cross_attention->head_dim, 16'384);
  EXPECT_EQ(decoder.norms, 3);
}

TEST(HfShapes, EncoderOfT5Alone) {
  std::string text = hf_fixture("t5-base");
  text.replace(text.find("T5ForConditionalGeneration"), 26, "T5EncoderModel");
  const Model model = *import_text(text).model;
  EXPECT_EQ(layer_count(model), 12);
  EXPECT_EQ(parameter_count(model).total, 109'628'544);
}

TEST(HfShapes, EncodersAreNotCausal) {
  EXPECT_FALSE(imported("bert-base").layers.front().layer.attention.causal);
  const Model vit = imported("vit-base-patch16-224");
  EXPECT_FALSE(vit.layers.front().layer.attention.causal);
  EXPECT_EQ(vit.max_positions, 197);
  EXPECT_EQ(vit.vocab, 0);
  EXPECT_FALSE(vit.has_head);
}

TEST(HfShapes, OptKeepsTwoMoreRowsThanPositions) {
  const Model model = imported("opt-125m");
  EXPECT_EQ(model.max_positions, 2048);
  EXPECT_EQ(model.position_rows, 2050);
  EXPECT_EQ(imported("opt-350m").embedding_width, 512);
}

TEST(HfShapes, BareModelsAndClassifiersHaveNoVocabularyHead) {
  std::string text = hf_fixture("llama-3.1-8b");
  text.replace(text.find("LlamaForCausalLM"), 16, "LlamaModel");
  EXPECT_EQ(parameter_count(*import_text(text).model).total, 8'030'261'248 - 128'256 * 4096);
  text.replace(text.find("LlamaModel\"],"), 13, "LlamaForSequenceClassification\"], \"num_labels\": 3,");
  EXPECT_EQ(parameter_count(*import_text(text).model).total, 8'030'261'248 - 128'256 * 4096 + 3 * 4096);
}

TEST(HfShapes, LanguageModelOfAMultimodalFile) {
  const Imported result = import_fixture("gemma-3-4b");
  ASSERT_TRUE(result.model);
  // 4,300,079,472 with the image tower (416,866,032) and its projection (2,950,272).
  EXPECT_EQ(parameter_count(*result.model).total, 3'880'263'168);
  const std::string text = result.diagnostics.to_text();
  EXPECT_NE(text.find("warning: /vision_config: is not counted"), std::string::npos) << text;
  EXPECT_NE(text.find("warning: /text_config/num_attention_heads: is not given; taken as 8"), std::string::npos)
      << text;
}

TEST(HfShapes, EveryImportedModelReadsBackFromItsModelFile) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(tests_folder() / "fixtures" / "hf")) {
    const Model model = imported(entry.path().stem().string());
    Diagnostics diagnostics;
    const std::optional<Model> read = model_from_json(to_model_json(model), "model.json", diagnostics);
    EXPECT_EQ(diagnostics.to_text(), "") << entry.path().stem();
    EXPECT_EQ(read, model) << entry.path().stem();
    ++models;
  }
  EXPECT_GE(models, 55);
}

}  // namespace
}  // namespace trainwright::model::test
