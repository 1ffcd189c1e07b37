// What to think of a config field that a family did not read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace trainwright::model::hf {

enum class UnreadField { harmless, looks_like_shape, changes_shape };

/// `changes_shape`: known, from architectures not supported here, to add or resize weights. `looks_like_shape`: a word
/// of its name usually speaks of shapes and it is none of the usual settings that do not.
[[nodiscard]] UnreadField judge_unread_field(std::string_view key);

}  // namespace trainwright::model::hf
