// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/profiles.hpp"

#include <nlohmann/json.hpp>

#include "model/io/load.hpp"
#include "model/plan/plan_fields.hpp"

namespace trainwright::cli {
namespace {

struct Kind {
  const char* word;
  std::vector<std::string> ids;
};

std::vector<Kind> kinds() {
  return {{"models", model::profile_ids(model::ProfileKind::model)},
          {"clusters", model::cluster_ids()},
          {"accelerators", model::profile_ids(model::ProfileKind::accelerator)},
          {"networks", model::profile_ids(model::ProfileKind::network)}};
}

}  // namespace

void ProfilesCommand::add_options(OptionSet& options) {
  options.argument("kind", "models, clusters, accelerators or networks; left out: all", kind_);
}

model::ExitCode ProfilesCommand::run(Console& console, std::stop_token) {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  std::string text;
  bool found = false;
  for (const Kind& kind : kinds()) {
    if (kind_ && *kind_ != kind.word)
      continue;
    found = true;
    document[kind.word] = kind.ids;
    text += std::string(kind.word) + "\n";
    for (const std::string& id : kind.ids)
      text += "  " + id + "\n";
  }
  if (!found) {
    model::Diagnostics problems;
    problems.add_error(std::string(model::kCommandLineSource), "kind",
                       "\"" + *kind_ + "\" is not known; allowed: models, clusters, accelerators, networks");
    throw model::InputError(problems);
  }
  console.result(json ? document.dump(2) + "\n" : text);
  return model::ExitCode::done;
}

}  // namespace trainwright::cli
