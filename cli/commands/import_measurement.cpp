// `trainwright import nccl-tests`: a measurement from a log.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/commands/import_kinds.hpp"
#include "model/io/file.hpp"
#include "model/io/load.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/report/network_verdict.hpp"
#include "model/report/text_table.hpp"
#include "model/units/format.hpp"

namespace trainwright::cli {
namespace {

// Bus bandwidth of an all-reduce between nodes against the adapters of the cluster.
std::string verdict_text(const model::Measurement& measurement, model::BytesPerSecond best,
                         const std::optional<model::Cluster>& cluster) {
  const model::CollectivePoint& first = measurement.collectives.front();
  if (!cluster || first.nodes < 2 || first.kind != model::CollectiveKind::all_reduce)
    return "";
  const std::optional<model::NodeNetwork>& network = cluster->groups.front().network;
  if (!network)
    return "  network: " + cluster->id + " has none\n";
  const model::NetworkVerdict verdict = model::judge_network(*network, best, first.nodes);
  std::string text = "  network: expected " + model::format(verdict.expected_low) + " to " +
                     model::format(verdict.expected_high) + ", " + verdict.text + "\n";
  for (const std::string& cause : verdict.causes)
    text += "    perhaps " + cause + "\n";
  return text;
}

std::string measurement_text(const model::Measurement& measurement, const ImportInput& input,
                             const std::optional<model::Cluster>& cluster) {
  const model::CollectivePoint& first = measurement.collectives.front();
  model::TextTable table({"bytes", "median", "algorithm bandwidth", "bus bandwidth"});
  const double factor = model::bus_bandwidth_factor(first.kind, first.ranks);
  double best = 0.0;
  for (const model::CollectivePoint& point : measurement.collectives) {
    const double bandwidth = static_cast<double>(point.bytes) / point.time.median_s;
    best = std::max(best, bandwidth * factor);
    table.add_row({std::to_string(point.bytes), model::format(model::Seconds(point.time.median_s)),
                   model::format(model::BytesPerSecond(bandwidth)),
                   model::format(model::BytesPerSecond(bandwidth * factor))});
  }
  std::string text = std::string(model::to_word(first.kind)) + ", " + std::to_string(first.ranks) + " ranks on " +
                     std::to_string(first.nodes) + (first.nodes == 1 ? " node" : " nodes") + ", best bus bandwidth " +
                     model::format(model::BytesPerSecond(best), 4) + "\n" + table.text();
  text += verdict_text(measurement, model::BytesPerSecond(best), cluster);
  for (const std::string& note : measurement.notes)
    text += "  - " + note + "\n";
  text += input.out ? "  measurement: " + input.out->string() + "\n"
                    : std::string("  --out FILE writes the measurement for `trainwright calibrate`\n");
  return text;
}

}  // namespace

model::ExitCode import_nccl_tests(const ImportInput& input, Console& console) {
  model::Diagnostics problems;
  const std::optional<model::NcclTestsLog> log = model::read_nccl_tests(input.text, input.file, problems);
  model::throw_if_errors(problems);
  const std::optional<model::Measurement> measurement =
      model::measurement_of(*log, input.nccl_tests, input.file, problems);
  std::optional<model::Cluster> cluster;
  if (input.cluster)
    cluster = model::load_cluster(*input.cluster, problems);
  model::throw_if_errors(problems);
  console.warnings(problems);
  if (input.out)
    model::write_file_atomically(*input.out, model::to_measurement_json(*measurement));
  console.result(input.json ? model::to_measurement_json(*measurement)
                            : measurement_text(*measurement, input, cluster));
  return model::ExitCode::done;
}

}  // namespace trainwright::cli
