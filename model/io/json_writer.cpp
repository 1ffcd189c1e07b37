// SPDX-License-Identifier: Apache-2.0
#include "model/io/json_writer.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/units/format.hpp"
#include "model/units/parse.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

std::string quoted(const std::string& text) {
  return ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string scalar_text(const ordered_json& value) {
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    TRAINWRIGHT_EXPECTS(std::isfinite(number), "number in a file to write: " + format_number(number));
    return format_number(number);
  }
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

bool is_flat_list(const ordered_json& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(), [](const auto& v) { return v.is_primitive(); });
}

// An object without further objects in it.
bool is_record(const ordered_json& value) {
  return value.is_object() &&
         std::all_of(value.begin(), value.end(), [](const auto& v) { return v.is_primitive() || is_flat_list(v); });
}

void append_one_line(const ordered_json& value, std::string& text) {
  if (value.is_object()) {
    text += '{';
    bool first = true;
    for (const auto& [key, member] : value.items()) {
      text += (first ? "" : ", ") + quoted(key) + ": ";
      append_one_line(member, text);
      first = false;
    }
    text += '}';
  } else if (value.is_array()) {
    text += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0)
        text += ", ";
      append_one_line(value[i], text);
    }
    text += ']';
  } else {
    text += scalar_text(value);
  }
}

void append(const ordered_json& value, const std::string& indent, std::string& text) {
  const std::string inner = indent + "  ";
  if (value.is_object() && !value.empty()) {
    text += "{\n";
    bool first = true;
    for (const auto& [key, member] : value.items()) {
      text += (first ? "" : ",\n") + inner + quoted(key) + ": ";
      append(member, inner, text);
      first = false;
    }
    text += "\n" + indent + "}";
  } else if (value.is_array() && !is_flat_list(value)) {
    text += "[\n";
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += (i == 0 ? "" : ",\n") + inner;
      if (is_record(value[i]) || is_flat_list(value[i]))
        append_one_line(value[i], text);
      else
        append(value[i], inner, text);
    }
    text += "\n" + indent + "]";
  } else {
    append_one_line(value, text);
  }
}

template <class Quantity, class Parse>
std::string exact(Quantity value, Parse parse, std::string_view base_unit) {
  constexpr int kPrettyDigits = 12;
  if (value.count() != 0.0) {  // zero prints as "0 s": nothing to lose
    std::string pretty = format(value, kPrettyDigits);
    const auto back = parse(pretty);
    if (back.value && *back.value == value)
      return pretty;
  }
  return format_number(value.count()) + " " + std::string(base_unit);
}

}  // namespace

std::string canonical_text(const ordered_json& value) {
  std::string text;
  append(value, "", text);
  text += '\n';
  return text;
}

std::string exact_text(Seconds value) {
  return exact(value, parse_seconds, "s");
}
std::string exact_text(BytesPerSecond value) {
  return exact(value, parse_bytes_per_second, "B/s");
}
std::string exact_text(FlopsPerSecond value) {
  return exact(value, parse_flops_per_second, "FLOP/s");
}

std::string exact_text(ByteCount value) {
  constexpr int kPrettyDigits = 12;
  std::string pretty = format(value, kPrettyDigits);
  const auto back = parse_byte_count(pretty);
  if (back.value && *back.value == value)
    return pretty;
  return std::to_string(value.count()) + " B";
}

}  // namespace trainwright::model
