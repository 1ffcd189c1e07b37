// `trainwright import run-log`: findings in the log of a distributed run, and where they contradict a cluster.
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/commands/import_kinds.hpp"
#include "model/io/importers/run_log.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/load.hpp"

namespace trainwright::cli {
namespace {

using nlohmann::ordered_json;

ordered_json findings_value(const std::vector<model::LogFinding>& findings) {
  auto list = ordered_json::array();
  for (const model::LogFinding& finding : findings)
    list.push_back(
        {{"line", finding.line}, {"topic", finding.topic}, {"text", finding.text}, {"advice", finding.advice}});
  return list;
}

std::string findings_text(const std::string& heading, const std::vector<model::LogFinding>& findings) {
  if (findings.empty())
    return {};
  std::string text = heading + "\n";
  for (const model::LogFinding& finding : findings)
    text += "  - " + (finding.line > 0 ? "line " + std::to_string(finding.line) + ", " : std::string()) +
            finding.topic + ": " + finding.text + (finding.advice.empty() ? "" : "; " + finding.advice) + "\n";
  return text;
}

bool knows_something(const model::RunLog& log) {
  return !log.transport.empty() || log.adapters || log.copies_through_host || !log.findings.empty();
}

void refuse_what_is_no_log(const ImportInput& input) {
  model::Diagnostics problems;
  if (input.text.empty())
    problems.add_error(input.file, "", "the file is empty; the output of a run is needed");
  else if (input.text.find('\0') != std::string::npos)
    problems.add_error(input.file, "", "is not text: it holds zero bytes");
  model::throw_if_errors(problems);
}

}  // namespace

model::ExitCode import_run_log(const ImportInput& input, Console& console) {
  refuse_what_is_no_log(input);
  const model::RunLog log = model::read_run_log(input.text);
  std::vector<model::LogFinding> against;
  if (input.cluster) {
    model::Diagnostics problems;
    const std::optional<model::Cluster> cluster = model::load_cluster(*input.cluster, problems);
    model::throw_if_errors(problems);
    against = model::contradictions(log, *cluster);
  }
  if (input.json) {
    ordered_json value{{"transport", log.transport.empty() ? ordered_json() : ordered_json(log.transport)},
                       {"adapters", log.adapters ? ordered_json(*log.adapters) : ordered_json()},
                       {"copies_through_host", log.copies_through_host},
                       {"findings", findings_value(log.findings)},
                       {"contradictions", findings_value(against)}};
    console.result(model::canonical_text(value));
  } else {
    const std::string text = findings_text("found in the log", log.findings) +
                             findings_text("against cluster " + input.cluster.value_or(""), against);
    console.result(!text.empty()          ? text
                   : knows_something(log) ? "nothing to remark\n"
                                          : "no line of NCCL or of an allocator is in this file\n");
  }
  return against.empty() ? model::ExitCode::done : model::ExitCode::answer_is_no;
}

}  // namespace trainwright::cli
