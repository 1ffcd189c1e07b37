// SPDX-License-Identifier: Apache-2.0
#include "model/workload/operator_list.hpp"

#include <utility>

#include "model/workload/layer_operators.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model {
namespace {

class ModelList {
 public:
  explicit ModelList(const Model& model) : model_(model), layers_(layer_count(model)), width_(embedding_width(model)) {}

  std::vector<ListedOperator> run() {
    OperatorId x = embedding("embedding", -1, embedding_parameters(model_) - projections());
    if (model_.embedding_norm)
      x = norm("embedding.norm", -1, x);
    std::optional<OperatorId> encoder;
    const bool has_decoder = model_.encoder_layers > 0 && model_.encoder_layers < layers_;
    for (int layer = 0; layer < layers_; ++layer) {
      if (has_decoder && layer == model_.encoder_layers) {
        encoder = model_.final_norm ? norm("encoder.final_norm", layer - 1, x) : x;
        x = embedding("decoder.embedding", layer, 0);  // the table of the encoder
      }
      x = append_layer(model_, layer, x, encoder, list_);
    }
    if (model_.final_norm)
      x = norm("final_norm", layers_, x);
    if (model_.extra_parameters > 0) {
      Operator op;
      op.kind = OperatorKind::weights;
      op.parameters = model_.extra_parameters;
      x = add(std::move(op), "other", layers_, {x});
    }
    if (model_.has_head && model_.vocab > 0)
      head(x);
    return std::move(list_);
  }

 private:
  OperatorId add(Operator op, std::string name, int layer, std::vector<OperatorId> inputs) {
    op.name = std::move(name);
    op.layer = layer;
    const OperatorId id(list_.size());
    list_.push_back({std::move(op), std::move(inputs)});
    return id;
  }

  // OPT-350M: embedding and head are narrower than the layers, one matrix leads in and one out.
  [[nodiscard]] std::int64_t projections() const { return width_ == model_.hidden ? 0 : 2 * width_ * model_.hidden; }

  OperatorId embedding(const std::string& name, int layer, std::int64_t parameters) {
    Operator op;
    op.kind = OperatorKind::embedding;
    op.split = Split::row;
    op.in_features = 1;
    op.out_features = width_;
    op.parameters = parameters;
    const OperatorId x = add(std::move(op), name, layer, {});
    return width_ == model_.hidden ? x : projection("embedding.projection", layer, width_, model_.hidden, x);
  }

  OperatorId projection(const std::string& name, int layer, std::int64_t in, std::int64_t out, OperatorId x) {
    Operator op;
    op.in_features = in;
    op.out_features = out;
    op.parameters = in * out;
    return add(std::move(op), name, layer, {x});
  }

  OperatorId norm(const std::string& name, int layer, OperatorId x) {
    Operator op;
    op.kind = OperatorKind::norm;
    op.in_features = op.out_features = model_.hidden;
    op.parameters = norm_weights(model_.norm, model_.hidden, model_.norm_bias);
    op.norm = model_.norm;
    return add(std::move(op), name, layer, {x});
  }

  void head(OperatorId x) {
    if (width_ != model_.hidden)
      x = projection("head.projection", layers_, model_.hidden, width_, x);
    Operator op;
    op.kind = OperatorKind::head;
    op.split = Split::column;
    op.in_features = width_;
    op.out_features = model_.vocab;
    op.parameters = head_parameters(model_);
    x = add(std::move(op), "head", layers_, {x});
    Operator loss;
    loss.kind = OperatorKind::loss;
    loss.split = Split::share;
    loss.in_features = model_.vocab;
    loss.out_features = 1;
    add(std::move(loss), "loss", layers_, {x});
  }

  const Model& model_;
  int layers_;
  std::int64_t width_;
  std::vector<ListedOperator> list_;
};

}  // namespace

std::vector<ListedOperator> list_operators(const Model& model) {
  return ModelList(model).run();
}

}  // namespace trainwright::model
