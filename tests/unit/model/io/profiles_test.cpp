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
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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
      case ProfileKind::network: {
        const auto value = load_network(std::string(profile.id), diagnostics);
        EXPECT_TRUE(value && value->id == profile.id);
        break;
      }
      case ProfileKind::constants:
        EXPECT_TRUE(calibration_from_json(profile.text, file, diagnostics));
        break;
    }
    EXPECT_EQ(diagnostics.to_text(), "");
  }
}

TEST(Profiles, ListsWhatTheManualPromises) {
  const std::vector<std::string> accelerators{"a10",
                                              "a100-pcie-40gb",
                                              "a100-pcie-80gb",
                                              "a100-sxm-40gb",
                                              "a100-sxm-80gb",
                                              "a10g",
                                              "a30",
                                              "a40",
                                              "a800-sxm-80gb",
                                              "ascend-910b",
                                              "ascend-910c",
                                              "b200",
                                              "b300",
                                              "cpu-generic",
                                              "gb200",
                                              "gb300",
                                              "gh200-96gb",
                                              "h100-nvl",
                                              "h100-pcie",
                                              "h100-sxm",
                                              "h200-sxm",
                                              "h800-sxm",
                                              "k80",
                                              "l4",
                                              "l40",
                                              "l40s",
                                              "mi250x-gcd",
                                              "mi300x",
                                              "mi355x",
                                              "p100-pcie-16gb",
                                              "p100-sxm2-16gb",
                                              "rtx-3090",
                                              "rtx-4090",
                                              "rtx-5090",
                                              "rtx-6000-ada",
                                              "rtx-a6000",
                                              "rtx-pro-6000-blackwell",
                                              "t4",
                                              "tpu-v4",
                                              "tpu-v5e",
                                              "tpu-v5p",
                                              "v100-pcie-16gb",
                                              "v100-pcie-32gb",
                                              "v100-sxm2-16gb",
                                              "v100-sxm2-32gb",
                                              "v100-sxm3-32gb"};
  const std::vector<std::string> clusters{"2x-rtx-3090-1g",
                                          "2x-rtx-4090-ethernet",
                                          "2x-rtx-5090-10g",
                                          "a100-pcie-8x",
                                          "aws-g5-48xlarge",
                                          "aws-p2-8xlarge",
                                          "aws-p3-16xlarge",
                                          "aws-p3-2xlarge",
                                          "aws-p4d-24xlarge",
                                          "aws-p4de-24xlarge",
                                          "aws-p5-48xlarge",
                                          "azure-ndm-a100-v4",
                                          "azure-ndv2",
                                          "azure-ndv4",
                                          "azure-ndv5",
                                          "cloudmatrix-384",
                                          "dgx-1",
                                          "dgx-1-v100",
                                          "dgx-2",
                                          "dgx-a100",
                                          "dgx-a100-40gb",
                                          "dgx-b200",
                                          "dgx-b300",
                                          "dgx-h100",
                                          "dgx-h200",
                                          "dlperf-v100",
                                          "gb200-nvl72",
                                          "gb300-nvl72",
                                          "gcp-a3-high",
                                          "gcp-a3-mega",
                                          "gcp-a3-ultra",
                                          "gcp-a4",
                                          "internevo-a100",
                                          "jean-zay-a100",
                                          "jean-zay-v100",
                                          "local",
                                          "mosaic-a100-40gb",
                                          "mosaic-a100-80gb",
                                          "mosaic-h100",
                                          "oci-bm-gpu-a100-v2-8",
                                          "oci-bm-gpu-h100-8",
                                          "selene-dgx-a100",
                                          "single-4x-rtx-a6000",
                                          "single-8x-a100-80gb",
                                          "single-8x-h100",
                                          "single-8x-mi300x",
                                          "single-8x-rtx-6000-ada",
                                          "single-8x-v100",
                                          "single-h100-pcie",
                                          "vtrain-a100"};
  const std::vector<std::string> models{
      "bert-base",  "bert-large",   "deepseek-v2",     "deepseek-v3",  "gpt-oss-120b", "gpt-tiny",
      "gpt2",       "gpt2-large",   "gpt2-medium",     "gpt2-xl",      "gpt3-175b",    "grok-1",
      "kimi-k2",    "llama-2-70b",  "llama-2-7b",      "llama-3-70b",  "llama-3-8b",   "llama-3.1-405b",
      "llama-tiny", "mixtral-8x7b", "qwen3-235b-a22b", "qwen3-30b-a3b"};
  EXPECT_EQ(profile_ids(ProfileKind::accelerator), accelerators);
  EXPECT_EQ(cluster_ids(), clusters);
  EXPECT_EQ(profile_ids(ProfileKind::model), models);
}

// A family without constants would fall back on built-in defaults that nobody chose for it.
TEST(Profiles, EachAcceleratorHasConstantsOfItsFamily) {
  for (const std::string& id : profile_ids(ProfileKind::accelerator)) {
    Diagnostics diagnostics;
    const Profile profile = find_profile(ProfileKind::accelerator, id).value();
    const std::string family = accelerator_from_json(profile.text, id, diagnostics).value().family;
    // A newer family may stand on what is known of the one before it.
    Cluster one = cluster("dgx-h100");
    one.groups.front().accelerator.family = family;
    EXPECT_THAT(shipped_constants(one).origin, Not(HasSubstr("none are shipped"))) << id << " is of family " << family;
  }
}

// A link domain needs a network beside it only where there are several of them; racks have both.
TEST(Profiles, RacksAreOneLinkDomainOf72) {
  for (const char* const id : {"gb200-nvl72", "gb300-nvl72"}) {
    const Cluster racks = cluster(id);
    EXPECT_EQ(link_domain_of(racks, DeviceId(71)), LinkDomainId(0)) << id;
    EXPECT_EQ(link_domain_of(racks, DeviceId(72)), LinkDomainId(1)) << id;
    EXPECT_EQ(device_count(racks), 576) << id;
  }
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
  EXPECT_EQ(parameter_count(model("deepseek-v2")).total, 235'741'434'880);
  EXPECT_EQ(parameter_count(model("deepseek-v3")).total, 671'026'419'200);
  EXPECT_EQ(parameter_count(model("qwen3-30b-a3b")).total, 30'532'122'624);
  EXPECT_EQ(parameter_count(model("qwen3-235b-a22b")).total, 235'093'634'560);
  EXPECT_EQ(parameter_count(model("gpt-oss-120b")).total, 116'829'156'672);
  EXPECT_NEAR(static_cast<double>(millions("kimi-k2")), 1'026'000.0, 3'000.0);  // published as 1 T
  EXPECT_NEAR(static_cast<double>(millions("grok-1")), 314'000.0, 3'000.0);     // published as 314 B
  EXPECT_EQ(parameter_count(model("bert-base")).total, 110'106'428);            // BertForPreTraining
  EXPECT_EQ(parameter_count(model("bert-large")).total, 336'226'108);
}

// Parameters and multiply-adds as torchvision prints them (https://docs.pytorch.org/vision/stable/models.html), and
// parameters as the logs of NVIDIA DeepLearningExamples do.
TEST(Profiles, NetworksHaveThePublishedParametersAndMultiplyAdds) {
  struct Published {
    const char* id;
    std::int64_t parameters;
    double multiply_adds;  // 0: not published
  };
  for (const Published& published : {Published{"resnet-50", 25'557'032, 4.089e9},
                                     {"resnet-101", 44'549'160, 7.801e9},
                                     {"resnet-152", 60'192'808, 11.514e9},
                                     {"vgg-16", 138'357'544, 15.470e9},
                                     {"alexnet", 61'100'840, 0.714e9},
                                     {"inception-v3", 23'834'568, 5.713e9},
                                     {"ssd300-vgg16", 35'641'826, 34.858e9},
                                     {"gnmt", 160'671'297, 0.0},
                                     {"transformer-xl-base", 191'950'298, 0.0}}) {
    Diagnostics diagnostics;
    const std::optional<OperatorNetwork> network = load_network(published.id, diagnostics);
    ASSERT_TRUE(network) << diagnostics.to_text();
    EXPECT_EQ(parameter_count(*network), published.parameters) << published.id;
    if (published.multiply_adds > 0.0) {
      EXPECT_NEAR(static_cast<double>(multiply_adds(*network)), published.multiply_adds, 1e6) << published.id;
    }
  }
}

TEST(Profiles, NetworksAreNoModelsForPredictions) {
  Diagnostics diagnostics;
  EXPECT_FALSE(load_model("resnet-50", diagnostics));
  EXPECT_EQ(diagnostics.to_text(),
            "command line: --model: \"resnet-50\" is a network of operators; predictions take transformers only; "
            "`trainwright profiles models` lists those\n");
}

TEST(Profiles, TinyModelsAreTiny) {
  for (const char* const id : {"gpt-tiny", "llama-tiny"}) {
    const std::int64_t total = parameter_count(model(id)).total;
    EXPECT_GT(total, 3'000'000) << id;
    EXPECT_LT(total, 6'000'000) << id;
  }
}

TEST(ShippedConstants, FollowFamilyLinkAndNetwork) {
  const auto kernels_of = [](const char* id) {
    return shipped_constants(cluster(id), SoftwareGeneration::current, StepConstants::left_out);
  };
  const CostConstants hopper = kernels_of("dgx-h100");
  EXPECT_EQ(hopper.origin, "shipped constants: hopper, kernels-hopper, link-nvlink-switch-hopper, network-infiniband");
  EXPECT_NEAR(hopper.gemm[static_cast<std::size_t>(Precision::bf16)].peak_fraction, 0.855, 0.01);
  EXPECT_EQ(hopper.gemm_step_rate, 0.885);
  EXPECT_NEAR(hopper.node_link.in_switch_efficiency, 0.61, 0.01);
  EXPECT_EQ(hopper.network.efficiency, 0.97);

  const CostConstants workstations = kernels_of("2x-rtx-4090-ethernet");
  EXPECT_EQ(workstations.origin, "shipped constants: ada, kernels-ada, link-pcie-ada, network-ethernet-tcp");
  EXPECT_EQ(workstations.node_link.efficiency, 0.10);

  EXPECT_EQ(
      kernels_of("dgx-h200").origin,
      "shipped constants: hopper, kernels-hopper, kernels-h200-sxm, link-nvlink-switch-hopper, network-infiniband");
  EXPECT_EQ(kernels_of("dgx-1-v100").origin, "shipped constants: volta, link-nvlink-mesh, network-infiniband");
  EXPECT_EQ(shipped_constants(cluster("local")).origin, "shipped constants: cpu, link-shared-memory");
}

TEST(ShippedConstants, OfWholeStepsFollowFamilyAndSoftware) {
  const auto origin_of = [](const char* id, SoftwareGeneration software) {
    return shipped_constants(cluster(id), software).origin;
  };
  EXPECT_THAT(origin_of("dgx-h100", SoftwareGeneration::of_2023), HasSubstr("steps-hopper, steps-hopper-2023"));
  EXPECT_THAT(origin_of("dgx-h100", SoftwareGeneration::current), HasSubstr("steps-hopper, steps-hopper-current"));
  // No published steps of that generation: what all of the family say.
  EXPECT_THAT(origin_of("dgx-a100", SoftwareGeneration::current), EndsWith("steps-ampere"));
  // Nothing but the kernels of the newer family is known where it has no steps of its own.
  EXPECT_THAT(origin_of("gb300-nvl72", SoftwareGeneration::current),
              HasSubstr("kernels-blackwell, kernels-blackwell-ultra, kernels-gb300"));
  EXPECT_NE(shipped_constants(cluster("dgx-h100"), SoftwareGeneration::of_2023).attention.step_rate,
            shipped_constants(cluster("dgx-h100")).attention.step_rate);
}

// GeForce cards have no access to each other's memory: a small share of the slot, through host memory.
TEST(NetworkCases, N15ConsumerCardsGoThroughHostMemory) {
  for (const char* const id : {"2x-rtx-4090-ethernet", "single-4x-rtx-a6000"}) {
    const CostConstants constants = shipped_constants(cluster(id));
    EXPECT_LE(constants.node_link.efficiency, 0.16) << id;
    EXPECT_EQ(constants.node_link.in_switch_efficiency, 0.0) << id;
  }
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
