// A network as a list of operators, for what is no stack of transformer layers: convolutions, recurrent layers,
// detectors. Every figure is for one sample and the forward pass; the backward pass does the products of each operator
// twice more. On disk trainwright/network/v1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/hardware/accelerator.hpp"

namespace trainwright::model {

/// `groups` products y[rows, n] = x[rows, k] w[k, n] for each sample, `repeats` of them one after the other. A batch of
/// b samples multiplies the rows by b. A convolution has rows = height x width of its output, n = output channels and
/// k = input channels x kernel height x kernel width, channels counted in one group (im2col, Chellapilla et al. 2006).
struct OperatorProduct {
  std::int64_t rows = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  std::int64_t groups = 1;
  std::int64_t repeats = 1;  ///< time steps that wait for each other
  friend bool operator==(const OperatorProduct&, const OperatorProduct&) = default;
};

struct NetworkOperator {
  std::string name;
  std::int64_t count = 1;  ///< so many equal ones in a row
  std::optional<OperatorProduct> product;
  std::int64_t moved_elements = 0;  ///< read and written by kernels without a product
  std::int64_t kept_elements = 0;   ///< kept for the backward pass
  std::int64_t parameters = 0;      ///< trained
  friend bool operator==(const NetworkOperator&, const NetworkOperator&) = default;
};

struct OperatorNetwork {
  std::string id;
  std::string name;
  std::string architecture;
  std::string sample;  ///< what one sample is: "image of 224 x 224 pixels"
  std::vector<NetworkOperator> operators;
  std::vector<std::string> notes;
  std::vector<SourceNote> sources;
  friend bool operator==(const OperatorNetwork&, const OperatorNetwork&) = default;
};

[[nodiscard]] std::int64_t parameter_count(const OperatorNetwork& network);
/// Multiply-adds of the forward pass of one sample.
[[nodiscard]] std::int64_t multiply_adds(const OperatorNetwork& network);
[[nodiscard]] std::int64_t kept_elements(const OperatorNetwork& network);

}  // namespace trainwright::model
