// What the readers of all document kinds share: parse, check the format word, read, and hand out the value only when
// nothing was wrong with it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/hardware/accelerator.hpp"
#include "model/io/json_reader.hpp"

namespace trainwright::model {

/// Largest byte count of a file: beyond it, a double does not hold every whole number.
inline constexpr ByteCount kMaxByteCount{std::int64_t{9'000'000'000'000'000}};

/// Reads a whole document with `read`, a function from JsonObject& to a value. Empty when the text has an error.
template <class Read>
std::optional<std::invoke_result_t<Read, JsonObject&>> read_document(std::string_view text, std::string source,
                                                                     std::string_view kind, Diagnostics& diagnostics,
                                                                     Read read) {
  const std::optional<JsonDocument> document = JsonDocument::parse(text, std::move(source), diagnostics);
  if (!document)
    return std::nullopt;
  Diagnostics own;
  JsonObject root = document->root(own);
  // A file of another kind would only yield problems that nobody needs.
  if (own.has_errors() || !check_format(root, kind)) {
    diagnostics.append(own);
    return std::nullopt;
  }
  std::optional<std::invoke_result_t<Read, JsonObject&>> value(read(root));
  diagnostics.append(own);
  if (own.has_errors())
    value.reset();
  return value;
}

/// Tells whether problems were added since it was made: a check of meaning on stand-ins would only add noise.
class ProblemWatch {
 public:
  explicit ProblemWatch(const JsonObject& object)
      : diagnostics_(&object.diagnostics()), before_(diagnostics_->list().size()) {}
  [[nodiscard]] bool is_clean() const { return diagnostics_->list().size() == before_; }

 private:
  const Diagnostics* diagnostics_;
  std::size_t before_;
};

/// Lists that may be left out.
[[nodiscard]] std::vector<JsonObject> optional_objects(JsonObject& object, std::string_view key);
[[nodiscard]] std::vector<std::string> optional_strings(JsonObject& object, std::string_view key);

/// Text that must not be empty.
[[nodiscard]] std::string required_text(JsonObject& object, std::string_view key);
[[nodiscard]] int read_int(JsonObject& object, std::string_view key, int min, int max);

/// Quantities that must be above zero.
[[nodiscard]] ByteCount positive_byte_count(JsonObject& object, std::string_view key);
[[nodiscard]] BytesPerSecond positive_bytes_per_second(JsonObject& object, std::string_view key);

/// "sources": [{"covers": ["memory"], "text": "..."}]; may be left out.
[[nodiscard]] std::vector<SourceNote> read_sources(JsonObject& object);
[[nodiscard]] nlohmann::ordered_json sources_value(const std::vector<SourceNote>& sources);

}  // namespace trainwright::model
