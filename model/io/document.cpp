// SPDX-License-Identifier: Apache-2.0
#include "model/io/document.hpp"

#include <nlohmann/json.hpp>

#include "model/units/format.hpp"

namespace trainwright::model {

std::vector<JsonObject> optional_objects(JsonObject& object, std::string_view key) {
  if (object.has(key))
    return object.objects(key);
  object.ignore(key);
  return {};
}

std::vector<std::string> optional_strings(JsonObject& object, std::string_view key) {
  if (object.has(key))
    return object.strings(key);
  object.ignore(key);
  return {};
}

std::string required_text(JsonObject& object, std::string_view key) {
  const ProblemWatch watch(object);
  std::string text = object.string(key);
  if (text.empty() && object.has(key) && watch.is_clean())
    object.add_error(key, "is empty", "a text is needed");
  return text;
}

int read_int(JsonObject& object, std::string_view key, int min, int max) {
  return static_cast<int>(object.integer(key, {min, max}));
}

ByteCount positive_byte_count(JsonObject& object, std::string_view key) {
  const ByteCount value = object.byte_count(key);
  if (value == ByteCount(0))
    object.add_error(key, "is 0", "it must be above 0");
  if (value > kMaxByteCount)
    object.add_error(key, "is " + format(value), "at most " + format(kMaxByteCount) + " are possible");
  return value;
}

BytesPerSecond positive_bytes_per_second(JsonObject& object, std::string_view key) {
  const BytesPerSecond value = object.bytes_per_second(key);
  if (value == BytesPerSecond::zero())
    object.add_error(key, "is 0", "it must be above 0");
  return value;
}

std::vector<SourceNote> read_sources(JsonObject& object) {
  std::vector<SourceNote> sources;
  for (JsonObject& item : optional_objects(object, "sources")) {
    SourceNote note;
    note.covers = item.strings("covers");
    note.text = required_text(item, "text");
    item.finish();
    sources.push_back(std::move(note));
  }
  return sources;
}

nlohmann::ordered_json sources_value(const std::vector<SourceNote>& sources) {
  auto list = nlohmann::ordered_json::array();
  for (const SourceNote& note : sources)
    list.push_back({{"covers", note.covers}, {"text", note.text}});
  return list;
}

}  // namespace trainwright::model
