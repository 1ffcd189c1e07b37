// SPDX-License-Identifier: Apache-2.0
#include "model/validation/gradient_order.hpp"

#include <gtest/gtest.h>

namespace trainwright::model::validation {
namespace {

NetworkOperator product(std::int64_t k, std::int64_t parameters, std::int64_t count = 1) {
  NetworkOperator op;
  op.count = count;
  op.product = OperatorProduct{1, 1, k, 1, 1};
  op.parameters = parameters;
  return op;
}

TEST(GradientOrder, RunsFromTheLastOperatorToTheFirst) {
  OperatorNetwork network;
  network.operators = {product(6, 10), product(3, 20), product(1, 30)};
  const GradientOrder order = gradient_order(network);
  ASSERT_EQ(order.gradients.size(), 3U);
  EXPECT_DOUBLE_EQ(order.gradients[0].ready, 0.1);
  EXPECT_DOUBLE_EQ(order.gradients[0].parameters, 30.0);
  EXPECT_DOUBLE_EQ(order.gradients[1].ready, 0.4);
  EXPECT_DOUBLE_EQ(order.gradients[2].ready, 1.0);
  EXPECT_DOUBLE_EQ(order.parameters(), 60.0);
  EXPECT_FALSE(order.is_recurrent);
}

TEST(GradientOrder, RepeatsEqualCountsAsLayers) {
  OperatorNetwork network;
  network.operators = {product(1, 1, 2), product(1, 2, 2)};
  const GradientOrder order = gradient_order(network);
  ASSERT_EQ(order.gradients.size(), 4U);  // 2 1 2 1, not 2 2 1 1
  EXPECT_DOUBLE_EQ(order.gradients[0].parameters, 2.0);
  EXPECT_DOUBLE_EQ(order.gradients[1].parameters, 1.0);
  EXPECT_DOUBLE_EQ(order.gradients[2].parameters, 2.0);
}

// Three dense layers of VGG16 hold 123.6 of its 138.4 million parameters and do 0.8 % of its multiply-adds.
TEST(GradientOrder, OfVgg16HasMostGradientsFirst) {
  const std::optional<GradientOrder> order = gradient_order_named("VGG16");
  ASSERT_TRUE(order);
  EXPECT_DOUBLE_EQ(order->parameters(), 138'357'544.0);
  const double dense = order->gradients[0].parameters + order->gradients[1].parameters + order->gradients[2].parameters;
  EXPECT_DOUBLE_EQ(dense, 123'642'856.0);
  EXPECT_NEAR(order->gradients[2].ready, 0.008, 0.0001);
}

// Its words are looked up first and scored last, with one weight: the gradient is whole when the lookup's is.
TEST(GradientOrder, OfTransformerXlEndsWithTheTiedEmbedding) {
  const std::optional<GradientOrder> order = gradient_order_named("Transformer-XL base");
  ASSERT_TRUE(order);
  EXPECT_DOUBLE_EQ(order->gradients.back().parameters, 137'080'320.0);
  EXPECT_DOUBLE_EQ(order->gradients.back().ready, 1.0);
}

TEST(GradientOrder, FindsProfilesByTheLongestIdThatBeginsTheName) {
  EXPECT_EQ(gradient_order_named("ResNet-50 v1.5")->network, "resnet-50");
  EXPECT_EQ(gradient_order_named("SSD300 ResNet-50")->network, "ssd300-resnet-50");
  EXPECT_EQ(gradient_order_named("Transformer-XL large")->network, "transformer-xl-large");
  const std::optional<GradientOrder> bert = gradient_order_named("BERT-Large SQuAD fine-tuning");
  ASSERT_TRUE(bert);
  EXPECT_EQ(bert->network, "bert-large");
  EXPECT_DOUBLE_EQ(bert->parameters(), 336'226'108.0);
  EXPECT_FALSE(gradient_order_named("WaveGlow"));
  EXPECT_TRUE(gradient_order_named("GNMT")->is_recurrent);
}

TEST(GradientOrder, OfAStatedSizeIsEven) {
  const GradientOrder order = even_gradient_order(64e6);
  EXPECT_DOUBLE_EQ(order.parameters(), 64e6);
  EXPECT_DOUBLE_EQ(order.gradients[order.gradients.size() / 2 - 1].ready, 0.5);
}

}  // namespace
}  // namespace trainwright::model::validation
