// Names of the fields of a plan in messages: an option where the values came from the command line, else a JSON
// pointer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainwright::model {

/// Source name under which values typed by the user are reported.
inline constexpr std::string_view kCommandLineSource = "command line";

enum class PlanSection { layout, job, cluster };

/// "micro_batch" is the option "--micro-batch".
[[nodiscard]] std::string option_name(std::string_view field);

/// ("layout", "micro_batch") is "--micro-batch" for the command line and "/layout/micro_batch" for files.
[[nodiscard]] std::string field_path(std::string_view source, PlanSection section, std::string_view field);

/// "1, 2, 4, 7"; long lists end in "...".
[[nodiscard]] std::string join_numbers(const std::vector<std::int64_t>& numbers);

/// All divisors of `number` in ascending order; number > 0.
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t number);

}  // namespace trainwright::model
