// SPDX-License-Identifier: Apache-2.0
#include "model/workload/layer_operators.hpp"

#include <utility>

#include "model/base/contract.hpp"

namespace trainwright::model {
namespace {

class LayerList {
 public:
  LayerList(const Model& model, int layer, std::vector<ListedOperator>& list)
      : model_(model), layer_(layer), shape_(layer_at(model, layer)), list_(list), norms_left_(shape_.norms) {}

  OperatorId run(OperatorId x, std::optional<OperatorId> encoder) {
    if (shape_.order == BlockOrder::parallel)
      return parallel_block(x);
    const bool post_norms = shape_.norms >= (shape_.cross_attention ? 5 : 4);
    OperatorId y = block("attention", x, post_norms, [&](OperatorId n) { return attention(shape_.attention, "", n); });
    if (shape_.cross_attention) {
      TRAINWRIGHT_EXPECTS(encoder.has_value(), "layer " + std::to_string(layer_) + " attends to no encoder");
      y = block("cross", y, false, [&](OperatorId n) { return cross_attention(n, *encoder); });
    }
    return block("mlp", y, post_norms, [&](OperatorId n) { return feed_forward(n); });
  }

 private:
  // Norm, body, norm of the result if the layer has one (Gemma 2), sum with the block's input.
  template <class Body>
  OperatorId block(const std::string& name, OperatorId x, bool post_norm, Body body) {
    OperatorId y = body(norm_if_left(name + ".norm", x));
    if (post_norm)
      y = norm_if_left(name + ".post_norm", y);
    return residual(name + ".residual", {x, y});
  }

  // Attention and MLP read one input (GPT-J, Falcon) or two norms of it (NeoX).
  OperatorId parallel_block(OperatorId x) {
    const OperatorId n1 = norm_if_left("attention.norm", x);
    const OperatorId n2 = norms_left_ > 0 ? norm_if_left("mlp.norm", x) : n1;
    const OperatorId a = attention(shape_.attention, "", n1);
    const OperatorId m = feed_forward(n2);
    return residual("residual", {x, a, m});
  }

  OperatorId add(Operator op, std::string name, std::vector<OperatorId> inputs) {
    op.name = "layers." + std::to_string(layer_) + "." + std::move(name);
    op.layer = layer_;
    const OperatorId id(list_.size());
    list_.push_back({std::move(op), std::move(inputs)});
    return id;
  }

  OperatorId norm(std::string name, std::int64_t width, std::int64_t weights, OperatorId x) {
    Operator op;
    op.kind = OperatorKind::norm;
    op.in_features = op.out_features = width;
    op.parameters = weights;
    op.norm = shape_.norm;
    return add(std::move(op), std::move(name), {x});
  }

  OperatorId norm_if_left(const std::string& name, OperatorId x) {
    if (norms_left_ == 0)
      return x;
    --norms_left_;
    return norm(name, model_.hidden, norm_weights(shape_.norm, model_.hidden, shape_.norm_bias), x);
  }

  static Operator matrix(Split split, std::int64_t in, std::int64_t out, bool bias) {
    Operator op;
    op.split = split;
    op.in_features = in;
    op.out_features = out;
    op.parameters = in * out + (bias ? out : 0);
    return op;
  }

  OperatorId core(const AttentionShape& a, const std::string& prefix, std::vector<OperatorId> inputs) {
    Operator op;
    op.kind = OperatorKind::attention;
    op.split = Split::share;
    op.attention = a;
    op.in_features = a.heads * query_head_dim(a) + a.kv_heads * (query_head_dim(a) + value_head_dim(a));
    op.out_features = a.heads * value_head_dim(a);
    op.parameters = a.sinks ? a.heads : 0;
    return add(std::move(op), prefix + "attention.core", std::move(inputs));
  }

  OperatorId rotary(const AttentionShape& a, const std::string& prefix, std::vector<OperatorId> inputs) {
    Operator op;
    op.kind = OperatorKind::rotary;
    op.split = Split::share;
    op.attention = a;
    op.in_features = op.out_features = (a.heads + a.kv_heads) * query_head_dim(a);
    if (a.query_key_norm && !a.latent)
      op.parameters = 2 * norm_weights(shape_.norm, a.head_dim, shape_.norm_bias);
    return add(std::move(op), prefix + "attention.rotary", std::move(inputs));
  }

  OperatorId attention(const AttentionShape& a, const std::string& prefix, OperatorId x) {
    std::vector<OperatorId> y;
    if (a.latent) {
      y = latent_projections(a, prefix, x);
    } else {
      Operator op = matrix(Split::column, model_.hidden, (a.heads + 2 * a.kv_heads) * a.head_dim, a.qkv_bias);
      op.attention = a;
      op.key_value_features = 2 * a.kv_heads * a.head_dim;
      y = {add(std::move(op), prefix + "attention.qkv", {x})};
    }
    if (model_.position == PositionKind::rotary || a.query_key_norm || a.latent)
      y = {rotary(a, prefix, y)};
    const OperatorId z = core(a, prefix, y);
    return add(matrix(Split::row, a.heads * value_head_dim(a), model_.hidden, a.output_bias),
               prefix + "attention.output", {z});
  }

  // DeepSeek-V2, arXiv 2405.04434, section 2.1: down to a latent vector on every rank, norm, up to the heads.
  std::vector<OperatorId> latent_projections(const AttentionShape& a, const std::string& prefix, OperatorId x) {
    const LatentAttention& l = *a.latent;
    const std::int64_t query_width = a.heads * query_head_dim(a);
    OperatorId q = x;
    if (l.query_rank > 0) {
      q = add(matrix(Split::none, model_.hidden, l.query_rank, a.qkv_bias), prefix + "attention.q_down", {x});
      q = norm(prefix + "attention.q_norm", l.query_rank, l.query_rank, q);
      q = add(matrix(Split::column, l.query_rank, query_width, false), prefix + "attention.q_up", {q});
    } else {
      q = add(matrix(Split::column, model_.hidden, query_width, false), prefix + "attention.q", {x});
    }
    OperatorId kv = add(matrix(Split::none, model_.hidden, l.key_value_rank + l.rope_head_dim, a.qkv_bias),
                        prefix + "attention.kv_down", {x});
    kv = norm(prefix + "attention.kv_norm", l.key_value_rank, l.key_value_rank, kv);
    kv = add(matrix(Split::column, l.key_value_rank, a.heads * (l.nope_head_dim + l.value_head_dim), false),
             prefix + "attention.kv_up", {kv});
    return {q, kv};
  }

  OperatorId cross_attention(OperatorId x, OperatorId encoder) {
    const AttentionShape& a = *shape_.cross_attention;
    const OperatorId q =
        add(matrix(Split::column, model_.hidden, a.heads * a.head_dim, a.qkv_bias), "cross.query", {x});
    Operator kv = matrix(Split::column, model_.hidden, 2 * a.kv_heads * a.head_dim, a.qkv_bias);
    kv.attention = a;
    kv.key_value_features = kv.out_features;
    const OperatorId k = add(std::move(kv), "cross.key_value", {encoder});
    std::vector<OperatorId> y{q, k};
    if (a.query_key_norm)
      y = {rotary(a, "cross.", y)};
    const OperatorId z = core(a, "cross.", y);
    return add(matrix(Split::row, a.heads * a.head_dim, model_.hidden, a.output_bias), "cross.output", {z});
  }

  OperatorId feed_forward(OperatorId x) { return shape_.moe ? mixture(*shape_.moe, x) : dense(*shape_.mlp, "mlp.", x); }

  OperatorId dense(const MlpShape& m, const std::string& prefix, OperatorId x) {
    const std::int64_t up = m.gated ? 2 * m.ffn : m.ffn;
    OperatorId y = add(matrix(Split::column, model_.hidden, up, m.bias), prefix + "up", {x});
    y = add(activation(up, m.ffn), prefix + "activation", {y});
    return add(matrix(Split::row, m.ffn, model_.hidden, m.bias), prefix + "down", {y});
  }

  static Operator activation(std::int64_t in, std::int64_t out) {
    Operator op;
    op.kind = OperatorKind::activation;
    op.split = Split::share;
    op.in_features = in;
    op.out_features = out;
    return op;
  }

  OperatorId mixture(const MoeShape& moe, OperatorId x) {
    Operator router = matrix(Split::none, model_.hidden, moe.experts, moe.router_bias);
    router.kind = OperatorKind::router;
    const OperatorId scores = add(std::move(router), "moe.router", {x});
    const auto expert = [&](Operator op) {
      op.parameters *= moe.experts;
      op.experts = moe.experts;
      op.copies = moe.experts_per_token;
      return op;
    };
    const auto exchange = [&](OperatorKind kind) {
      Operator op;
      op.kind = kind;
      op.in_features = op.out_features = model_.hidden;
      return expert(op);
    };
    const std::int64_t up = moe.gated ? 2 * moe.expert_ffn : moe.expert_ffn;
    OperatorId y = add(exchange(OperatorKind::dispatch), "moe.dispatch", {x, scores});
    y = add(expert(matrix(Split::column, model_.hidden, up, moe.expert_bias)), "moe.up", {y});
    y = add(expert(activation(up, moe.expert_ffn)), "moe.activation", {y});
    y = add(expert(matrix(Split::row, moe.expert_ffn, model_.hidden, moe.expert_bias)), "moe.down", {y});
    y = add(exchange(OperatorKind::combine), "moe.combine", {y, scores});
    if (moe.shared_ffn == 0)
      return y;
    OperatorId shared = dense({moe.shared_ffn, moe.gated, false}, "moe.shared.", x);
    if (moe.shared_gate) {
      const OperatorId gate = add(matrix(Split::none, model_.hidden, 1, false), "moe.shared.gate", {x});
      return residual("moe.sum", {y, shared, gate});
    }
    return residual("moe.sum", {y, shared});
  }

  OperatorId residual(const std::string& name, const std::vector<OperatorId>& inputs) {
    Operator op;
    op.kind = OperatorKind::residual;
    op.in_features = model_.hidden * static_cast<std::int64_t>(inputs.size());
    op.out_features = model_.hidden;
    return add(std::move(op), name, inputs);
  }

  const Model& model_;
  int layer_;
  const LayerShape& shape_;
  std::vector<ListedOperator>& list_;
  int norms_left_;
};

}  // namespace

OperatorId append_layer(const Model& model, int layer, OperatorId x, std::optional<OperatorId> encoder,
                        std::vector<ListedOperator>& list) {
  const LayerShape& shape = layer_at(model, layer);
  TRAINWRIGHT_EXPECTS(shape.mlp || shape.moe, "layer " + std::to_string(layer) + " has no feed-forward part");
  return LayerList(model, layer, list).run(x, encoder);
}

std::int64_t norm_weights(NormKind kind, std::int64_t width, bool bias) {
  return kind == NormKind::layer_norm && bias ? 2 * width : width;
}

std::int64_t query_head_dim(const AttentionShape& attention) {
  return attention.latent ? attention.latent->nope_head_dim + attention.latent->rope_head_dim : attention.head_dim;
}

std::int64_t value_head_dim(const AttentionShape& attention) {
  return attention.latent ? attention.latent->value_head_dim : attention.head_dim;
}

}  // namespace trainwright::model
