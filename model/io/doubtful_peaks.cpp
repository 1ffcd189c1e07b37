// SPDX-License-Identifier: Apache-2.0
#include "model/io/doubtful_peaks.hpp"

#include <cmath>

#include "model/io/accelerator_v1.hpp"
#include "model/io/profile_library.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

constexpr double kSame = 0.01;

bool is_about(double ratio, double wanted) {
  return std::abs(ratio / wanted - 1.0) < kSame;
}

}  // namespace

std::vector<std::string> doubtful_peaks(const Accelerator& accelerator) {
  const std::optional<Profile> profile = find_profile(ProfileKind::accelerator, accelerator.id);
  if (!profile)
    return {};
  Diagnostics ignored;  // shipped profiles have no errors; a test reads each
  const std::optional<Accelerator> known = accelerator_from_json(profile->text, std::string(profile->file), ignored);
  std::vector<std::string> list;
  for (const auto& [word, precision] : kPrecisionWords) {
    const auto stated = accelerator.peak(precision);
    const auto expected = known ? known->peak(precision) : std::nullopt;
    if (!stated || !expected)
      continue;
    const double ratio = *stated / *expected;
    if (is_about(ratio, 0.5) || is_about(ratio, 2.0))
      list.push_back(std::string(word) + " " + format(*stated) + " is " + (ratio < 1.0 ? "half of" : "twice") +
                     " the " + format(*expected) + " known of " + accelerator.id +
                     ": dense peaks are meant, 2 operations a multiply-add");
  }
  return list;
}

}  // namespace trainwright::model
