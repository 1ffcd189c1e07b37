// The profiles that come with the program: all of them can be used, and every number in them has a source.
// SPDX-License-Identifier: Apache-2.0
#include "model/io/profile_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "model/io/accelerator_v1.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/load.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

Cluster cluster(const std::string& id) {
  Diagnostics diagnostics;
  const std::optional<Cluster> value = load_cluster(id, diagnostics);
  EXPECT_TRUE(value && diagnostics.empty()) << diagnostics.to_text();
  return value.value_or(Cluster{});
}

Model model(const std::string& id) {
  Diagnostics diagnostics;
  const std::optional<Model> value = load_model(id, diagnostics);
  EXPECT_TRUE(value && diagnostics.empty()) << diagnostics.to_text();
  return value.value_or(Model{});
}

TEST(Profiles, AllCanBeReadUnderTheirOwnName) {
  for (const Profile& profile : profiles()) {
    SCOPED_TRACE(profile.file);
    Diagnostics diagnostics;
    const std::string file(profile.file);
    switch (profile.kind) {
      case ProfileKind::accelerator: {
        const auto value = accelerator_from_json(profile.text, file, diagnostics);
        EXPECT_TRUE(value && value->id == profile.id);
        break;
      }
      case ProfileKind::cluster:
        EXPECT_EQ(cluster(std::string(profile.id)).id, profile.id);
        break;
      case ProfileKind::model:
        EXPECT_EQ(model(std::string(profile.id)).id, profile.id);
        break;
      case ProfileKind::constants:
        EXPECT_TRUE(calibration_from_json(profile.text, file, diagnostics));
        break;
    }
    EXPECT_EQ(diagnostics.to_text(), "");
  }
}

TEST(Profiles, ListsWhatTheManualPromises) {
  EXPECT_THAT(profile_ids(ProfileKind::accelerator),
              ElementsAre("a100-sxm-40gb", "a100-sxm-80gb", "b200", "cpu-generic", "h100-sxm", "h200-sxm", "l40s",
                          "rtx-4090", "t4", "v100-sxm2-16gb", "v100-sxm2-32gb"));
  EXPECT_THAT(cluster_ids(), ElementsAre("2x-rtx-4090-ethernet", "dgx-1-v100", "dgx-a100", "dgx-b200", "dgx-h100",
                                         "dgx-h200", "local", "selene-dgx-a100"));
  EXPECT_THAT(profile_ids(ProfileKind::model),
              ElementsAre("bert-base", "bert-large", "gpt-tiny", "gpt2", "gpt2-large", "gpt2-medium", "gpt2-xl",
                          "gpt3-175b", "llama-2-70b", "llama-2-7b", "llama-3-70b", "llama-3-8b", "llama-3.1-405b",
                          "llama-tiny", "mixtral-8x7b"));
}

// Keys of numbers and quantities that stand below no covered key.
void uncovered(const json& value, const std::string& path, const std::set<std::string>& covered,
               std::vector<std::string>& result) {
  for (const auto& [key, member] : value.items()) {
    const std::string name = value.is_array() ? "" : key;
    if (covered.count(name) > 0 || name == "sources")
      continue;
    const bool is_quantity = member.is_string() && !member.get<std::string>().empty() &&
                             member.get<std::string>().find_first_of("0123456789") == 0 &&
                             member.get<std::string>().find(' ') != std::string::npos && name != "name";
    if (member.is_number() || is_quantity)
      result.push_back(path + "/" + key);
    else if (member.is_structured())
      uncovered(member, path + "/" + key, covered, result);
  }
}

std::vector<std::string> uncovered_numbers(const json& document) {
  std::set<std::string> covered;
  for (const json& source : document.value("sources", json::array()))
    for (const json& key : source["covers"])
      covered.insert(key.get<std::string>());
  std::vector<std::string> result;
  uncovered(document, "", covered, result);
  return result;
}

TEST(Profiles, HaveASourceForEveryNumber) {
  for (const Profile& profile : profiles()) {
    SCOPED_TRACE(profile.file);
    const json document = json::parse(profile.text);
    if (profile.kind != ProfileKind::constants) {  // there each constant has its own origin, which the reader asks for
      EXPECT_THAT(uncovered_numbers(document), IsEmpty());
    }
    for (const json& source : document.value("sources", json::array()))
      EXPECT_GE(source["text"].get<std::string>().size(), 15U);
  }
}

TEST(Profiles, TheSourceCheckSeesNumbersAndQuantities) {
  EXPECT_THAT(uncovered_numbers(json::parse(R"({"n": 1, "deep": [{"rate": "5 GB/s", "word": "x"}], "ok": {"m": 2},
                                                "sources": [{"covers": ["ok"], "text": "t"}]})")),
              ElementsAre("/deep/0/rate", "/n"));
}

TEST(Profiles, ModelsHaveThePublishedParameters) {
  const auto millions = [](const std::string& id) { return parameter_count(model(id)).total / 1'000'000; };
  EXPECT_EQ(parameter_count(model("gpt2")).total, 124'439'808);
  EXPECT_EQ(parameter_count(model("gpt2-medium")).total, 354'823'168);
  EXPECT_EQ(parameter_count(model("gpt2-large")).total, 774'030'080);
  EXPECT_EQ(parameter_count(model("gpt2-xl")).total, 1'557'611'200);
  EXPECT_EQ(millions("gpt3-175b"), 174'604);
  EXPECT_EQ(parameter_count(model("llama-2-7b")).total, 6'738'415'616);
  EXPECT_EQ(parameter_count(model("llama-2-70b")).total, 68'976'648'192);
  EXPECT_EQ(parameter_count(model("llama-3-8b")).total, 8'030'261'248);
  EXPECT_EQ(parameter_count(model("llama-3-70b")).total, 70'553'706'496);
  EXPECT_EQ(parameter_count(model("llama-3.1-405b")).total, 405'853'388'800);
  EXPECT_EQ(parameter_count(model("mixtral-8x7b")).total, 46'702'792'704);
  EXPECT_EQ(parameter_count(model("bert-base")).total, 110'106'428);  // BertForPreTraining
  EXPECT_EQ(parameter_count(model("bert-large")).total, 336'226'108);
}

TEST(Profiles, TinyModelsAreTiny) {
  for (const char* const id : {"gpt-tiny", "llama-tiny"}) {
    const std::int64_t total = parameter_count(model(id)).total;
    EXPECT_GT(total, 3'000'000) << id;
    EXPECT_LT(total, 6'000'000) << id;
  }
}

TEST(ShippedConstants, FollowFamilyLinkAndNetwork) {
  const CostConstants hopper = shipped_constants(cluster("dgx-h100"));
  EXPECT_EQ(hopper.origin, "shipped constants: hopper, kernels-hopper, link-nvlink-switch-hopper, network-infiniband");
  EXPECT_NEAR(hopper.gemm[static_cast<std::size_t>(Precision::bf16)].peak_fraction, 0.855, 0.01);
  EXPECT_EQ(hopper.gemm_step_rate, 0.885);
  EXPECT_NEAR(hopper.node_link.in_switch_efficiency, 0.61, 0.01);
  EXPECT_EQ(hopper.network.efficiency, 0.97);

  const CostConstants workstations = shipped_constants(cluster("2x-rtx-4090-ethernet"));
  EXPECT_EQ(workstations.origin, "shipped constants: ada, kernels-ada, link-pcie-ada, network-ethernet-tcp");
  EXPECT_EQ(workstations.node_link.efficiency, 0.10);

  EXPECT_EQ(
      shipped_constants(cluster("dgx-h200")).origin,
      "shipped constants: hopper, kernels-hopper, kernels-h200-sxm, link-nvlink-switch-hopper, network-infiniband");
  EXPECT_EQ(shipped_constants(cluster("dgx-1-v100")).origin,
            "shipped constants: volta, link-nvlink-mesh, network-infiniband");
  EXPECT_EQ(shipped_constants(cluster("local")).origin, "shipped constants: cpu, link-shared-memory");
}

TEST(ShippedConstants, SayWhenTheFamilyIsUnknown) {
  Cluster unknown = cluster("dgx-h100");
  unknown.groups.front().accelerator.family = "rubin";
  EXPECT_EQ(shipped_constants(unknown).origin,
            "shipped constants: network-infiniband (none are shipped for the family \"rubin\")");
  unknown.groups.front().network.reset();
  EXPECT_EQ(shipped_constants(unknown).origin, "built-in defaults (none are shipped for the family \"rubin\")");
}

TEST(CloseMatches, AreNearestFirst) {
  const std::vector<std::string> ids{"dgx-a100", "dgx-h100", "dgx-h200", "local"};
  EXPECT_THAT(close_matches("dgx-h101", ids), ElementsAre("dgx-h100", "dgx-a100", "dgx-h200"));
  EXPECT_THAT(close_matches("h100", ids), ElementsAre("dgx-h100"));
  EXPECT_THAT(close_matches("DGX-A100", ids, 1), ElementsAre("dgx-a100"));
  EXPECT_THAT(close_matches("something else", ids), IsEmpty());
}

}  // namespace
}  // namespace trainwright::model
