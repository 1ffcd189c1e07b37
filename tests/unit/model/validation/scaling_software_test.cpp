// SPDX-License-Identifier: Apache-2.0
#include "model/validation/scaling_software.hpp"

#include <gtest/gtest.h>

namespace trainwright::model::validation {
namespace {

ScalingSoftware read(const std::string& notes, const std::string& url = {}, const std::string& model = "BERT-Large",
                     const std::string& precision = "fp16") {
  ScalingRow row;
  row.id = {"r", "S", url, notes};
  row.model = model;
  row.precision = precision;
  return software_of(row, even_gradient_order(1e6));
}

TEST(ScalingSoftware, SumsGradientsInTheirPrecision) {
  EXPECT_DOUBLE_EQ(read("").gradient_bytes, 2.0);
  EXPECT_DOUBLE_EQ(read("", "", "X", "fp32").gradient_bytes, 4.0);
  EXPECT_DOUBLE_EQ(read("", "", "X", "tf32").gradient_bytes, 4.0);
  EXPECT_DOUBLE_EQ(read("Horovod").gradient_bytes, 4.0);
}

TEST(ScalingSoftware, TellsHowVariablesAreUpdated) {
  EXPECT_EQ(read("tf_cnn_benchmarks; variable update: parameter_server on cpu; x").exchange, GradientExchange::host);
  EXPECT_EQ(read("variable update: parameter_server on gpu").exchange, GradientExchange::host);
  EXPECT_EQ(read("variable update: replicated without NCCL on gpu").exchange, GradientExchange::host);
  EXPECT_EQ(read("variable update: replicated with NCCL").exchange, GradientExchange::all_reduce);
  const ScalingSoftware distributed =
      read("variable update: distributed_replicated (parameter servers on the workers)");
  EXPECT_EQ(distributed.exchange, GradientExchange::host);
  EXPECT_TRUE(distributed.crosses_nodes_beside_backward);
}

TEST(ScalingSoftware, AccumulatesWithOneSumOrOneEachMicroBatch) {
  const ScalingSoftware once = read("gradient accumulation 32; global_batch derived", "https://x/PyTorch/y");
  EXPECT_DOUBLE_EQ(once.micro_batches, 32.0);
  EXPECT_FALSE(once.reduces_each_micro_batch);
  EXPECT_FALSE(once.overlaps_backward);
  const ScalingSoftware each = read("Horovod; accumulation 256; LAMB");
  EXPECT_DOUBLE_EQ(each.micro_batches, 256.0);
  EXPECT_TRUE(each.reduces_each_micro_batch);
  EXPECT_TRUE(each.overlaps_backward);
  EXPECT_TRUE(read("").overlaps_backward);
}

TEST(ScalingSoftware, PacksBucketsWhereTheFrameworkDoes) {
  EXPECT_DOUBLE_EQ(read("", "https://x/PyTorch/y").copies, 6.0);
  EXPECT_GT(read("", "https://x/pytorch/y").host_per_operator_s, 0.0);
  EXPECT_DOUBLE_EQ(read("", "https://x/MxNet/y").host_per_operator_s, 0.0);
  EXPECT_DOUBLE_EQ(read("Horovod").bucket_bytes, 67'108'864.0);
}

TEST(ScalingSoftware, SumsAfterRecurrentLayers) {
  ScalingRow row;
  row.model = "GNMT";
  EXPECT_FALSE(software_of(row, *gradient_order_named("GNMT")).overlaps_backward);
}

TEST(ScalingSoftware, KnowsABenchmarkWhoseDevicesTrainAlone) {
  const std::string url = "https://github.com/lambdal/deeplearning-benchmark/blob/master/pytorch/x.csv";
  EXPECT_EQ(read("", url, "Transformer-XL base").exchange, GradientExchange::none);
  EXPECT_EQ(read("", url, "ResNet-50").exchange, GradientExchange::all_reduce);
  EXPECT_EQ(read("", "https://x/PyTorch/y", "Transformer-XL base").exchange, GradientExchange::all_reduce);
}

}  // namespace
}  // namespace trainwright::model::validation
