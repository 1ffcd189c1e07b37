// SPDX-License-Identifier: Apache-2.0
#include "model/io/load.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "model/base/contract.hpp"
#include "model/calibration/calibration.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/cluster_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/hf_config.hpp"
#include "model/io/json_reader.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/local_machine.hpp"
#include "model/io/model_v1.hpp"
#include "model/io/network_v1.hpp"

namespace trainwright::model {
namespace {

constexpr std::string_view kCommandLine = "command line";
constexpr std::string_view kLocal = "local";

bool looks_like_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".json");
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// The profile or file that the user means; empty, with a problem, when there is none.
struct Text {
  std::string content;
  std::string source;
};

std::optional<Text> find_text(ProfileKind kind, const std::string& what, const std::string& option,
                              const std::string& id_or_path, const std::vector<std::string>& known,
                              Diagnostics& diagnostics) {
  if (!looks_like_path(id_or_path)) {
    if (const std::optional<Profile> profile = find_profile(kind, id_or_path))
      return Text{std::string(profile->text), std::string(profile->file)};
    if (!is_file(id_or_path)) {
      diagnostics.add_error(std::string(kCommandLine), option,
                            "\"" + id_or_path + "\" is neither a known " + what + " nor a file",
                            known_ids_hint(id_or_path, known));
      return std::nullopt;
    }
  }
  Diagnostics own;
  std::string content = read_file(id_or_path, own);
  diagnostics.append(own);
  if (own.has_errors())
    return std::nullopt;
  return Text{std::move(content), id_or_path};
}

bool is_hf_config(const Text& text) {
  Diagnostics ignored;
  const std::optional<JsonDocument> document = JsonDocument::parse(text.content, text.source, ignored);
  if (!document)
    return false;
  const JsonObject root = document->root(ignored);
  return !root.has("format") && (root.has("model_type") || root.has("architectures"));
}

// Lays one profile of constants over `constants`; false when the library has none of this id.
bool overlay(const std::string& id, CostConstants& constants) {
  const std::optional<Profile> profile = find_profile(ProfileKind::constants, id);
  if (!profile)
    return false;
  Diagnostics diagnostics;
  const std::optional<Calibration> calibration =
      calibration_from_json(profile->text, std::string(profile->file), diagnostics);
  TRAINWRIGHT_EXPECTS(calibration.has_value(), diagnostics.to_text());
  constants = apply(*calibration, constants);
  return true;
}

}  // namespace

std::optional<Model> load_model(const std::string& id_or_path, Diagnostics& diagnostics) {
  if (!looks_like_path(id_or_path) && find_profile(ProfileKind::network, id_or_path)) {
    diagnostics.add_error(std::string(kCommandLine), "--model",
                          "\"" + id_or_path + "\" is a network of operators; predictions take transformers only",
                          "`trainwright profiles models` lists those");
    return std::nullopt;
  }
  const std::optional<Text> text =
      find_text(ProfileKind::model, "model", "--model", id_or_path, profile_ids(ProfileKind::model), diagnostics);
  if (!text)
    return std::nullopt;
  if (is_hf_config(*text))
    return model_from_hf_config(text->content, text->source, diagnostics);
  return model_from_json(text->content, text->source, diagnostics);
}

std::optional<OperatorNetwork> load_network(const std::string& id_or_path, Diagnostics& diagnostics) {
  const std::optional<Text> text =
      find_text(ProfileKind::network, "network", "--model", id_or_path, profile_ids(ProfileKind::network), diagnostics);
  if (!text)
    return std::nullopt;
  return network_from_json(text->content, text->source, diagnostics);
}

std::vector<std::string> cluster_ids() {
  std::vector<std::string> ids = profile_ids(ProfileKind::cluster);
  ids.emplace_back(kLocal);
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::optional<Cluster> load_cluster(const std::string& id_or_path, Diagnostics& diagnostics) {
  if (id_or_path == kLocal)
    return local_cluster(local_machine());
  const std::optional<Text> text =
      find_text(ProfileKind::cluster, "cluster", "--cluster", id_or_path, cluster_ids(), diagnostics);
  if (!text)
    return std::nullopt;
  return cluster_from_json(text->content, text->source, diagnostics);
}

namespace {

// What holds of the older family until something else is known of the newer.
constexpr std::array<std::pair<std::string_view, std::string_view>, 1> kOlderFamilies{
    {{"blackwell-ultra", "blackwell"}}};

std::vector<std::string> with_older(const std::string& family) {
  std::vector<std::string> all;
  for (const auto& [newer, older] : kOlderFamilies)
    if (newer == family)
      all.emplace_back(older);
  all.push_back(family);
  return all;
}

}  // namespace

CostConstants shipped_constants(const Cluster& cluster, SoftwareGeneration software, StepConstants steps) {
  TRAINWRIGHT_EXPECTS(!cluster.groups.empty(), "cluster " + cluster.id);
  const NodeGroup& group = cluster.groups.front();
  const std::string& family = group.accelerator.family;
  CostConstants constants;
  std::string origin;
  const auto add = [&](const std::string& id) {
    const bool found = overlay(id, constants);
    if (found)
      origin += (origin.empty() ? "" : ", ") + id;
    return found;
  };
  const std::vector<std::string> families = with_older(family);
  bool has_family = false;
  bool has_kernels = false;
  for (const std::string& one : families)
    has_family = add(one) || has_family;
  // Kernels of the card over those of its family.
  for (const std::string& one : families)
    has_kernels = add("kernels-" + one) || has_kernels;
  add("kernels-" + group.accelerator.id);
  if (group.link) {
    const std::string link = "link-" + word_of(kLinkKindWords, group.link->kind);
    if (!add(link + "-" + group.accelerator.id) && !add(link + "-" + family) && !add(link + "-" + families.front()))
      add(link);
  }
  if (group.network)
    add("network-" + word_of(kLinkKindWords, group.network->kind));
  if (steps == StepConstants::shipped) {
    const bool has_own = add("steps-" + family);
    const std::string& known = has_own ? family : families.front();
    if (!has_own)
      add("steps-" + known);
    add("steps-" + known + "-" + word_of(kSoftwareGenerationWords, software));
  }
  if (origin.empty())
    constants.origin = "built-in defaults";
  else
    constants.origin = "shipped constants: " + origin;
  if (!has_family && !has_kernels)
    constants.origin += " (none are shipped for the family \"" + family + "\")";
  return constants;
}

}  // namespace trainwright::model
