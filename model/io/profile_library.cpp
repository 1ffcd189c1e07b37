// SPDX-License-Identifier: Apache-2.0
#include "model/io/profile_library.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace trainwright::model {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein distance without regard to case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

std::string joined(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  for (const std::string& item : items)
    text += (text.empty() ? "" : std::string(separator)) + item;
  return text;
}

}  // namespace

std::vector<std::string> profile_ids(ProfileKind kind) {
  std::vector<std::string> ids;
  for (const Profile& profile : profiles())
    if (profile.kind == kind)
      ids.emplace_back(profile.id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::optional<Profile> find_profile(ProfileKind kind, std::string_view id) {
  for (const Profile& profile : profiles())
    if (profile.kind == kind && profile.id == id)
      return profile;
  return std::nullopt;
}

std::vector<std::string> close_matches(std::string_view text, const std::vector<std::string>& candidates,
                                       std::size_t count) {
  constexpr std::size_t kMinContained = 3;  // shorter pieces are in everything
  std::vector<std::tuple<bool, std::size_t, std::string>> ranked;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(text, candidate);
    const bool contained = text.size() >= kMinContained && (candidate.find(text) != std::string::npos ||
                                                            text.find(candidate) != std::string_view::npos);
    if (contained || distance <= std::max<std::size_t>(2, text.size() / 3))
      ranked.emplace_back(!contained, distance, candidate);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> matches;
  for (const auto& [apart, distance, candidate] : ranked)
    if (matches.size() < count)
      matches.push_back(candidate);
  return matches;
}

std::string known_ids_hint(std::string_view text, const std::vector<std::string>& candidates) {
  constexpr std::size_t kFew = 20;  // more of them hide the one that was meant
  const std::vector<std::string> close = close_matches(text, candidates);
  const std::string meant = close.empty() ? "" : "did you mean " + joined(close, " or ") + "? ";
  if (!close.empty() && candidates.size() > kFew)
    return meant + "`trainwright profiles` lists all " + std::to_string(candidates.size());
  return meant + "known: " + joined(candidates, ", ");
}

}  // namespace trainwright::model
