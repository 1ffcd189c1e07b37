// The schemas in profiles/schema say what the readers say: same keys, same required keys, and every profile obeys them.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "documents.hpp"
#include "model/io/accelerator_v1.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/cluster_v1.hpp"
#include "model/io/estimate_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/model_v1.hpp"
#include "model/io/network_v1.hpp"
#include "model/io/plan_v1.hpp"
#include "model/io/profile_library.hpp"
#include "model/io/scaling_v1.hpp"
#include "model/io/search_v1.hpp"
#include "small_schema.hpp"

namespace trainwright::model {
namespace {

using nlohmann::json;
using testing::IsEmpty;

json schema_of(const std::string& kind) {
  Diagnostics diagnostics;
  const std::string path = TRAINWRIGHT_SOURCE_FOLDER "/profiles/schema/" + kind + "_v1.schema.json";
  const std::string text = read_file(path, diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.to_text();
  return json::parse(text);
}

struct Kind {
  std::string name;
  std::function<std::string(const std::string&)> problems;  // of reading a text
  json document;                                            // with every key that the kind has
};

template <class Read>
Kind kind(const std::string& name, Read read, json document) {
  return {name, [read](const std::string& text) { return documents::problems(read, text); }, std::move(document)};
}

// A model with every optional part.
json full_model() {
  json model = json::parse(documents::model());
  json& layer = model["layers"][0];
  layer["attention"]["latent"] = {
      {"query_rank", 8}, {"key_value_rank", 8}, {"rope_head_dim", 8}, {"nope_head_dim", 8}, {"value_head_dim", 8}};
  layer["cross_attention"] = layer["attention"];
  layer["cross_attention"]["causal"] = false;
  json mixture = layer;
  mixture.erase("mlp");
  mixture["moe"] = {{"experts", 8},  {"experts_per_token", 2}, {"expert_ffn", 64},     {"shared_ffn", 64},
                    {"gated", true}, {"router_bias", false},   {"shared_gate", false}, {"expert_bias", false}};
  model["layers"].push_back(mixture);
  model["sources"] = {{{"covers", {"hidden"}}, {"text", "ours"}}};
  return model;
}

json full_cluster() {
  json cluster = json::parse(documents::cluster());
  cluster["sources"] = {{{"covers", {"nodes"}}, {"text", "ours"}}};
  json& peaks = cluster["groups"][0]["accelerator"]["dense_peak"];
  for (const auto& [word, precision] : kPrecisionWords)
    peaks[std::string(word)] = "1 TFLOP/s";
  return cluster;
}

json without_format(json document) {
  document.erase("format");
  return document;
}

json full_plan() {
  json plan = json::parse(documents::plan());
  plan["model"] = without_format(full_model());
  plan["cluster"] = without_format(full_cluster());
  return plan;
}

json full_measurement() {
  json measurement = json::parse(documents::measurement());
  measurement["runs"][0]["plan"] = without_format(full_plan());
  return measurement;
}

json full_accelerator() {
  json accelerator = full_cluster()["groups"][0]["accelerator"];
  accelerator["format"] = "trainwright/accelerator/v1";
  return accelerator;
}

std::vector<Kind> kinds() {
  json calibration = json::parse(documents::calibration());
  calibration["environment"]["versions"] = {{{"library", "a"}, {"version", "1"}}};
  const json network{{"format", "trainwright/network/v1"},
                     {"id", "a"},
                     {"name", "A"},
                     {"architecture", "B"},
                     {"sample", "image"},
                     {"operators",
                      {{{"name", "conv"},
                        {"count", 2},
                        {"product", {{"rows", 4}, {"n", 8}, {"k", 27}, {"groups", 1}, {"repeats", 1}}},
                        {"moved_elements", 1},
                        {"kept_elements", 2},
                        {"parameters", 3}}}},
                     {"notes", {"note"}},
                     {"sources", {{{"covers", {"operators"}}, {"text", "ours"}}}}};
  return {kind("network", network_from_json, network),
          kind("accelerator", accelerator_from_json, full_accelerator()),
          kind("cluster", cluster_from_json, full_cluster()),
          kind("model", model_from_json, full_model()),
          kind("plan", plan_from_json, full_plan()),
          kind("measurement", measurement_from_json, full_measurement()),
          kind("calibration", calibration_from_json, calibration),
          kind("estimate", estimate_from_json, json::parse(documents::estimate()))};
}

// An estimate repeats the terms of its fullest stage for people; the reader passes over them.
bool is_passed_over(const json::json_pointer& at) {
  return at.to_string().starts_with("/memory/terms/");
}

using Visit = std::function<void(const json& schema, const json::json_pointer& at)>;

// All objects of a document with fixed keys, and the schema of each.
void visit_objects(const json& root, const json& schema_or_ref, const json& value, const json::json_pointer& at,
                   const Visit& visit) {
  const json* schema = &resolved(root, schema_or_ref);
  if (schema->contains("oneOf"))  // an accelerator by id or in full; the documents here have it in full
    schema = &resolved(root, (*schema)["oneOf"].back());
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      visit_objects(root, (*schema)["items"], value[i], at / i, visit);
  } else if (value.is_object() && schema->contains("properties")) {
    if (!is_passed_over(at))
      visit(*schema, at);
    for (const auto& [key, member] : value.items()) {
      ASSERT_TRUE((*schema)["properties"].contains(key)) << at.to_string() << " has " << key << ", its schema has not";
      visit_objects(root, (*schema)["properties"][key], member, at / key, visit);
    }
  }
}

std::string path_of(const json::json_pointer& at) {
  return at.to_string().empty() ? "" : at.to_string();
}

TEST(Schema, HasTheKeysThatTheReadersKnow) {
  for (const Kind& k : kinds()) {
    SCOPED_TRACE(k.name);
    ASSERT_EQ(k.problems(k.document.dump()), "");
    const json schema = schema_of(k.name);
    visit_objects(schema, schema, k.document, json::json_pointer(""), [&](const json& part, const auto& at) {
      json broken = k.document;
      broken[at]["no such key"] = 1;
      std::set<std::string> keys;
      for (const auto& [key, ignored] : part["properties"].items())
        keys.insert(key);
      // The reader lists what it knows; "format" only stands at the root.
      const std::string said = k.problems(broken.dump());
      const std::string begin = "a.json: " + path_of(at) + "/no such key: this key is not known; known here: ";
      const std::size_t first = said.find(begin);
      ASSERT_NE(first, std::string::npos) << said;
      std::set<std::string> known;
      std::string rest = said.substr(first + begin.size(), said.find('\n', first) - first - begin.size());
      for (std::size_t comma = rest.find(", "); comma != std::string::npos; comma = rest.find(", ")) {
        known.insert(rest.substr(0, comma));
        rest.erase(0, comma + 2);
      }
      known.insert(rest);
      EXPECT_EQ(keys, known) << "at " << at.to_string();
    });
  }
}

TEST(Schema, RequiresWhatTheReadersRequire) {
  // Needed or not by what stands beside them, which the schemas only describe in words.
  const std::set<std::string> conditional{"link",      "network",  "fabric", "price_per_device_hour",
                                          "norm_bias", "currency", "mlp",    "moe"};
  for (const Kind& k : kinds()) {
    SCOPED_TRACE(k.name);
    const json schema = schema_of(k.name);
    visit_objects(schema, schema, k.document, json::json_pointer(""), [&](const json& part, const auto& at) {
      std::set<std::string> required;
      for (const json& key : part.value("required", json::array()))
        required.insert(key.get<std::string>());
      for (const auto& [key, ignored] : part["properties"].items()) {
        if (conditional.count(key) > 0 || !k.document.at(at).contains(key))
          continue;
        json broken = k.document;
        broken[at].erase(key);
        const std::string said = k.problems(broken.dump());
        const bool missing = said.find("a.json: " + path_of(at) + "/" + key + ": is missing\n") != std::string::npos;
        EXPECT_EQ(missing, required.count(key) > 0) << at.to_string() << "/" << key << "\n" << said;
      }
    });
  }
}

TEST(Schema, AcceptsWhatIsWritten) {
  for (const Kind& k : kinds()) {
    SCOPED_TRACE(k.name);
    EXPECT_THAT(schema_violations(schema_of(k.name), k.document), IsEmpty());
  }
}

TEST(Schema, AcceptsTheAnswerOfASearch) {
  AnsweredPlan plan;
  plan.found.figures = {8, 64, 1.5, 1 << 30};
  plan.verified_by = EstimatorKind::folded;
  plan.verified_step = Seconds(1.6);
  plan.training_s = plan.price = plan.energy_j = 10.0;
  RejectedRule rule;
  rule.layouts = 3;
  rule.figures = plan.found.figures;
  rule.nearest = plan.found;
  SearchAnswer answer;
  answer.currency = "USD";
  answer.best = {plan, {}};
  answer.pareto = {plan};
  answer.rules = {{"memory.fits", rule}, {"layout.tp-divides-heads", {}}};
  answer.assumptions = {"optimizer: Adam"};
  answer.best.back().found.figures.step_s = 2.0;
  EXPECT_THAT(schema_violations(schema_of("search"), json::parse(to_search_json(answer))), IsEmpty());
}

TEST(Schema, AcceptsScalingCurves) {
  ScalingCurve curve;
  curve.points.resize(2);
  curve.points[0].problem = "no multiple";
  curve.points[1].step = curve.points[1].step_low = curve.points[1].step_high = Seconds(1.0);
  curve.base = curve.knee = curve.largest = 1;
  const std::string text = to_scaling_json({curve, {}}, Plan{});
  EXPECT_THAT(schema_violations(schema_of("scaling"), json::parse(text)), IsEmpty());
}

TEST(Schema, RefusesWhatIsWrong) {
  const json schema = schema_of("cluster");
  json cluster = full_cluster();
  cluster["groups"][0]["nodes"] = 0;
  cluster["groups"][0]["link"]["bandwidth"] = "450 GBps";
  cluster["groups"][0].erase("host_memory");
  cluster["colour"] = "red";
  cluster["fabric"]["kind"] = "mesh";
  EXPECT_THAT(schema_violations(schema, cluster),
              testing::UnorderedElementsAre("/groups/0/nodes: is below 1",
                                            testing::StartsWith("/groups/0/link/bandwidth: does not match"),
                                            "/groups/0: lacks \"host_memory\"", "/colour: is not a key of the schema",
                                            testing::StartsWith("/fabric/kind: is none of")));
}

TEST(Schema, AcceptsEveryProfile) {
  for (const Profile& profile : profiles()) {
    SCOPED_TRACE(profile.file);
    const json document = json::parse(profile.text);
    const std::string format = document["format"];
    const std::string name = format.substr(format.find('/') + 1, format.rfind('/') - format.find('/') - 1);
    EXPECT_THAT(schema_violations(schema_of(name), document), IsEmpty());
  }
}

}  // namespace
}  // namespace trainwright::model
