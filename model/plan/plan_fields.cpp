// SPDX-License-Identifier: Apache-2.0
#include "model/plan/plan_fields.hpp"

#include <algorithm>

namespace trainwright::model {

std::string option_name(std::string_view field) {
  if (field == "zero_group")
    return "--hsdp";  // the word of the frameworks
  std::string option = "--" + std::string(field);
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

std::string field_path(std::string_view source, PlanSection section, std::string_view field) {
  if (source == kCommandLineSource)
    return option_name(field);
  constexpr std::string_view kSections[] = {"/layout/", "/job/", "/cluster/"};
  return std::string(kSections[static_cast<std::size_t>(section)]) + std::string(field);
}

std::string join_numbers(const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t kMost = 16;
  std::string text;
  for (std::size_t i = 0; i < std::min(numbers.size(), kMost); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]);
  if (numbers.size() > kMost)
    text += ", ...";
  return text;
}

std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> small;
  std::vector<std::int64_t> large;
  for (std::int64_t d = 1; d * d <= number; ++d) {
    if (number % d != 0)
      continue;
    small.push_back(d);
    if (d * d != number)
      large.push_back(number / d);
  }
  small.insert(small.end(), large.rbegin(), large.rend());
  return small;
}

}  // namespace trainwright::model
