// SPDX-License-Identifier: Apache-2.0
#include "model/io/json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "model/base/contract.hpp"
#include "model/units/format.hpp"
#include "model/units/parse.hpp"

namespace trainwright::model {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 100;

// JSON pointer escaping, RFC 6901.
std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~')
      text += "~0";
    else if (c == '/')
      text += "~1";
    else
      text += c;
  }
  return text;
}

std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  constexpr std::size_t kMax = 60;
  if (text.size() > kMax) {
    std::size_t cut = kMax;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U)  // not inside a UTF-8 sequence
      --cut;
    text.resize(cut);
    text += "...";
  }
  return text;
}

std::string type_name(const json& value) {
  if (value.is_null())
    return "null";
  if (value.is_boolean())
    return "a truth value";
  if (value.is_number_float())
    return "a number";
  if (value.is_number())
    return "a whole number";
  if (value.is_string())
    return "text";
  if (value.is_array())
    return "a list";
  return "an object";
}

template <class T>
std::string range_text(Range<T> range) {
  const auto text = [](T value) {
    if constexpr (std::is_same_v<T, double>)
      return format_number(value);
    else
      return std::to_string(value);
  };
  const bool low = range.min != std::numeric_limits<T>::lowest();
  const bool high = range.max != std::numeric_limits<T>::max();
  if (low && high)
    return "between " + text(range.min) + " and " + text(range.max);
  if (low)
    return "at least " + text(range.min);
  return "at most " + text(range.max);
}

// Follows the parser through the text and reports keys that occur twice in one object.
class DuplicateKeys {
 public:
  DuplicateKeys(std::string source, Diagnostics& diagnostics)
      : source_(std::move(source)), diagnostics_(&diagnostics) {}

  bool operator()(int depth, json::parse_event_t event, json& parsed) {
    if (depth > kMaxDepth)
      throw std::length_error("nested deeper than " + std::to_string(kMaxDepth));
    switch (event) {
      case json::parse_event_t::object_start:
        frames_.push_back({false, {}, {}, 0});
        break;
      case json::parse_event_t::array_start:
        frames_.push_back({true, {}, {}, 0});
        break;
      case json::parse_event_t::key:
        key(parsed.get<std::string>());
        break;
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end:
        frames_.pop_back();
        next_element();
        break;
      case json::parse_event_t::value:
        next_element();
        break;
    }
    return true;
  }

 private:
  struct Frame {
    bool is_array;
    std::set<std::string> keys;
    std::string current;
    std::size_t element;
  };

  void key(const std::string& name) {
    Frame& frame = frames_.back();
    frame.current = name;
    if (!frame.keys.insert(name).second)
      diagnostics_->add_error(source_, path(), "this key occurs twice", "keep one of them");
  }

  void next_element() {
    if (!frames_.empty() && frames_.back().is_array)
      ++frames_.back().element;
  }

  [[nodiscard]] std::string path() const {
    std::string text;
    for (const Frame& frame : frames_)
      text += "/" + (frame.is_array ? std::to_string(frame.element) : escaped(frame.current));
    return text;
  }

  std::string source_;
  Diagnostics* diagnostics_;
  std::vector<Frame> frames_;
};

// nlohmann's text without its own tag: "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
std::string plain_reason(const std::string& what) {
  const std::size_t bracket = what.find("] ");
  return bracket == std::string::npos ? what : what.substr(bracket + 2);
}

}  // namespace

std::optional<JsonDocument> JsonDocument::parse(std::string_view text, std::string source, Diagnostics& diagnostics,
                                                std::size_t max_bytes) {
  if (text.size() > max_bytes) {
    diagnostics.add_error(source, "", "the file has " + std::to_string(text.size()) + " bytes",
                          "at most " + std::to_string(max_bytes) + " are read");
    return std::nullopt;
  }
  if (text.empty()) {
    diagnostics.add_error(source, "", "the file is empty", "a JSON object is needed");
    return std::nullopt;
  }
  Diagnostics duplicates;
  try {
    DuplicateKeys watch(source, duplicates);
    auto value = std::make_shared<json>(json::parse(text, std::ref(watch)));
    diagnostics.append(duplicates);
    if (duplicates.has_errors())
      return std::nullopt;
    return JsonDocument(std::move(value), std::move(source));
  } catch (const json::parse_error& error) {
    const std::string_view near = text.substr(error.byte > 12 ? error.byte - 12 : 0, 20);
    const bool not_a_number = near.find("NaN") != std::string_view::npos ||
                              near.find("nan") != std::string_view::npos || near.find("Inf") != std::string_view::npos;
    diagnostics.add_error(source, "", plain_reason(error.what()),
                          not_a_number ? "JSON has no NaN or Infinity; leave the field out" : "");
  } catch (const json::exception& error) {
    diagnostics.add_error(source, "", plain_reason(error.what()), "numbers must fit a 64-bit value");
  } catch (const std::length_error& error) {
    diagnostics.add_error(source, "", error.what());
  }
  return std::nullopt;
}

JsonObject JsonDocument::root(Diagnostics& diagnostics) const {
  return {*value_, source_, "", diagnostics};
}

JsonObject::JsonObject(const json& object, std::string source, std::string path, Diagnostics& diagnostics)
    : object_(&object), source_(std::move(source)), path_(std::move(path)), diagnostics_(&diagnostics) {
  if (!object.is_object()) {
    if (!object.is_discarded())
      diagnostics_->add_error(source_, path_, "is " + type_name(object) + " (" + shown(object) + ")",
                              "an object {...} is needed");
    object_ = nullptr;
  }
}

std::string JsonObject::path_of(std::string_view key) const {
  return path_ + "/" + escaped(key);
}

bool JsonObject::has(std::string_view key) const {
  if (object_ == nullptr)
    return false;
  const auto it = object_->find(std::string(key));
  return it != object_->end() && !it->is_null();
}

bool JsonObject::is_text(std::string_view key) const {
  if (object_ == nullptr)
    return false;
  const auto it = object_->find(std::string(key));
  return it != object_->end() && it->is_string();
}

std::vector<std::string> JsonObject::keys() const {
  std::vector<std::string> names;
  if (object_ != nullptr)
    for (const auto& item : object_->items())
      names.push_back(item.key());
  return names;
}

void JsonObject::add_error(std::string_view key, std::string message, std::string hint) {
  diagnostics_->add_error(source_, key.empty() ? path_ : path_of(key), std::move(message), std::move(hint));
}

void JsonObject::add_warning(std::string_view key, std::string message, std::string hint) {
  diagnostics_->add_warning(source_, key.empty() ? path_ : path_of(key), std::move(message), std::move(hint));
}

const json* JsonObject::find(std::string_view key, bool required) {
  known_.emplace_back(key);
  if (object_ == nullptr)
    return nullptr;
  const auto it = object_->find(std::string(key));
  if (it == object_->end() || it->is_null()) {
    if (required)
      add_error(key, "is missing");
    return nullptr;
  }
  return &*it;
}

void JsonObject::wrong_type(std::string_view key, const json& value, const std::string& expected) {
  add_error(key, "is " + type_name(value) + " (" + shown(value) + ")", expected + " is needed");
}

std::optional<std::string> JsonObject::string_or_problem(std::string_view key, bool required) {
  const json* value = find(key, required);
  if (value == nullptr)
    return std::nullopt;
  if (!value->is_string()) {
    wrong_type(key, *value, "text");
    return std::nullopt;
  }
  return value->get<std::string>();
}

std::optional<std::int64_t> JsonObject::integer_or_problem(std::string_view key, bool required,
                                                           Range<std::int64_t> range) {
  const json* value = find(key, required);
  if (value == nullptr)
    return std::nullopt;
  if (!value->is_number_integer()) {
    wrong_type(key, *value, "a whole number");
    return std::nullopt;
  }
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const bool too_large = value->is_number_unsigned() && value->get<std::uint64_t>() > kMax;
  if (too_large || value->get<std::int64_t>() < range.min || value->get<std::int64_t>() > range.max) {
    add_error(key, "is " + shown(*value), "allowed: " + range_text(range));
    return std::nullopt;
  }
  return value->get<std::int64_t>();
}

std::optional<double> JsonObject::number_or_problem(std::string_view key, bool required, Range<double> range) {
  const json* value = find(key, required);
  if (value == nullptr)
    return std::nullopt;
  if (!value->is_number()) {
    wrong_type(key, *value, "a number");
    return std::nullopt;
  }
  const double number = value->get<double>();
  if (number < range.min || number > range.max) {
    add_error(key, "is " + shown(*value), "allowed: " + range_text(range));
    return std::nullopt;
  }
  return number;
}

std::optional<bool> JsonObject::boolean_or_problem(std::string_view key, bool required) {
  const json* value = find(key, required);
  if (value == nullptr)
    return std::nullopt;
  if (!value->is_boolean()) {
    wrong_type(key, *value, "true or false");
    return std::nullopt;
  }
  return value->get<bool>();
}

template <class T, class Parse>
std::optional<T> JsonObject::quantity(std::string_view key, bool required, Parse parse) {
  const json* value = find(key, required);
  if (value == nullptr)
    return std::nullopt;
  std::string text;
  if (value->is_string()) {
    text = value->get<std::string>();
  } else if (value->is_number()) {
    text = value->dump();
  } else {
    wrong_type(key, *value, "text with a unit");
    return std::nullopt;
  }
  const Parsed<T> parsed = parse(text);
  if (!parsed.value) {
    add_error(key, parsed.problem, parsed.hint);
    return std::nullopt;
  }
  if constexpr (!std::is_same_v<T, ByteCount>)
    if (parsed.value->count() < 0.0) {
      add_error(key, shown(*value) + " is negative", parsed.hint);
      return std::nullopt;
    }
  return parsed.value;
}

std::string JsonObject::string(std::string_view key) {
  return string_or_problem(key, true).value_or("");
}
std::int64_t JsonObject::integer(std::string_view key, Range<std::int64_t> range) {
  return integer_or_problem(key, true, range).value_or(std::clamp<std::int64_t>(1, range.min, range.max));
}
double JsonObject::number(std::string_view key, Range<double> range) {
  return number_or_problem(key, true, range).value_or(std::clamp(1.0, range.min, range.max));
}
bool JsonObject::boolean(std::string_view key) {
  return boolean_or_problem(key, true).value_or(false);
}
Seconds JsonObject::seconds(std::string_view key) {
  return quantity<Seconds>(key, true, parse_seconds).value_or(Seconds(1.0));
}
ByteCount JsonObject::byte_count(std::string_view key) {
  return quantity<ByteCount>(key, true, parse_byte_count).value_or(ByteCount(1));
}
BytesPerSecond JsonObject::bytes_per_second(std::string_view key) {
  return quantity<BytesPerSecond>(key, true, parse_bytes_per_second).value_or(BytesPerSecond(1.0));
}
FlopsPerSecond JsonObject::flops_per_second(std::string_view key) {
  return quantity<FlopsPerSecond>(key, true, parse_flops_per_second).value_or(FlopsPerSecond(1.0));
}

std::optional<std::string> JsonObject::optional_string(std::string_view key) {
  return string_or_problem(key, false);
}
std::optional<std::int64_t> JsonObject::optional_integer(std::string_view key, Range<std::int64_t> range) {
  return integer_or_problem(key, false, range);
}
std::optional<double> JsonObject::optional_number(std::string_view key, Range<double> range) {
  return number_or_problem(key, false, range);
}
std::optional<bool> JsonObject::optional_boolean(std::string_view key) {
  return boolean_or_problem(key, false);
}
std::optional<Seconds> JsonObject::optional_seconds(std::string_view key) {
  return quantity<Seconds>(key, false, parse_seconds);
}
std::optional<ByteCount> JsonObject::optional_byte_count(std::string_view key) {
  return quantity<ByteCount>(key, false, parse_byte_count);
}
std::optional<BytesPerSecond> JsonObject::optional_bytes_per_second(std::string_view key) {
  return quantity<BytesPerSecond>(key, false, parse_bytes_per_second);
}
std::optional<FlopsPerSecond> JsonObject::optional_flops_per_second(std::string_view key) {
  return quantity<FlopsPerSecond>(key, false, parse_flops_per_second);
}

namespace {
const json& discarded() {
  static const json value(json::value_t::discarded);
  return value;
}
}  // namespace

JsonObject JsonObject::object(std::string_view key) {
  const json* value = find(key, true);
  return {value == nullptr ? discarded() : *value, source_, path_of(key), *diagnostics_};
}

std::optional<JsonObject> JsonObject::optional_object(std::string_view key) {
  const json* value = find(key, false);
  if (value == nullptr)
    return std::nullopt;
  return JsonObject(*value, source_, path_of(key), *diagnostics_);
}

std::vector<JsonObject> JsonObject::objects(std::string_view key) {
  std::vector<JsonObject> list;
  const json* value = find(key, true);
  if (value == nullptr)
    return list;
  if (!value->is_array()) {
    wrong_type(key, *value, "a list [...]");
    return list;
  }
  for (std::size_t i = 0; i < value->size(); ++i)
    list.emplace_back((*value)[i], source_, path_of(key) + "/" + std::to_string(i), *diagnostics_);
  return list;
}

std::vector<std::string> JsonObject::strings(std::string_view key) {
  std::vector<std::string> list;
  const json* value = find(key, true);
  if (value == nullptr)
    return list;
  const bool good =
      value->is_array() && std::all_of(value->begin(), value->end(), [](const json& v) { return v.is_string(); });
  if (!good) {
    wrong_type(key, *value, "a list of texts");
    return list;
  }
  for (const json& item : *value)
    list.push_back(item.get<std::string>());
  return list;
}

std::vector<double> JsonObject::numbers(std::string_view key) {
  std::vector<double> list;
  const json* value = find(key, true);
  if (value == nullptr)
    return list;
  const bool good =
      value->is_array() && std::all_of(value->begin(), value->end(), [](const json& v) { return v.is_number(); });
  if (!good) {
    wrong_type(key, *value, "a list of numbers");
    return list;
  }
  for (const json& item : *value)
    list.push_back(item.get<double>());
  return list;
}

std::vector<std::int64_t> JsonObject::integers(std::string_view key, Range<std::int64_t> range) {
  std::vector<std::int64_t> list;
  const json* value = find(key, true);
  if (value == nullptr)
    return list;
  const bool good = value->is_array() &&
                    std::all_of(value->begin(), value->end(), [](const json& v) { return v.is_number_integer(); });
  if (!good) {
    wrong_type(key, *value, "a list of whole numbers");
    return list;
  }
  for (const json& item : *value) {
    const auto number = item.get<std::int64_t>();
    if (number < range.min || number > range.max)
      add_error(key, "holds " + shown(item), "allowed: " + range_text(range));
    else
      list.push_back(number);
  }
  return list;
}

std::vector<std::pair<std::string, JsonObject>> JsonObject::members() {
  std::vector<std::pair<std::string, JsonObject>> list;
  ignore_rest_ = true;
  if (object_ == nullptr)
    return list;
  for (const auto& item : object_->items())
    list.emplace_back(item.key(), JsonObject(item.value(), source_, path_of(item.key()), *diagnostics_));
  return list;
}

void JsonObject::ignore(std::string_view key) {
  known_.emplace_back(key);
}
void JsonObject::ignore_rest() {
  ignore_rest_ = true;
}

void JsonObject::finish() {
  if (object_ == nullptr || ignore_rest_)
    return;
  for (const auto& item : object_->items()) {
    if (std::find(known_.begin(), known_.end(), item.key()) != known_.end())
      continue;
    std::string allowed;
    for (const std::string& key : known_)
      allowed += (allowed.empty() ? "" : ", ") + key;
    add_error(item.key(), "this key is not known", "known here: " + allowed);
  }
}

bool check_format(JsonObject& root, std::string_view kind) {
  const std::string expected = "trainwright/" + std::string(kind) + "/v1";
  const std::size_t before = root.diagnostics().list().size();
  const std::string found = root.string("format");
  if (root.diagnostics().list().size() != before)
    return false;
  if (found != expected) {
    root.add_error("format", "is \"" + found + "\"", "a file of format \"" + expected + "\" is needed here");
    return false;
  }
  return true;
}

}  // namespace trainwright::model
