// The doctor's report as text and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/doctor/doctor.hpp"

namespace trainwright::cli {
namespace {

constexpr std::array<std::string_view, 3> kStateWords{{"ok", "limited", "missing"}};

std::string_view to_word(FindingState state) {
  return kStateWords[static_cast<std::size_t>(state)];
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(text.size() < width ? width - text.size() : 1, ' ');
}

std::string title_of(const DoctorReport& report, const std::string& id) {
  const auto found =
      std::find_if(report.findings.begin(), report.findings.end(), [&](const Finding& f) { return f.id == id; });
  return found == report.findings.end() ? id : found->title;
}

std::string list_of_titles(const DoctorReport& report, const std::vector<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids)
    text += (text.empty() ? "" : ", ") + title_of(report, id);
  return text;
}

}  // namespace

std::string to_text(const DoctorReport& report) {
  std::string text = "This machine\n";
  for (const Finding& finding : report.findings) {
    text += "  " + padded(to_word(finding.state), 9) + padded(finding.title, 30) + finding.detail + "\n";
    if (!finding.fix.empty())
      text += std::string(11, ' ') + padded("", 30) + "-> " + finding.fix + "\n";
  }
  text += "\nPossible here\n";
  for (const Ability& ability : report.abilities) {
    text += "  " + padded(ability.is_possible() ? "yes" : "no", 9) + ability.command;
    text += ability.is_possible() ? "\n" : "; missing: " + list_of_titles(report, ability.missing) + "\n";
  }
  return text;
}

std::string to_json(const DoctorReport& report) {
  nlohmann::ordered_json root;
  root["cores_allowed"] = report.cores_allowed;
  root["memory_bytes"] = report.memory_allowed.count();
  root["gpus"] = nlohmann::ordered_json::array();
  for (const GpuFact& gpu : report.gpus) {
    nlohmann::ordered_json entry{{"name", gpu.name}, {"memory_bytes", nullptr}};
    if (gpu.memory)
      entry["memory_bytes"] = gpu.memory->count();
    root["gpus"].push_back(std::move(entry));
  }
  root["findings"] = nlohmann::ordered_json::array();
  for (const Finding& finding : report.findings) {
    root["findings"].push_back({{"id", finding.id},
                                {"title", finding.title},
                                {"state", to_word(finding.state)},
                                {"detail", finding.detail},
                                {"fix", finding.fix}});
  }
  root["commands"] = nlohmann::ordered_json::array();
  for (const Ability& ability : report.abilities) {
    root["commands"].push_back({{"id", ability.id},
                                {"command", ability.command},
                                {"possible", ability.is_possible()},
                                {"missing", ability.missing}});
  }
  // Names come from drivers and environment variables, which need not be valid UTF-8.
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace trainwright::cli
