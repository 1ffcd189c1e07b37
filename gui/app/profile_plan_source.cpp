// SPDX-License-Identifier: Apache-2.0
#include "gui/app/profile_plan_source.hpp"

#include <utility>

#include "model/base/error.hpp"
#include "model/io/file.hpp"
#include "model/io/json_reader.hpp"
#include "model/io/load.hpp"
#include "model/io/plan_v1.hpp"
#include "model/io/profile_library.hpp"
#include "model/plan/resolve.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::gui {
namespace {

const std::string kSource = "scenario";

template <class Value, class Load>
std::shared_ptr<const Value> cached(std::mutex& mutex, std::map<std::string, std::shared_ptr<const Value>>& cache,
                                    const std::string& id, model::Diagnostics& problems, Load load) {
  const std::scoped_lock lock(mutex);
  if (const auto found = cache.find(id); found != cache.end())
    return found->second;
  std::optional<Value> value = load(id, problems);
  if (!value)
    return nullptr;
  auto shared = std::make_shared<const Value>(std::move(*value));
  cache.emplace(id, shared);
  return shared;
}

/// The word of "format" in a JSON file; empty for files that are not ours.
std::string formatOf(const std::filesystem::path& file) {
  model::Diagnostics problems;
  const std::string text = model::read_file(file, problems);
  model::throw_if_errors(problems);
  const auto document = model::JsonDocument::parse(text, file.string(), problems);
  model::throw_if_errors(problems);
  model::JsonObject root = document->root(problems);
  model::throw_if_errors(problems);
  return root.optional_string("format").value_or("");
}

}  // namespace

std::vector<ProfileEntry> ProfilePlanSource::models() const {
  std::vector<ProfileEntry> entries;
  for (const std::string& id : model::profile_ids(model::ProfileKind::model)) {
    model::Diagnostics problems;
    if (const auto found = model({id}, problems))
      entries.push_back({id, found->name, model::parameter_count(*found).total, 0});
  }
  return entries;
}

std::vector<ProfileEntry> ProfilePlanSource::clusters() const {
  std::vector<ProfileEntry> entries;
  for (const std::string& id : model::profile_ids(model::ProfileKind::cluster)) {
    model::Diagnostics problems;
    if (const auto found = cluster({id}, problems))
      entries.push_back({id, found->name, 0, found->groups.empty() ? 0 : found->groups.front().devices_per_node});
  }
  return entries;
}

std::shared_ptr<const model::Model> ProfilePlanSource::model(const Choice<model::Model>& choice,
                                                             model::Diagnostics& problems) const {
  return choice.value ? choice.value : cached(mutex_, models_, choice.id, problems, model::load_model);
}

std::shared_ptr<const model::Cluster> ProfilePlanSource::cluster(const Choice<model::Cluster>& choice,
                                                                 model::Diagnostics& problems) const {
  return choice.value ? choice.value : cached(mutex_, clusters_, choice.id, problems, model::load_cluster);
}

Resolution ProfilePlanSource::resolve(const ScenarioInputs& inputs) const {
  Resolution resolution;
  const auto network = model(inputs.model, resolution.problems);
  const auto machines = cluster(inputs.cluster, resolution.problems);
  if (!network || !machines)
    return resolution;
  const model::CostConstants constants = inputs.constants ? *inputs.constants : model::shipped_constants(*machines);
  if (auto plan = model::resolve_plan(*network, *machines, constants, inputs.choices, kSource, resolution.problems))
    resolution.plan = std::make_shared<const model::Plan>(std::move(*plan));
  return resolution;
}

ScenarioInputs ProfilePlanSource::open(const std::filesystem::path& file, const ScenarioInputs& current) const {
  const std::string format = formatOf(file);
  model::Diagnostics problems;
  ScenarioInputs inputs = current;
  if (format == "trainwright/plan/v1") {
    const auto plan = model::plan_from_json(model::read_file(file, problems), file.string(), problems);
    model::throw_if_errors(problems);
    return inputsOf(*plan);
  }
  if (format == "trainwright/cluster/v1") {
    auto machines = model::load_cluster(file.string(), problems);
    model::throw_if_errors(problems);
    inputs.cluster = {machines->id, std::make_shared<const model::Cluster>(std::move(*machines))};
    inputs.constants.reset();
    return inputs;
  }
  auto network = model::load_model(file.string(), problems);
  model::throw_if_errors(problems);
  inputs.model = {network->id, std::make_shared<const model::Model>(std::move(*network))};
  return inputs;
}

ScenarioInputs firstScenario() {
  ScenarioInputs inputs;
  inputs.model = {"llama-3-8b"};
  inputs.cluster = {"dgx-h100"};
  inputs.choices.gpus = 16;
  inputs.choices.tp = 4;
  inputs.choices.pp = 2;
  inputs.choices.seq_len = 8192;
  inputs.choices.global_batch = 128;
  return inputs;
}

}  // namespace trainwright::gui
