// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/import.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "model/io/file.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/units/parse.hpp"

namespace trainwright::cli {
namespace {

struct Kind {
  std::string_view word;
  model::ExitCode (*import)(const ImportInput&, Console&);
  std::string_view example;
};

constexpr std::array<Kind, 8> kKinds{{{"hf", import_hf, "config.json"},
                                      {"nccl-topo", import_nccl_topology, "topo.xml"},
                                      {"topo-m", import_topo_matrix, "topo.txt"},
                                      {"nccl-tests", import_nccl_tests, "all_reduce.log"},
                                      {"run-log", import_run_log, "train.log"},
                                      {"megatron", import_megatron, "train.sh"},
                                      {"deepspeed", import_deepspeed, "ds_config.json"},
                                      {"fsdp", import_accelerate, "accelerate.yaml"}}};

constexpr std::array<std::pair<std::string_view, model::CollectiveKind>, 6> kCollectives{
    {{"all_reduce", model::CollectiveKind::all_reduce},
     {"all_gather", model::CollectiveKind::all_gather},
     {"reduce_scatter", model::CollectiveKind::reduce_scatter},
     {"broadcast", model::CollectiveKind::broadcast},
     {"reduce", model::CollectiveKind::reduce},
     {"all_to_all", model::CollectiveKind::all_to_all}}};

std::string known_kinds() {
  std::string words;
  for (const Kind& kind : kKinds)
    words += (words.empty() ? "" : ", ") + std::string(kind.word);
  return words;
}

// A count of nodes or ranks; nothing, with a problem, when it is out of range.
std::optional<int> positive(const std::optional<std::int64_t>& value, const std::string& option,
                            model::Diagnostics& problems) {
  constexpr std::int64_t kMost = 1'000'000;
  if (!value)
    return std::nullopt;
  if (*value < 1 || *value > kMost)
    problems.add_error(std::string(model::kCommandLineSource), option,
                       "is " + std::to_string(*value) + "; from 1 to " + std::to_string(kMost) + " are possible");
  return static_cast<int>(std::clamp<std::int64_t>(*value, 1, kMost));
}

}  // namespace

void ImportCommand::add_options(OptionSet& options) {
  options.argument("kind", "hf, nccl-topo, topo-m, nccl-tests, run-log, megatron, deepspeed or fsdp", kind_);
  options.argument("file", "The file to read", file_);
  options.path("--out", "Write what was read as a file of this program: model, cluster or measurement", out_);
  options.group("What the file does not say (nccl-topo, topo-m, nccl-tests)");
  options.text("--accelerator", "Profile id of the GPUs of a topology", accelerator_);
  options.integer("--nodes", "Equal nodes of the cluster, or nodes of a log", nodes_);
  options.text("--adapter-rate", "Of one network adapter and direction, \"200 Gbit/s\"", adapter_rate_);
  options.byte_count("--host-memory", "Of one node, \"2 TB\"", host_memory_);
  options.integer("--ranks", "Ranks of a log", ranks_);
  options.word("--collective", "Collective of a log", kCollectives, collective_);
  options.text("--cluster", "Profile id or file whose network a log between nodes is judged against", cluster_);
}

model::ExitCode ImportCommand::run(Console& console, std::stop_token) {
  model::Diagnostics problems;
  const std::string source(model::kCommandLineSource);
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) { return kind_ == k.word; });
  if (!kind_)
    problems.add_error(source, "kind", "is needed; allowed: " + known_kinds());
  else if (kind == kKinds.end())
    problems.add_error(source, "kind", "\"" + *kind_ + "\" is not known; allowed: " + known_kinds());
  else if (!file_)
    problems.add_error(source, "file", "is needed",
                       "for example trainwright import " + *kind_ + " " + std::string(kind->example));
  ImportInput input;
  input.topology.accelerator = accelerator_;
  input.topology.nodes = positive(nodes_, "--nodes", problems);
  input.topology.host_memory = host_memory_;
  if (adapter_rate_) {
    const model::Parsed<model::BytesPerSecond> rate = model::parse_bytes_per_second(*adapter_rate_);
    if (!rate.value || *rate.value == model::BytesPerSecond::zero())
      problems.add_error(source, "--adapter-rate", rate.value ? "is 0" : rate.problem, rate.hint);
    input.topology.adapter_rate = rate.value;
  }
  input.nccl_tests = {collective_, positive(ranks_, "--ranks", problems), input.topology.nodes};
  model::throw_if_errors(problems);
  input.file = *file_;
  input.text = model::read_file(*file_, problems);
  model::throw_if_errors(problems);
  input.out = out_;
  input.cluster = cluster_;
  input.json = json;
  return kind->import(input, console);
}

}  // namespace trainwright::cli
