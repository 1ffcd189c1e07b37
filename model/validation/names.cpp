// SPDX-License-Identifier: Apache-2.0
#include "model/validation/names.hpp"

#include <array>
#include <utility>
#include <vector>

#include "model/io/accelerator_v1.hpp"
#include "model/io/profile_library.hpp"

namespace trainwright::model::validation {
namespace {

// Plain names of tables whose plain form is not that of a profile id. More than one name of a device is in use.
constexpr std::array<std::pair<std::string_view, std::string_view>, 31> kAccelerators{{
    {"a10080gbsxm", "a100-sxm-80gb"},
    {"a100sxm4", "a100-sxm-80gb"},
    {"a100sxm480gb", "a100-sxm-80gb"},
    {"a100sxm440gb", "a100-sxm-40gb"},
    {"a10080gb", "a100-sxm-80gb"},
    {"a100", "a100-sxm-80gb"},
    {"a100pcie80gb", "a100-pcie-80gb"},
    {"a800sxm480gb", "a800-sxm-80gb"},
    {"h100", "h100-sxm"},
    {"h10080gbsxm", "h100-sxm"},
    {"h100sxm80gb", "h100-sxm"},
    {"h100sxm580gb", "h100-sxm"},
    {"h100pcie80gb", "h100-pcie"},
    {"h200141gbsxm", "h200-sxm"},
    {"h200sxm5141gb", "h200-sxm"},
    {"h200", "h200-sxm"},
    {"gh200", "gh200-96gb"},
    {"b200180gbsxm", "b200"},
    {"b200sxm", "b200"},
    {"b300sxm6", "b300"},
    {"b300sxm", "b300"},
    {"rtxpro6000blackwellserver", "rtx-pro-6000-blackwell"},
    {"v100sxm16gb", "v100-sxm2-16gb"},
    {"v100sxm32gb", "v100-sxm2-32gb"},
    {"v100sxm2", "v100-sxm2-16gb"},
    {"v100sxm216gb", "v100-sxm2-16gb"},
    {"v100sxm232gb", "v100-sxm2-32gb"},
    {"v100pcie32gb", "v100-pcie-32gb"},
    {"v100pcie16gb", "v100-pcie-16gb"},
    {"p100sxm16gb", "p100-sxm2-16gb"},
    {"p100sxm216gb", "p100-sxm2-16gb"},
}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kModels{{
    {"llama38b", "llama-3-8b"},
    {"llama370b", "llama-3-70b"},
    {"grok1314b", "grok-1"},
    {"qwen3235ba22b", "qwen3-235b-a22b"},
    {"qwen330ba3b", "qwen3-30b-a3b"},
    {"gptoss120b", "gpt-oss-120b"},
}};

template <std::size_t Count>
std::optional<std::string_view> listed(const std::array<std::pair<std::string_view, std::string_view>, Count>& list,
                                       std::string_view plain) {
  for (const auto& [name, id] : list)
    if (name == plain)
      return id;
  return std::nullopt;
}

std::optional<Profile> profile_named(ProfileKind kind, std::string_view plain) {
  for (const Profile& profile : profiles())
    if (profile.kind == kind && plain_name(profile.id) == plain)
      return profile;
  return std::nullopt;
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '(' || c == ')')
      depth += c == '(' ? 1 : -1;
    else if (depth <= 0 && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')))
      plain += c;
    else if (depth <= 0 && c >= 'A' && c <= 'Z')
      plain += static_cast<char>(c - 'A' + 'a');
  }
  return plain;
}

std::optional<Accelerator> accelerator_named(std::string_view name) {
  const std::string plain = plain_name(name);
  std::optional<Profile> profile = profile_named(ProfileKind::accelerator, plain);
  if (const auto id = listed(kAccelerators, plain); !profile && id)
    profile = find_profile(ProfileKind::accelerator, *id);
  if (!profile)
    return std::nullopt;
  Diagnostics ignored;  // shipped profiles have no errors; a test reads each
  return accelerator_from_json(profile->text, std::string(profile->file), ignored);
}

std::optional<std::string> model_profile_named(std::string_view name) {
  const std::string plain = plain_name(name);
  std::optional<Profile> profile = profile_named(ProfileKind::model, plain);
  if (const auto id = listed(kModels, plain); !profile && id)
    profile = find_profile(ProfileKind::model, *id);
  return profile ? std::optional(std::string(profile->id)) : std::nullopt;
}

}  // namespace trainwright::model::validation
