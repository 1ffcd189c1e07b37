// The profiles that come with the program, embedded at build time from profiles/. Text only: model/io/load turns them
// into values. Every number in them has a source beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trainwright::model {

enum class ProfileKind { accelerator, cluster, model, constants, network };

struct Profile {
  ProfileKind kind;
  std::string_view id;    ///< file name without ending: "dgx-h100"
  std::string_view file;  ///< "profiles/clusters/dgx-h100.json", to name in messages
  std::string_view text;  ///< JSON
};

/// All profiles, by kind.
[[nodiscard]] std::span<const Profile> profiles();
/// Ids of one kind, sorted.
[[nodiscard]] std::vector<std::string> profile_ids(ProfileKind kind);
[[nodiscard]] std::optional<Profile> find_profile(ProfileKind kind, std::string_view id);

/// Up to `count` of `candidates` that `text` may have been meant to be: first those where one contains the other, then
/// those with a small edit distance for its length; nearest first.
[[nodiscard]] std::vector<std::string> close_matches(std::string_view text, const std::vector<std::string>& candidates,
                                                     std::size_t count = 3);

/// "did you mean dgx-h100? known: dgx-a100, dgx-h100": hint for an unknown id. Where many are known and some are close,
/// only those are named.
[[nodiscard]] std::string known_ids_hint(std::string_view text, const std::vector<std::string>& candidates);

}  // namespace trainwright::model
