// SPDX-License-Identifier: Apache-2.0
#include "model/validation/scaling_validation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace trainwright::model::validation {
namespace {

using testing::Contains;
using testing::HasSubstr;

// TensorFlow benchmarks of May 2017, Google Cloud n1-standard-32-k80x8: AlexNet on 8 of 8 GPUs.
ScalingRow alexnet_k80() {
  ScalingRow row;
  row.id = {"r", "TensorFlow benchmarks May 2017", "https://github.com/tensorflow/tensorflow",
            "tf_cnn_benchmarks; variable update: parameter_server on cpu"};
  row.group = "AlexNet|fp32";
  row.model = "AlexNet";
  row.precision = "fp32";
  row.accelerator = "k80";
  row.interconnect = "K80 (one GPU of the board = 1)";
  row.gpus = 8;
  row.gpus_per_node = 8;
  row.micro_batch = 512.0;
  row.base_throughput = 656.0;
  row.throughput_unit = "samples/s";
  row.efficiency_pct = 88.41;
  return row;
}

// NVIDIA DeepLearningExamples, Transformer-XL base on a DGX-1.
ScalingRow transformer_xl() {
  ScalingRow row;
  row.id = {"x", "DLE", "https://github.com/NVIDIA/DeepLearningExamples/blob/master/PyTorch/x", ""};
  row.group = "Transformer-XL base|fp16";
  row.model = "Transformer-XL base";
  row.precision = "fp16";
  row.accelerator = "v100-sxm-16gb";
  row.interconnect = "V100-16GB (DGX-1)";
  row.gpus = 4;
  row.gpus_per_node = 8;
  row.micro_batch = 32.0;
  row.base_throughput = 191.104;
  row.throughput_unit = "samples/s";
  row.efficiency_pct = 91.19;
  return row;
}

RowResult validate(const ScalingRow& row) {
  return validate_scaling({row}, std::nullopt).front();
}

TEST(ScalingValidation, PredictsMeasuredRunsWithinFourPoints) {
  for (const ScalingRow& row : {alexnet_k80(), transformer_xl()}) {
    const RowResult result = validate(row);
    ASSERT_TRUE(result.efficiency_predicted_pct) << result.skipped;
    EXPECT_NEAR(*result.efficiency_predicted_pct, row.efficiency_pct, 4.0) << row.model;
  }
}

TEST(ScalingValidation, RefusesABaseOfAnotherMachine) {
  ScalingRow row = alexnet_k80();
  row.efficiency_pct = 110.1;
  EXPECT_THAT(validate(row).skipped, HasSubstr("above 110 %"));
  row.efficiency_pct = 110.0;
  EXPECT_EQ(validate(row).skipped, "");
}

TEST(ScalingValidation, RefusesABaseSharedWithASlowerCard) {
  ScalingRow slow = transformer_xl();
  slow.accelerator = "rtx-3090";
  slow.interconnect = "PCIe card (bridge not stated)";
  ScalingRow fast = slow;
  fast.accelerator = "rtx-4090";
  fast.efficiency_pct = 104.7;
  const std::vector<RowResult> results = validate_scaling({slow, fast}, std::nullopt);
  EXPECT_EQ(results[0].skipped, "");
  EXPECT_THAT(results[1].skipped, HasSubstr("slower accelerator"));
  fast.base_throughput = 300.0;  // a base of its own
  EXPECT_EQ(validate_scaling({slow, fast}, std::nullopt)[1].skipped, "");
}

TEST(ScalingValidation, CountsTokensByTheSample) {
  const ScalingRow samples = transformer_xl();
  ScalingRow tokens = samples;
  tokens.throughput_unit = "tokens/s";
  tokens.base_throughput *= 192.0;
  EXPECT_NEAR(*validate(tokens).efficiency_predicted_pct, *validate(samples).efficiency_predicted_pct, 1e-6);
  tokens.model = "BERT-Large";
  EXPECT_THAT(validate(tokens).skipped, HasSubstr("tokens"));
}

TEST(ScalingValidation, StatesTheBatchItAssumes) {
  ScalingRow row = transformer_xl();
  row.model = "ResNet-50 v1.5";
  row.micro_batch.reset();
  row.base_throughput = 1376.0;
  const RowResult result = validate(row);
  EXPECT_TRUE(result.efficiency_predicted_pct);
  EXPECT_THAT(result.assumptions, Contains(HasSubstr("128 samples")));
}

TEST(ScalingValidation, SaysWhatItCannotPredict) {
  ScalingRow row = transformer_xl();
  row.model = "WaveGlow";
  EXPECT_THAT(validate(row).skipped, HasSubstr("size of the network"));
  row.params_b = 0.09;
  EXPECT_EQ(validate(row).skipped, "");
  row.model = "Llama 2 70B LoRA";
  EXPECT_THAT(validate(row).skipped, HasSubstr("adapters"));
  row = transformer_xl();
  row.accelerator = "abacus";
  row.interconnect = "wood";
  EXPECT_THAT(validate(row).skipped, HasSubstr("abacus"));
}

}  // namespace
}  // namespace trainwright::model::validation
