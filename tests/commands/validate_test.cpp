// `trainwright validate`: JSON of the contract, reasons for rows, all problems of a table at once, exit codes.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/commands/run_program.hpp"

namespace trainwright {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing_support::CommandTest;
using testing_support::Outcome;

constexpr const char* kHeader =
    "row_id,source,framework,attention,year,model,params_b,layers,hidden,heads,kv_heads,ffn,vocab,seq_len,precision,"
    "cluster,accelerator,gpus,tp,pp,dp,dp_sharding,micro_batch,global_batch,recompute,iteration_time_s,notes\n";

// One row is of table 1 of arXiv 2104.04473 with recomputation left off; the others vary it, so that a source has rows
// to calibrate on and rows to test.
std::string steps() {
  std::string text = kHeader;
  for (int i = 0; i < 4; ++i) {
    const std::string dp = std::to_string(8 << i);
    const std::string batch = std::to_string((8 << i) * 16);
    text += "s" + std::to_string(i) +
            ",\"A, quoted\",megatron-lm,unfused,2021,GPT 1.7B,1.7,24,2304,24,24,9216,51200,2048,fp16,dgx-a100,"
            "a100-sxm-80gb," +
            dp + ",1,1," + dp + ",none,16," + batch + ",none,3.4,\n";
  }
  return text +
         "bad,B,,,,GPT-MoE,,24,2304,24,24,9216,51200,2048,bf16,dgx-a100,a100-sxm-80gb,8,1,1,8,none,1,8,none,1,\n";
}

class Validate : public CommandTest {};

TEST_F(Validate, JsonHasTheFieldsOfTheContractAndNothingElseIsPrinted) {
  const Outcome outcome = run({"validate", write("steps.csv", steps()), "--json", "--out", "rows.csv"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("all").at("rows"), 5);
  EXPECT_EQ(result.at("all").at("covered"), 4);
  EXPECT_EQ(result.at("sources").at("A, quoted").at("covered"), 4);
  EXPECT_EQ(result.at("sources").at("B").at("covered"), 0);
  EXPECT_EQ(result.at("sources").at("B").at("mape"), nullptr);
  const Json& row = result.at("rows").at(0);
  EXPECT_EQ(row.at("row_id"), "s0");
  EXPECT_GT(row.at("predicted_s").get<double>(), 0.5);
  EXPECT_LT(row.at("predicted_s").get<double>(), 10.0);
  EXPECT_LE(row.at("interval_s").at(0).get<double>(), row.at("predicted_s").get<double>());
  EXPECT_EQ(row.at("skipped"), nullptr);
  EXPECT_THAT(result.at("rows").at(4).at("skipped").get<std::string>(), HasSubstr("no model profile"));
  EXPECT_THAT(read("rows.csv"), HasSubstr("\ns0,\"A, quoted\","));
}

TEST_F(Validate, ShotsCalibrateAndDoNotCount) {
  const std::string table = write("steps.csv", steps());
  const Outcome outcome = run({"validate", table, "--shots", "2", "--seed", "7", "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json result = Json::parse(outcome.out);
  EXPECT_EQ(result.at("sources").at("A, quoted").at("rows"), 2);
  int used = 0;
  for (const Json& row : result.at("rows"))
    used += row.at("skipped") == "used to calibrate" ? 1 : 0;
  EXPECT_EQ(used, 2);
  // The four rows took the same time: two of them tell what the others take.
  const Json plain = Json::parse(run({"validate", table, "--json"}).out);
  EXPECT_LT(result.at("sources").at("A, quoted").at("median_abs_error").get<double>(),
            plain.at("sources").at("A, quoted").at("median_abs_error").get<double>());
  EXPECT_EQ(run({"validate", table, "--shots", "2", "--seed", "7", "--json"}).out, outcome.out);
}

TEST_F(Validate, ReportsEveryProblemOfATable) {
  const std::string table =
      write("gemm.csv", "row_id,source,gpu,dtype,m,n,k,time_us\ng1,S,H100,bf16,x,2,3,4\ng2,S,H100,bf16,1,2,3,\n");
  const Outcome outcome = run({"validate", table, "--shots", "0"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("--shots"));
  EXPECT_THAT(outcome.err, HasSubstr("line 2, column m: \"x\" is not a number"));
  EXPECT_THAT(outcome.err, HasSubstr("line 3, column time_us: is empty; it is needed"));
}

TEST_F(Validate, SaysNoWhenALimitIsMissed) {
  const std::string table =
      write("gemm.csv", "row_id,source,gpu,dtype,m,n,k,time_us\ng1,S,H100,bf16,4096,4096,4096,1\n");
  EXPECT_EQ(run({"validate", table, "--max-median", "10"}).exit_code, 1);
  EXPECT_EQ(run({"validate", table}).exit_code, 0);
}

TEST_F(Validate, WritesConstantsOfKernels) {
  const std::string gemm = std::string(TRAINWRIGHT_FIXTURES) + "/published/gemm.csv";
  const Outcome outcome = run({"validate", gemm, "--fit-kernels", "."});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(read("kernels-hopper.json"), HasSubstr("\"gemm.bf16.peak_fraction\""));
  EXPECT_THAT(run({"validate", gemm, "--cross-validate", "--markdown"}).out, HasSubstr("| h100-sxm bf16 | 5 |"));
  EXPECT_THAT(run({"validate", gemm, "--holdout-card", "2"}).out, HasSubstr("h100-sxm bf16"));
}

}  // namespace
}  // namespace trainwright
