// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/parts.hpp"

namespace trainwright::model::hf {

void append_layers(Model& model, const LayerShape& layer, int count) {
  if (!model.layers.empty() && model.layers.back().layer == layer)
    model.layers.back().count += count;
  else
    model.layers.push_back({layer, count});
}

AttentionShape plain_attention(HfReader& config, std::string_view key, std::int64_t hidden, std::int64_t heads) {
  AttentionShape attention;
  attention.heads = attention.kv_heads = heads;
  if (hidden % heads != 0)
    config.add_error(key, "is " + std::to_string(heads), "it must divide the hidden size " + std::to_string(hidden));
  else
    attention.head_dim = hidden / heads;
  attention.qkv_bias = attention.output_bias = true;
  return attention;
}

std::int64_t class_number(HfReader& config) {
  const std::optional<std::int64_t> listed = config.size_of("id2label");
  const std::optional<std::int64_t> stated = config.optional_integer({"num_labels", "_num_labels"}, kClasses);
  if (stated && listed && *stated != *listed)
    config.add_warning("num_labels", "is " + std::to_string(*stated) + ", but id2label has " + std::to_string(*listed) +
                                         " entries; id2label counts");
  if (listed)
    return *listed;
  if (stated)
    return *stated;
  config.add_warning("id2label", "is not given, and neither is num_labels; 2 classes are counted",
                     "that is the library's default; write num_labels");
  return 2;
}

}  // namespace trainwright::model::hf
