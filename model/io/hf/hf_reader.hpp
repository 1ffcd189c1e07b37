// One Hugging Face config object while a family reads it: fields with several historical names, defaults that the
// reader must not hide, bounds that keep every parameter count within 64 bits, and a memory of what was read, so that
// what was left unread can be judged (finish).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/io/json_reader.hpp"

namespace trainwright::model::hf {

using Names = std::initializer_list<std::string_view>;  ///< of one field, the preferred one first
using Bounds = Range<std::int64_t>;

// Several times beyond the largest published models; their worst product stays below 2^63 parameters.
inline constexpr Bounds kHidden{1, 1LL << 17};
inline constexpr Bounds kHeads{1, 1LL << 12};
inline constexpr Bounds kHeadDim{1, 1LL << 13};
inline constexpr Bounds kFfn{1, 1LL << 20};
inline constexpr Bounds kExpertFfn{1, 1LL << 18};
inline constexpr Bounds kExperts{1, 1LL << 13};
inline constexpr Bounds kLayers{1, 1LL << 11};
inline constexpr Bounds kVocab{1, 1LL << 24};
inline constexpr Bounds kPositions{1, 1LL << 31};
inline constexpr Bounds kRank{1, 1LL << 17};
inline constexpr Bounds kClasses{1, 1LL << 24};

class HfReader {
 public:
  /// `value` is the object behind `object` and must outlive the reader.
  HfReader(JsonObject object, const nlohmann::json& value, std::string model_type);

  [[nodiscard]] const std::string& model_type() const { return model_type_; }
  [[nodiscard]] const std::string& architecture() const { return architecture_; }
  [[nodiscard]] Diagnostics& diagnostics() const { return object_.diagnostics(); }
  [[nodiscard]] bool has(std::string_view key) const { return object_.has(key); }  ///< present and not null
  [[nodiscard]] bool is_present(std::string_view key) const;                       ///< null counts

  /// A missing field is an error that names it, its other names and the model type; the result then is the lower bound.
  std::int64_t integer(Names names, Bounds bounds);
  std::optional<std::int64_t> optional_integer(Names names, Bounds bounds);
  /// A default that changes a number, from the architecture's own configuration class: its use is a warning.
  std::int64_t integer_or(Names names, std::int64_t fallback, Bounds bounds);
  /// A switch. Absent means `fallback`: writers drop switches that have the default of their architecture.
  bool flag(std::string_view key, bool fallback);
  std::optional<std::string> word(std::string_view key);
  std::vector<std::string> words(std::string_view key);
  std::vector<std::int64_t> integers(std::string_view key, Bounds bounds);
  /// A number, or a list of them (sizes of images).
  std::vector<std::int64_t> integer_or_list(std::string_view key, Bounds bounds);
  /// A nested config; it inherits the model type unless it has its own.
  std::optional<HfReader> object(std::string_view key);
  /// Entries of a list or object, without reading it further.
  [[nodiscard]] std::optional<std::int64_t> size_of(std::string_view key);

  void ignore(Names keys);
  void add_error(std::string_view key, std::string message, std::string hint = {}) {
    object_.add_error(key, std::move(message), std::move(hint));
  }
  void add_warning(std::string_view key, std::string message, std::string hint = {}) {
    object_.add_warning(key, std::move(message), std::move(hint));
  }
  /// An error if the switch is set: "... is not supported", with what it would do.
  void refuse_flag(std::string_view key, const std::string& because);

  /// Judges what nobody read: a known shape field of another architecture is an error, a name that looks like a shape
  /// is a warning, the rest is of no concern here. Where the family is not supported, nothing was read and only the
  /// errors say something new.
  void finish(bool family_is_supported = true);

 private:
  std::string_view found(Names names);

  JsonObject object_;
  const nlohmann::json* value_;
  std::string model_type_;
  std::string architecture_;
  std::set<std::string, std::less<>> read_;
};

/// `layers` entries of "sliding_attention" / "full_attention" from `layer_types`; empty if the file has no such list.
/// Other words and a wrong length are errors.
std::vector<bool> sliding_layers(HfReader& config, int layers);

/// num_hidden_layers, or the length of `layer_types` where only that is given.
int layer_number(HfReader& config, Names names);

/// Absent: hidden / heads, which must divide.
std::int64_t head_dim(HfReader& config, std::int64_t hidden, std::int64_t heads);

/// An error unless the heads can be dealt out to the key-value heads evenly.
void check_groups(HfReader& config, std::string_view key, std::int64_t heads, std::int64_t kv_heads);

}  // namespace trainwright::model::hf
