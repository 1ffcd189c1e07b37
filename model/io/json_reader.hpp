// Strict reading of JSON. Every file of the program is read through this: type, range, unknown and repeated keys are
// problems with source and JSON path, and all of them are collected. nlohmann's own conversions are silent about most
// of this (ADR 0005), so no from_json exists in the project.
//
// Use: parse a document, take its root object, ask for each key once, call finish() to have unknown keys reported.
// A required value that is missing or wrong adds a problem and yields a harmless stand-in; callers look at the
// Diagnostics before they use anything.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/units/units.hpp"

namespace trainwright::model {

/// Inclusive bounds of a number in a file.
template <class T>
struct Range {
  T min = std::numeric_limits<T>::lowest();
  T max = std::numeric_limits<T>::max();
};

/// One object of a document. Keeps a reference to the Diagnostics and to the document, which must outlive it.
class JsonObject {
 public:
  JsonObject(const nlohmann::json& object, std::string source, std::string path, Diagnostics& diagnostics);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] bool has(std::string_view key) const;      ///< present and not null; does not count as read
  [[nodiscard]] bool is_text(std::string_view key) const;  ///< present and text; does not count as read
  [[nodiscard]] std::vector<std::string> keys() const;

  std::string string(std::string_view key);
  std::int64_t integer(std::string_view key, Range<std::int64_t> range = {});
  double number(std::string_view key, Range<double> range = {});
  bool boolean(std::string_view key);
  Seconds seconds(std::string_view key);
  ByteCount byte_count(std::string_view key);
  BytesPerSecond bytes_per_second(std::string_view key);
  FlopsPerSecond flops_per_second(std::string_view key);
  JsonObject object(std::string_view key);
  std::vector<JsonObject> objects(std::string_view key);
  std::vector<std::string> strings(std::string_view key);
  std::vector<double> numbers(std::string_view key);
  std::vector<std::int64_t> integers(std::string_view key, Range<std::int64_t> range = {});

  // Absent (or null) yields an empty optional; present and wrong is a problem.
  std::optional<std::string> optional_string(std::string_view key);
  std::optional<std::int64_t> optional_integer(std::string_view key, Range<std::int64_t> range = {});
  std::optional<double> optional_number(std::string_view key, Range<double> range = {});
  std::optional<bool> optional_boolean(std::string_view key);
  std::optional<Seconds> optional_seconds(std::string_view key);
  std::optional<ByteCount> optional_byte_count(std::string_view key);
  std::optional<BytesPerSecond> optional_bytes_per_second(std::string_view key);
  std::optional<FlopsPerSecond> optional_flops_per_second(std::string_view key);
  std::optional<JsonObject> optional_object(std::string_view key);

  /// One word of a list. On a wrong word the problem names all allowed words; the stand-in is the first.
  template <class Enum>
  Enum choice(std::string_view key, std::span<const std::pair<std::string_view, Enum>> words) {
    const std::string text = string(key);
    return pick<Enum>(key, text, words);
  }
  template <class Enum>
  std::optional<Enum> optional_choice(std::string_view key, std::span<const std::pair<std::string_view, Enum>> words) {
    const std::optional<std::string> text = optional_string(key);
    if (!text)
      return std::nullopt;
    return pick<Enum>(key, *text, words);
  }

  /// Members with free names (a dictionary): name and value object, in file order of the sorted keys.
  std::vector<std::pair<std::string, JsonObject>> members();

  void ignore(std::string_view key);  ///< known, but of no use here
  void ignore_rest();                 ///< foreign files: unknown keys are not ours to judge
  void finish();                      ///< reports each key that nobody asked for, with the known ones

  void add_error(std::string_view key, std::string message, std::string hint = {});
  void add_warning(std::string_view key, std::string message, std::string hint = {});
  [[nodiscard]] Diagnostics& diagnostics() const { return *diagnostics_; }

 private:
  const nlohmann::json* find(std::string_view key, bool required);
  template <class T, class Parse>
  std::optional<T> quantity(std::string_view key, bool required, Parse parse);
  std::optional<std::string> string_or_problem(std::string_view key, bool required);
  std::optional<std::int64_t> integer_or_problem(std::string_view key, bool required, Range<std::int64_t> range);
  std::optional<double> number_or_problem(std::string_view key, bool required, Range<double> range);
  std::optional<bool> boolean_or_problem(std::string_view key, bool required);
  void wrong_type(std::string_view key, const nlohmann::json& value, const std::string& expected);
  [[nodiscard]] std::string path_of(std::string_view key) const;

  template <class Enum>
  Enum pick(std::string_view key, const std::string& text, std::span<const std::pair<std::string_view, Enum>> words) {
    std::string allowed;
    for (const auto& [word, value] : words) {
      if (word == text)
        return value;
      allowed += (allowed.empty() ? "" : ", ") + std::string(word);
    }
    if (has(key))
      add_error(key, "\"" + text + "\" is not known", "allowed: " + allowed);
    return words.front().second;
  }

  const nlohmann::json* object_;  // null: a stand-in for a missing object, which reports nothing further
  std::string source_;
  std::string path_;
  Diagnostics* diagnostics_;
  std::vector<std::string> known_;
  bool ignore_rest_ = false;
};

/// A parsed text. Parsing refuses repeated keys, NaN and infinities, nesting deeper than 100 and texts over
/// `max_bytes`.
class JsonDocument {
 public:
  static constexpr std::size_t kDefaultMaxBytes = 1UL << 30;

  /// Empty when the text is not acceptable JSON; the problems (with line and column) are in `diagnostics`.
  static std::optional<JsonDocument> parse(std::string_view text, std::string source, Diagnostics& diagnostics,
                                           std::size_t max_bytes = kDefaultMaxBytes);

  /// The root as an object; a root of another type is a problem and yields a stand-in.
  [[nodiscard]] JsonObject root(Diagnostics& diagnostics) const;
  [[nodiscard]] const nlohmann::json& value() const { return *value_; }
  [[nodiscard]] const std::string& source() const { return source_; }

 private:
  JsonDocument(std::shared_ptr<const nlohmann::json> value, std::string source)
      : value_(std::move(value)), source_(std::move(source)) {}
  std::shared_ptr<const nlohmann::json> value_;
  std::string source_;
};

/// Reads "format" and checks that it is trainwright/<kind>/v1; reports what was found and what is needed.
bool check_format(JsonObject& root, std::string_view kind);

}  // namespace trainwright::model
