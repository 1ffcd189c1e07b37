// SPDX-License-Identifier: Apache-2.0
#include "model/io/hf/hf_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/io/hf/unread_fields.hpp"

namespace trainwright::model::hf {
namespace {

using nlohmann::json;

// Values that switch a feature off: nothing is lost by not reading them.
bool is_off(const json& value) {
  return value.is_null() || value == false || value == 0 || value == 0.0 || value == "" ||
         ((value.is_array() || value.is_object()) && value.empty());
}

std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() > 40 ? "a long value" : text;
}

}  // namespace

HfReader::HfReader(JsonObject object, const json& value, std::string model_type)
    : object_(std::move(object)), value_(&value), model_type_(std::move(model_type)) {
  read_.insert("model_type");
  if (!has("architectures"))
    return;
  const std::vector<std::string> names = words("architectures");
  if (!names.empty())
    architecture_ = names.front();
}

bool HfReader::is_present(std::string_view key) const {
  return value_->contains(std::string(key));
}

std::string_view HfReader::found(Names names) {
  for (const std::string_view name : names)
    read_.emplace(name);
  for (const std::string_view name : names)
    if (has(name))
      return name;
  return {};
}

std::optional<std::int64_t> HfReader::optional_integer(Names names, Bounds bounds) {
  const std::string_view name = found(names);
  return name.empty() ? std::nullopt : object_.optional_integer(name, bounds);
}

std::int64_t HfReader::integer(Names names, Bounds bounds) {
  if (const std::string_view name = found(names); !name.empty())
    return object_.optional_integer(name, bounds).value_or(bounds.min);
  std::string others;
  for (const std::string_view name : names)
    if (name != *names.begin())
      others += (others.empty() ? ", also called " : ", ") + std::string(name);
  add_error(*names.begin(), is_present(*names.begin()) ? "is null" : "is missing",
            "model_type \"" + model_type_ + "\" needs it" + others);
  return bounds.min;
}

std::int64_t HfReader::integer_or(Names names, std::int64_t fallback, Bounds bounds) {
  if (const std::string_view name = found(names); !name.empty())
    return object_.optional_integer(name, bounds).value_or(bounds.min);
  add_warning(*names.begin(), "is not given; taken as " + std::to_string(fallback),
              "that is the default of model_type \"" + model_type_ + "\"; write the field to be sure");
  return fallback;
}

bool HfReader::flag(std::string_view key, bool fallback) {
  read_.emplace(key);
  return object_.optional_boolean(key).value_or(fallback);
}

std::optional<std::string> HfReader::word(std::string_view key) {
  read_.emplace(key);
  return object_.optional_string(key);
}

std::vector<std::string> HfReader::words(std::string_view key) {
  read_.emplace(key);
  return has(key) ? object_.strings(key) : std::vector<std::string>{};
}

std::vector<std::int64_t> HfReader::integers(std::string_view key, Bounds bounds) {
  read_.emplace(key);
  return has(key) ? object_.integers(key, bounds) : std::vector<std::int64_t>{};
}

std::vector<std::int64_t> HfReader::integer_or_list(std::string_view key, Bounds bounds) {
  if (has(key) && value_->at(std::string(key)).is_array())
    return integers(key, bounds);
  return {integer({key}, bounds)};
}

std::optional<HfReader> HfReader::object(std::string_view key) {
  read_.emplace(key);
  std::optional<JsonObject> child = object_.optional_object(key);
  if (!child || !value_->at(std::string(key)).is_object())
    return std::nullopt;
  const std::string type = child->optional_string("model_type").value_or(model_type_);
  return HfReader(*child, value_->at(std::string(key)), type);
}

std::optional<std::int64_t> HfReader::size_of(std::string_view key) {
  read_.emplace(key);
  if (!has(key))
    return std::nullopt;
  const json& value = value_->at(std::string(key));
  if (!value.is_array() && !value.is_object()) {
    add_error(key, "is " + shown(value), "a list or an object is needed");
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value.size());
}

void HfReader::ignore(Names keys) {
  for (const std::string_view key : keys)
    read_.emplace(key);
}

void HfReader::refuse_flag(std::string_view key, const std::string& because) {
  if (flag(key, false))
    add_error(key, "is true, which is not supported", because);
}

void HfReader::finish(bool family_is_supported) {
  for (const auto& item : value_->items()) {
    if (read_.contains(item.key()) || is_off(item.value()))
      continue;
    switch (judge_unread_field(item.key())) {
      case UnreadField::harmless:
        break;
      case UnreadField::looks_like_shape:
        if (family_is_supported)
          add_warning(item.key(),
                      "(" + shown(item.value()) + ") is not understood for model_type \"" + model_type_ + "\"",
                      "if it adds or resizes weights, the counts here are wrong");
        break;
      case UnreadField::changes_shape:
        add_error(item.key(), "(" + shown(item.value()) + ") changes the shape of the network and is not supported",
                  "describe the model in a profile file instead");
        break;
    }
  }
}

std::vector<bool> sliding_layers(HfReader& config, int layers) {
  std::vector<bool> sliding;
  const std::vector<std::string> types = config.words("layer_types");
  for (std::size_t i = 0; i < types.size(); ++i) {
    sliding.push_back(types[i] == "sliding_attention");
    if (types[i] != "sliding_attention" && types[i] != "full_attention")
      config.add_error("layer_types", "entry " + std::to_string(i) + " is \"" + types[i] + "\", which is not supported",
                       "supported: full_attention, sliding_attention");
  }
  if (!types.empty() && types.size() != static_cast<std::size_t>(layers)) {
    config.add_error("layer_types", "has " + std::to_string(types.size()) + " entries",
                     "the file states " + std::to_string(layers) + " layers");
    sliding.resize(static_cast<std::size_t>(layers));
  }
  return sliding;
}

int layer_number(HfReader& config, Names names) {
  const bool stated = std::any_of(names.begin(), names.end(), [&](std::string_view name) { return config.has(name); });
  if (!stated && config.has("layer_types")) {
    const std::int64_t listed = config.size_of("layer_types").value_or(0);
    if (listed >= kLayers.min && listed <= kLayers.max) {
      config.add_warning(*names.begin(), "is missing; layer_types lists " + std::to_string(listed) + " layers");
      return static_cast<int>(listed);
    }
  }
  return static_cast<int>(config.integer(names, kLayers));
}

std::int64_t head_dim(HfReader& config, std::int64_t hidden, std::int64_t heads) {
  if (const std::optional<std::int64_t> stated = config.optional_integer({"head_dim"}, kHeadDim))
    return *stated;
  if (hidden % heads != 0) {
    config.add_error("head_dim",
                     "is missing and the hidden size " + std::to_string(hidden) + " is not a multiple of the " +
                         std::to_string(heads) + " heads",
                     "write head_dim");
    return 1;
  }
  return hidden / heads;
}

void check_groups(HfReader& config, std::string_view key, std::int64_t heads, std::int64_t kv_heads) {
  if (heads % kv_heads != 0)
    config.add_error(key, "is " + std::to_string(kv_heads),
                     "the " + std::to_string(heads) + " heads must be a multiple of it");
}

}  // namespace trainwright::model::hf
