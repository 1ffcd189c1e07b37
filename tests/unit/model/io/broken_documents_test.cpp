// What each kind of document says when something is wrong with it: the exact messages, and no value.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "documents.hpp"
#include "model/io/accelerator_v1.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/cluster_v1.hpp"
#include "model/io/estimate_v1.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/model_v1.hpp"
#include "model/io/network_v1.hpp"
#include "model/io/plan_v1.hpp"
#include "model/io/profile_library.hpp"

namespace trainwright::model {
namespace {

using documents::problems;
using documents::with;

// What is the same for all kinds.
template <class Read>
void check_common(Read read, const std::string& text, const std::string& kind, const std::string& first_key) {
  EXPECT_EQ(problems(read, text), "");
  EXPECT_EQ(problems(read, ""), "a.json: the file is empty; a JSON object is needed\n");
  EXPECT_EQ(problems(read, "[1]"), "a.json: is a list ([1]); an object {...} is needed\n");
  EXPECT_EQ(problems(read, "{}"), "a.json: /format: is missing\n");
  EXPECT_EQ(
      problems(read, R"({"format": "trainwright/run/v1", "other": 1})"),
      "a.json: /format: is \"trainwright/run/v1\"; a file of format \"trainwright/" + kind + "/v1\" is needed here\n");
  const std::string cut = problems(read, text.substr(0, text.size() / 2));
  EXPECT_TRUE(cut.starts_with("a.json: parse error at line ")) << cut;
  const std::string format = "\"format\": \"trainwright/" + kind + "/v1\"";
  EXPECT_EQ(problems(read, with(text, format, format + ", " + format)),
            "a.json: /format: this key occurs twice; keep one of them\n");
  const std::string not_a_number = problems(read, with(text, format, format + ", \"n\": NaN"));
  EXPECT_TRUE(not_a_number.ends_with("; JSON has no NaN or Infinity; leave the field out\n")) << not_a_number;
  const std::string unknown = problems(read, with(text, format, format + ", \"colour\": \"red\""));
  EXPECT_TRUE(unknown.starts_with("a.json: /colour: this key is not known; known here: format, " + first_key))
      << unknown;
}

TEST(BrokenAccelerator, Common) {
  check_common(accelerator_from_json, documents::accelerator(), "accelerator", "id");
}

TEST(BrokenAccelerator, TypesUnitsAndRanges) {
  const std::string good = documents::accelerator();
  const auto said = [&](std::string_view from, std::string_view to) {
    return problems(accelerator_from_json, with(good, from, to));
  };
  EXPECT_EQ(said("\"id\": \"x1\"", "\"id\": \"\""), "a.json: /id: is empty; a text is needed\n");
  EXPECT_EQ(said("\"gpu\"", "\"fpga\""), "a.json: /kind: \"fpga\" is not known; allowed: gpu, cpu, tpu, npu\n");
  EXPECT_EQ(
      said("\"80 GB\"", "\"80 Gb\""),
      "a.json: /memory: \"80 Gb\" has no known unit; write for example \"512 kB\", \"80 GB\" (10^9) or \"80 GiB\" "
      "(2^30)\n");
  EXPECT_EQ(
      said("\"80 GB\"", "80"),
      "a.json: /memory: \"80\" has no unit; write for example \"512 kB\", \"80 GB\" (10^9) or \"80 GiB\" (2^30)\n");
  EXPECT_EQ(said("\"80 GB\"", "\"0 B\""), "a.json: /memory: is 0; it must be above 0\n");
  EXPECT_EQ(said("\"80 GB\"", "\"10 PB\""), "a.json: /memory: is 10 PB; at most 9 PB are possible\n");
  EXPECT_EQ(said("\"3.35 TB/s\"", "\"0 B/s\""), "a.json: /memory_bandwidth: is 0; it must be above 0\n");
  EXPECT_EQ(said("\"3.35 TB/s\"", "true"),
            "a.json: /memory_bandwidth: is a truth value (true); text with a unit is needed\n");
  EXPECT_EQ(said("\"bf16\"", "\"bf8\""),
            "a.json: /dense_peak/bf8: this key is not known; known here: fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4, "
            "fp64\n");
  EXPECT_EQ(said("\"989 TFLOP/s\"", "\"0 FLOP/s\""),
            "a.json: /dense_peak/bf16: is 0; leave out a precision that the device cannot do\n");
  EXPECT_EQ(said("132", "0"), "a.json: /multiprocessors: is 0; allowed: between 1 and 1000000\n");
  EXPECT_EQ(said("132", "1.5"), "a.json: /multiprocessors: is a number (1.5); a whole number is needed\n");
  EXPECT_EQ(said("700", "-1"), "a.json: /power_watts: is -1; allowed: between 0 and 1e+06\n");
  EXPECT_EQ(said("{\"covers\": [\"memory\"], \"text\": \"data sheet\"}", "{\"covers\": \"memory\"}"),
            "a.json: /sources/0/covers: is text (\"memory\"); a list of texts is needed\n"
            "a.json: /sources/0/text: is missing\n");
}

TEST(BrokenAccelerator, NoPrecisionAtAll) {
  EXPECT_EQ(problems(accelerator_from_json, with(documents::accelerator(), "\"bf16\": \"989 TFLOP/s\"", "")),
            "a.json: /dense_peak: is empty; at least one precision is needed\n");
}

TEST(BrokenCluster, Common) {
  check_common(cluster_from_json, documents::cluster(), "cluster", "id");
}

TEST(BrokenCluster, PartsThatBelongTogether) {
  const std::string good = documents::cluster();
  const auto said = [&](std::string_view from, std::string_view to) {
    return problems(cluster_from_json, with(good, from, to));
  };
  EXPECT_EQ(
      said("\"link\": {\n        \"kind\": \"nvlink-switch\",\n        \"bandwidth\": \"450 GB/s\"\n      },", ""),
      "a.json: /groups/0/link: is missing; a node of 8 devices needs \"link\": {\"kind\", \"bandwidth\"}\n");
  EXPECT_EQ(said("\"nvlink-switch\"", "\"infiniband\""),
            "a.json: /groups/0/link/kind: \"infiniband\" is not known; allowed: nvlink-switch, nvlink-mesh, pcie, "
            "shared-memory\n");
  EXPECT_EQ(said("\"infiniband\"", "\"pcie\""),
            "a.json: /groups/0/network/kind: \"pcie\" is not known; allowed: infiniband, roce, ethernet-tcp\n");
  EXPECT_EQ(said("\"adapters\": 4", "\"adapters\": 0"),
            "a.json: /groups/0/network/adapters: is 0; allowed: between 1 and 1024\n");
  EXPECT_EQ(said("\"2 us\"", "\"-2 us\""), "a.json: /groups/0/network/latency: \"-2 us\" is negative\n");
  EXPECT_EQ(said("\"450 GB/s\"", "\"450 GBps\""),
            "a.json: /groups/0/link/bandwidth: \"450 GBps\" has no known unit; write for example \"50 GB/s\" or \"400 "
            "Gbit/s\"\n");
  EXPECT_EQ(said("\"nodes\": 2", "\"nodes\": -2"), "a.json: /groups/0/nodes: is -2; allowed: between 1 and 1000000\n");
  EXPECT_EQ(said("\"nodes\": 2,\n      \"devices_per_node\": 8", "\"nodes\": 1000000, \"devices_per_node\": 16"),
            "a.json: /groups: hold 16000000 devices; at most 10000000 are possible\n");
  EXPECT_EQ(
      said("\"devices_share_cores\": false", "\"devices_share_cores\": true"),
      "a.json: /groups/0/devices_share_cores: is true, but the accelerator is of kind \"gpu\"; only devices of kind "
      "\"cpu\" share cores\n");
  EXPECT_EQ(
      said("\"kind\": \"rail-optimized\"", "\"kind\": \"torus\""),
      "a.json: /fabric/nodes_per_leaf: is 32, but a fabric of kind \"torus\" has no leaves; leave it out, or choose "
      "leaf-spine or rail-optimized\n");
  EXPECT_EQ(said("\"oversubscription\": 1", "\"oversubscription\": 0.5"),
            "a.json: /fabric/oversubscription: is 0.5; allowed: between 1 and 1000\n");
  EXPECT_EQ(said("\"kind\": \"rail-optimized\",\n    \"nodes_per_leaf\": 32", "\"kind\": \"none\""),
            "a.json: /fabric: is of kind \"none\"; a cluster of 2 nodes needs a fabric that joins them\n");
  EXPECT_EQ(said("\"currency\": \"USD\",", ""),
            "a.json: /currency: is missing; a price needs its currency, for example \"USD\"\n");
  EXPECT_EQ(said("\"price_per_device_hour\": 2.5,", ""),
            "a.json: /price_per_device_hour: is missing; a currency without a price says nothing\n");
  EXPECT_EQ(said("\"read_bandwidth\": \"40 GB/s\",", ""), "a.json: /storage/read_bandwidth: is missing\n");
}

TEST(BrokenCluster, SeveralNodesNeedNetworkAndFabric) {
  EXPECT_EQ(problems(cluster_from_json, R"({"format": "trainwright/cluster/v1", "id": "a", "name": "", "groups": [
              {"accelerator": "t4", "nodes": 3, "devices_per_node": 1, "cores_per_node": 4, "host_memory": "16 GB"}]})"),
            "a.json: /groups/0/network: is missing; a cluster of 3 nodes needs \"network\": {\"kind\", \"adapters\", "
            "\"rate\", \"latency\"} in each group\n"
            "a.json: /fabric: is missing; a cluster of 3 nodes needs \"fabric\": {\"kind\": \"full-bisection\"} or "
            "another kind\n");
  EXPECT_EQ(problems(cluster_from_json, R"({"format": "trainwright/cluster/v1", "id": "a", "name": "", "groups": []})"),
            "a.json: /groups: holds no group of nodes; at least one is needed\n");
  EXPECT_EQ(problems(cluster_from_json, R"({"format": "trainwright/cluster/v1", "id": "a", "name": "", "groups": [
              {"accelerator": "h100", "nodes": 1, "devices_per_node": 1, "cores_per_node": 4, "host_memory": "16 GB"}]})"),
            "a.json: /groups/0/accelerator: \"h100\" is not a known accelerator; did you mean h100-nvl or h100-sxm or "
            "h100-pcie? `trainwright profiles` lists all " +
                std::to_string(profile_ids(ProfileKind::accelerator).size()) + "\n");
}

// A group of four devices with this link and network.
std::string cluster_text(const std::string& link, const std::string& network) {
  return R"({"format": "trainwright/cluster/v1", "id": "a", "name": "", "groups": [{"accelerator": "gb200", "nodes": 2,
             "devices_per_node": 4, "cores_per_node": 4, "host_memory": "16 GB", "link": )" +
         link + R"(, "network": {"kind": "infiniband", "adapters": 4, "rate": "50 GB/s", "latency": "1 us")" + network +
         R"(}}], "fabric": {"kind": "full-bisection"}})";
}

TEST(BrokenCluster, LinkDomainsAreMadeOfWholeNodesOnASwitch) {
  const std::string good = R"({"kind": "nvlink-switch", "bandwidth": "900 GB/s", "domain_devices": 72})";
  EXPECT_EQ(problems(cluster_from_json, cluster_text(good, "")), "");
  EXPECT_EQ(
      problems(cluster_from_json,
               cluster_text(R"({"kind": "nvlink-switch", "bandwidth": "900 GB/s", "domain_devices": 70})", "")),
      "a.json: /groups/0/link/domain_devices: is 70, which whole nodes of 4 devices do not make; write a multiple "
      "of 4\n");
  EXPECT_EQ(
      problems(cluster_from_json, cluster_text(R"({"kind": "pcie", "bandwidth": "60 GB/s", "domain_devices": 8})", "")),
      "a.json: /groups/0/link/domain_devices: is 8, but a link of kind \"pcie\" ends at the node; leave it out; "
      "only devices on an nvlink-switch are joined across nodes\n");
}

TEST(BrokenCluster, AMeasuredRateIsAboveZeroAndAtMostTheDataSheets) {
  const std::string link = R"({"kind": "nvlink-switch", "bandwidth": "900 GB/s"})";
  EXPECT_EQ(problems(cluster_from_json, cluster_text(link, R"(, "measured_rate": "10 GB/s")")), "");
  EXPECT_EQ(problems(cluster_from_json, cluster_text(link, R"(, "measured_rate": "60 GB/s")")),
            "a.json: /groups/0/network/measured_rate: is 60 GB/s, above the adapter's rate of 50 GB/s; both are per "
            "adapter and direction\n");
  EXPECT_EQ(problems(cluster_from_json, cluster_text(link, R"(, "measured_rate": "0 GB/s")")),
            "a.json: /groups/0/network/measured_rate: is 0; leave it out where nothing was measured\n");
}

TEST(BrokenNetwork, ShapesAreChecked) {
  const auto text = [](const std::string& operators) {
    return R"({"format": "trainwright/network/v1", "id": "a", "name": "", "architecture": "", "sample": "image", "operators": )" +
           operators + "}";
  };
  EXPECT_EQ(problems(network_from_json, text(R"([{"name": "fc", "product": {"rows": 1, "n": 2, "k": 3}}])")), "");
  EXPECT_EQ(problems(network_from_json, text("[]")), "a.json: /operators: holds no operator; at least one is needed\n");
  EXPECT_EQ(problems(network_from_json, text(R"([{"name": "fc", "product": {"rows": 0, "n": 2}}])")),
            "a.json: /operators/0/product/rows: is 0; allowed: between 1 and 67108864\n"
            "a.json: /operators/0/product/k: is missing\n");
  EXPECT_EQ(problems(network_from_json, text(R"([{"name": "fc", "product": {"rows": 67108864, "n": 67108864,
                                                  "k": 67108864}}])")),
            "a.json: /operators: have more than 1e18 multiply-adds a sample; no network has; look at the shapes\n");
}

TEST(BrokenModel, Common) {
  check_common(model_from_json, documents::model(), "model", "id");
}

TEST(BrokenModel, MeaningAndRanges) {
  const std::string good = documents::model();
  const auto said = [&](std::string_view from, std::string_view to) {
    return problems(model_from_json, with(good, from, to));
  };
  EXPECT_EQ(said("\"hidden\": 256", "\"hidden\": 0"), "a.json: /hidden: is 0; allowed: between 1 and 4294967296\n");
  EXPECT_EQ(said("\"hidden\": 256", "\"hidden\": \"256\""),
            "a.json: /hidden: is text (\"256\"); a whole number is needed\n");
  EXPECT_EQ(said("\"kv_heads\": 2", "\"kv_heads\": 3"),
            "a.json: /layers/0/attention/kv_heads: is 3, which does not divide the 8 heads; each key-value head serves "
            "equally many query heads\n");
  EXPECT_EQ(said("\"mlp\": {", "\"was\": {"),
            "a.json: /layers/0: has neither \"mlp\" nor \"moe\"; a layer has exactly one of them\n"
            "a.json: /layers/0/was: this key is not known; known here: count, attention, mlp, moe, norm, norm_bias, "
            "norms, order, cross_attention\n");
  EXPECT_EQ(
      said("\"mlp\": {",
           "\"moe\": {\"experts\": 4, \"experts_per_token\": 8, \"expert_ffn\": 10, \"gated\": true}, \"mlp\": {"),
      "a.json: /layers/0/moe/experts_per_token: is 8; at most the number of experts, 4\n"
      "a.json: /layers/0: has both \"mlp\" and \"moe\"; a layer has exactly one of them\n");
  EXPECT_EQ(said("\"max_positions\": 512", "\"max_positions\": 0"),
            "a.json: /max_positions: is 0; learned positions need the number of rows of their table\n");
  EXPECT_EQ(said("\"encoder_layers\": 0", "\"encoder_layers\": 5"),
            "a.json: /encoder_layers: is 5; at most the number of layers, 4\n");
  EXPECT_EQ(said("\"position\": \"learned\"", "\"position\": \"rope\""),
            "a.json: /position: \"rope\" is not known; allowed: none, learned, rotary, alibi, relative\n");
  EXPECT_EQ(said("\"count\": 4", "\"count\": 0"), "a.json: /layers/0/count: is 0; allowed: between 1 and 1000000\n");
  EXPECT_EQ(said("\"tied_embeddings\": false", "\"tied_embeddings\": 0"),
            "a.json: /tied_embeddings: is a whole number (0); true or false is needed\n");
  EXPECT_EQ(said("\"causal\": true,", ""), "a.json: /layers/0/attention/causal: is missing\n");
}

TEST(BrokenModel, CrossAttentionIsNeverCausal) {
  EXPECT_EQ(problems(model_from_json, with(documents::model(), "\"norms\": 2",
                                           "\"norms\": 2, \"cross_attention\": {\"heads\": 1, \"kv_heads\": 1, "
                                           "\"head_dim\": 1, \"causal\": true}")),
            "a.json: /layers/0/cross_attention/causal: is true; every position attends to the whole output of the "
            "encoder\n");
}

TEST(BrokenPlan, Common) {
  check_common(plan_from_json, documents::plan(), "plan", "model");
}

TEST(BrokenPlan, PartsAndConstants) {
  const std::string good = documents::plan();
  const auto said = [&](std::string_view from, std::string_view to) {
    return problems(plan_from_json, with(good, from, to));
  };
  EXPECT_EQ(said("\"hidden\": 256", "\"hidden\": null"), "a.json: /model/hidden: is missing\n");
  EXPECT_EQ(said("\"global_batch\": 64", "\"global_batch\": 0"),
            "a.json: /job/global_batch: is 0; allowed: between 1 and 1099511627776\n");
  EXPECT_EQ(said("\"schedule\": \"1f1b\"", "\"schedule\": \"2f2b\""),
            "a.json: /layout/schedule: \"2f2b\" is not known; allowed: 1f1b, gpipe, interleaved, zb-h1, dualpipe\n");
  EXPECT_EQ(said("\"zero\": 0", "\"zero\": 4"), "a.json: /layout/zero: is 4; allowed: between 0 and 3\n");
  EXPECT_EQ(said("\"dp\": 8", "\"dp\": 10000000"),
            "a.json: /layout: has dp x tp x pp x cp = 20000000 ranks; at most 10000000 are possible\n");
  EXPECT_EQ(said("\"attention.tail\"", "\"attention.tial\""),
            "a.json: /constants/attention.tial: is not a constant; did you mean attention.tail?\n"
            "a.json: warning: /constants/attention.tail: is missing; the built-in value is taken\n");
  EXPECT_EQ(said("\"attention.tail\": 0.9", "\"attention.tail\": -0.9"),
            "a.json: /constants/attention.tail: is -0.9; it must be a number of 0 or above\n");
  EXPECT_EQ(said("\"gemm.bf16.peak_fraction\": 0.78", "\"gemm.bf16.peak_fraction\": 0"),
            "a.json: /constants/gemm.bf16.peak_fraction: is 0; it must be above 0\n");
  EXPECT_EQ(said("\"communication_compute_share\": 0", "\"communication_compute_share\": 1"),
            "a.json: /constants/communication_compute_share: is 1; it must be below 1\n");
  EXPECT_EQ(said("\"layout\": {", "\"was\": {"),
            "a.json: /layout: is missing\n"
            "a.json: /was: this key is not known; known here: format, model, cluster, job, layout, constants_origin, "
            "constants, assumptions\n");
}

TEST(OlderPlan, TakesBuiltInConstantsWithAWarningAndAnAssumption) {
  const std::string older = with(documents::plan(), "\"attention.tail\": 0.9,", "");
  Diagnostics diagnostics;
  const std::optional<Plan> plan = plan_from_json(older, "a.json", diagnostics);
  ASSERT_TRUE(plan);
  EXPECT_EQ(diagnostics.to_text(),
            "a.json: warning: /constants/attention.tail: is missing; the built-in value is taken\n");
  EXPECT_EQ(plan->constants.attention.tail, CostConstants{}.attention.tail);
  EXPECT_EQ(plan->assumptions.back(),
            "the plan does not state the constant attention.tail; the built-in value is taken");
}

TEST(BrokenMeasurement, Common) {
  check_common(measurement_from_json, documents::measurement(), "measurement", "environment");
}

TEST(BrokenMeasurement, MeaningAndRanges) {
  const std::string good = documents::measurement();
  const auto said = [&](std::string_view from, std::string_view to) {
    return problems(measurement_from_json, with(good, from, to));
  };
  EXPECT_EQ(said("\"m\": 512", "\"m\": 0"), "a.json: /gemm/0/m: is 0; allowed: between 1 and 1152921504606846976\n");
  EXPECT_EQ(said("\"precision\": \"fp32\"", "\"precision\": \"float\""),
            "a.json: /gemm/0/precision: \"float\" is not known; allowed: fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4, "
            "fp64\n");
  EXPECT_EQ(said("\"ranks\": 4, \"nodes\": 2", "\"ranks\": 4, \"nodes\": 5"),
            "a.json: /collectives/0/nodes: is 5; at most the number of ranks, 4\n");
  EXPECT_EQ(said("\"all_reduce\", \"ranks\": 4", "\"allreduce\", \"ranks\": 4"),
            "a.json: /collectives/0/kind: \"allreduce\" is not known; allowed: all_reduce, all_gather, reduce_scatter, "
            "broadcast, reduce, all_to_all\n");
  EXPECT_EQ(said("\"direction\": \"write\", \"bytes\": 1000000, \"samples\": 20, \"invalid\": 1, \"median_s\": 0.002",
                 "\"direction\": \"write\", \"bytes\": 1000000, \"samples\": 20, \"invalid\": 1, \"median_s\": 0.005"),
            "a.json: /storage/0/median_s: is not between \"min_s\" and \"max_s\"; the file was changed by hand or is "
            "damaged\n");
  EXPECT_EQ(said("\"duration_s\": [0.2, 0.3]", "\"duration_s\": [0.2]"),
            "a.json: /runs/0/ranks/0/tasks/0/duration_s: has 1 entries, \"start_s\" has 2; both have one for each "
            "measured step\n");
  EXPECT_EQ(said("\"step_s\": [0.5, 0.6]", "\"step_s\": [0.5, -0.6]"),
            "a.json: /runs/0/step_s: holds a time below 0 or above 1000000000 s\n");
  EXPECT_EQ(said("\"step_s\": [0.5, 0.6]", "\"step_s\": [0.5, \"0.6\"]"),
            "a.json: /runs/0/step_s: is a list ([0.5,\"0.6\"]); a list of numbers is needed\n");
}

TEST(BrokenCalibration, Common) {
  check_common(calibration_from_json, documents::calibration(), "calibration", "environment");
}

TEST(BrokenCalibration, MeaningAndRanges) {
  const std::string good = documents::calibration();
  const auto said = [&](std::string_view from, std::string_view to) {
    return problems(calibration_from_json, with(good, from, to));
  };
  EXPECT_EQ(said("\"network.step_s\"", "\"network.steps\""),
            "a.json: /constants/0/name: \"network.steps\" is not a constant; did you mean network.step_s or "
            "network.base_s or "
            "network.knee_s?\n");
  EXPECT_EQ(said("\"value\": 2e-06", "\"value\": -1"),
            "a.json: /constants/0/value: is -1; it must be a number of 0 or above\n");
  EXPECT_EQ(said("\"value\": 2e-06", "\"value\": \"2 us\""),
            "a.json: /constants/0/value: is text (\"2 us\"); a number is needed\n");
  EXPECT_EQ(said("\"origin\": \"12 points, residual 3 %\"", "\"origin\": \"\""),
            "a.json: /constants/0/origin: is empty; a text is needed\n");
  EXPECT_EQ(
      said("\"constants\": [", "\"constants\": [{\"name\": \"network.step_s\", \"value\": 1, \"origin\": \"x\"},"),
      "a.json: /constants/1/name: \"network.step_s\" occurs twice; keep one of them\n");
  EXPECT_EQ(said("\"step_log_error\": 0.05", "\"step_log_error\": 11"),
            "a.json: /step_log_error: is 11; allowed: between 0 and 10\n");
}

TEST(BrokenEstimate, Common) {
  check_common(estimate_from_json, documents::estimate(), "estimate", "model");
}

TEST(BrokenEstimate, MeaningAndRanges) {
  const std::string good = documents::estimate();
  const auto said = [&](std::string_view from, std::string_view to) {
    return problems(estimate_from_json, with(good, from, to));
  };
  EXPECT_EQ(said("[1.5, 2.5]", "[2.5, 1.5]"),
            "a.json: /step_time_interval_s: is not [low, high]; two numbers in ascending order are needed\n");
  EXPECT_EQ(said("\"step_time_s\": 2,", "\"step_time_s\": -2,"), "a.json: /step_time_s: is -2; allowed: at least 0\n");
  EXPECT_EQ(said("\"borderline\"", "\"maybe\""),
            "a.json: /memory/verdict: \"maybe\" is not known; allowed: fits, borderline, does not fit\n");
  EXPECT_EQ(said("\"bubble\": 0,", ""), "a.json: /breakdown_s/bubble: is missing\n");
  EXPECT_EQ(said("\"end_s\": [0.5]", "\"end_s\": []"),
            "a.json: /timeline/ranks/0/task: has 1 entries, \"start_s\" has 1, \"end_s\" has 0; each interval has one "
            "entry in all three\n");
}

}  // namespace
}  // namespace trainwright::model
