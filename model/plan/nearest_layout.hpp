// The way out offered beside a broken rule: the valid layout closest to the asked one that uses as many ranks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/plan/plan_rules.hpp"

namespace trainwright::model {

/// The layout over `ranks` ranks that breaks no rule of layout or batch and is nearest to `input.layout`: fewest
/// doublings and halvings of tp, pp, cp, vpp, ep first, then smaller tp. Everything else stays as asked; the
/// micro-batch shrinks where the global batch needs it and `keep_batch` is true, else the batch is not looked at. Empty
/// when none exists.
[[nodiscard]] std::optional<Layout> nearest_layout(const RuleInput& input, std::int64_t ranks, bool keep_batch);

/// "--tp 4 --dp 2": the degrees that differ and dp; "tp 4, dp 2" when the source is not the command line.
[[nodiscard]] std::string layout_difference(const Layout& asked, const Layout& found, std::string_view source);

}  // namespace trainwright::model
