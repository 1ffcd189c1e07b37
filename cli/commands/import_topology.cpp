// `trainwright import nccl-topo` and `topo-m`: a cluster from a topology.
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/commands/import_kinds.hpp"
#include "model/io/cluster_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/json_writer.hpp"
#include "model/report/text_table.hpp"

namespace trainwright::cli {
namespace {

std::string topology_text(const model::ImportedTopology& topology, const ImportInput& input) {
  model::TextTable table({"", ""});
  table.left(1);
  for (const auto& [label, value] : topology.facts)
    table.add_row({label, value});
  std::string text = table.text();
  for (const std::string& finding : topology.findings)
    text += "  - " + finding + "\n";
  if (!topology.cluster)
    text += "  no cluster profile: " + topology.no_cluster + "\n";
  else if (input.out)
    text += "  cluster profile: " + input.out->string() + "\n";
  else
    text += "  complete: --out FILE writes the cluster profile\n";
  return text;
}

nlohmann::ordered_json topology_value(const model::ImportedTopology& topology) {
  nlohmann::ordered_json value;
  auto facts = nlohmann::ordered_json::array();
  for (const auto& [label, text] : topology.facts)
    facts.push_back({{"what", label}, {"value", text}});
  value["facts"] = std::move(facts);
  value["findings"] = topology.findings;
  value["cluster"] = topology.cluster ? nlohmann::ordered_json::parse(model::to_cluster_json(*topology.cluster))
                                      : nlohmann::ordered_json();
  value["no_cluster"] = topology.no_cluster;
  return value;
}

model::ExitCode finish(const model::ImportedTopology& topology, const model::Diagnostics& problems,
                       const ImportInput& input, Console& console) {
  model::throw_if_errors(problems);
  console.warnings(problems);
  if (input.out && !topology.cluster) {
    model::Diagnostics refused;
    refused.add_error(input.file, {}, "makes no cluster profile", topology.no_cluster);
    throw model::InputError(refused);
  }
  if (input.out)
    model::write_file_atomically(*input.out, model::to_cluster_json(*topology.cluster));
  console.result(input.json ? model::canonical_text(topology_value(topology)) : topology_text(topology, input));
  return model::ExitCode::done;
}

// "topo.xml" makes the cluster "topo".
std::string id_of(const ImportInput& input) {
  const std::string stem = input.out.value_or(input.file).stem().string();
  return stem.empty() ? "imported" : stem;
}

}  // namespace

model::ExitCode import_nccl_topology(const ImportInput& input, Console& console) {
  model::Diagnostics problems;
  const std::optional<model::NcclTopology> topology = model::read_nccl_topology(input.text, input.file, problems);
  model::throw_if_errors(problems);
  const model::ImportedTopology result = model::import_topology(*topology, input.topology, id_of(input), problems);
  return finish(result, problems, input, console);
}

model::ExitCode import_topo_matrix(const ImportInput& input, Console& console) {
  model::Diagnostics problems;
  const std::optional<model::TopoMatrix> matrix = model::read_topo_matrix(input.text, input.file, problems);
  model::throw_if_errors(problems);
  const model::ImportedTopology result = model::import_topology(*matrix, input.topology, id_of(input), problems);
  return finish(result, problems, input, console);
}

}  // namespace trainwright::cli
