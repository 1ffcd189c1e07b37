// SPDX-License-Identifier: Apache-2.0
#include "model/validation/table.hpp"

#include <gtest/gtest.h>

namespace trainwright::model::validation {
namespace {

std::optional<Table> load(std::string_view text, std::string& said) {
  Diagnostics diagnostics;
  std::optional<Table> table = load_table(text, "t.csv", diagnostics);
  said = diagnostics.to_text();
  return table;
}

constexpr std::string_view kGemm = "row_id,source,gpu,dtype,m,n,k,time_us\n";

TEST(Tables, AreKnownByTheirHeader) {
  std::string said;
  const auto gemm = load(std::string(kGemm) + "g1,S,H100,bfloat16,8192,8192,8192,1404.8\n", said);
  ASSERT_TRUE(gemm) << said;
  const auto& rows = std::get<std::vector<GemmRow>>(gemm->rows);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].work, (GemmWork{8192, 8192, 8192, 1, Precision::bf16}));
  EXPECT_EQ(rows[0].time_us, 1404.8);

  const auto steps = load(
      "row_id,source,model,layers,hidden,seq_len,cluster,accelerator,gpus,tp,pp,iteration_time_s,recompute,vocab\n"
      "s1,S,GPT 22B,48,6144,2048,dgx-a100,,8,8,1,1.42,full,51200.0\n",
      said);
  ASSERT_TRUE(steps) << said;
  const StepRow& step = std::get<std::vector<StepRow>>(steps->rows).at(0);
  EXPECT_EQ(step.vocab, 51200);
  EXPECT_EQ(step.iteration_time_s, 1.42);
  EXPECT_EQ(step.heads, std::nullopt) << "an empty column is not stated, not zero";

  const auto scaling = load(
      "row_id,source,model,accelerator,gpus,base_gpus,base_throughput,efficiency_pct\n"
      "c1,S,BERT,h100-sxm,8,1,100,95.5\n",
      said);
  ASSERT_TRUE(scaling) << said;
  EXPECT_EQ(std::get<std::vector<ScalingRow>>(scaling->rows).at(0).efficiency_pct, 95.5);
}

TEST(Tables, ReportEveryWrongCellAtOnce) {
  std::string said;
  EXPECT_FALSE(load(std::string(kGemm) + "g1,S,H100,bf17,8192,0,x,nan\ng1,S,,bf16,1.5,2,3,-4\n", said));
  EXPECT_EQ(said,
            "t.csv: line 2, column n: \"0\" is not a whole number of 1 or above\n"
            "t.csv: line 2, column k: \"x\" is not a number\n"
            "t.csv: line 2, column dtype: \"bf17\" is not a known number format; fp32, tf32, fp16, bf16, fp8, mxfp8, "
            "nvfp4\n"
            "t.csv: line 2, column time_us: \"nan\" is not a number\n"
            "t.csv: line 3, column gpu: is empty; it is needed\n"
            "t.csv: line 3, column m: \"1.5\" is not a whole number of 1 or above\n"
            "t.csv: line 3, column time_us: \"-4\" is not above 0\n"
            "t.csv: line 3, column row_id: \"g1\" occurs twice\n");
}

TEST(Tables, RefuseColumnsTheyDoNotKnow) {
  std::string said;
  EXPECT_FALSE(load("row_id,source,gpu,dtype,m,n,time_us,kk\n", said));
  EXPECT_EQ(said,
            "t.csv: line 1: column \"k\" is missing; a table of gemm needs it\n"
            "t.csv: line 1: column \"kk\" is not one of a table of gemm; did you mean k or m or n?\n");
  EXPECT_FALSE(load("name,value\n", said));
  EXPECT_EQ(said,
            "t.csv: line 1: these columns are of no known table; known tables: steps, scaling, gemm, attention, "
            "collectives, mixture-of-experts layers\n");
}

TEST(Tables, KnowTheWordsOfOthersForNumberFormats) {
  EXPECT_EQ(precision_of("bfloat16"), Precision::bf16);
  EXPECT_EQ(precision_of("half"), Precision::fp16);
  EXPECT_EQ(precision_of("nvfp4"), Precision::nvfp4);
  EXPECT_EQ(precision_of("int7"), std::nullopt);
}

}  // namespace
}  // namespace trainwright::model::validation
