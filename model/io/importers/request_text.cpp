// An imported request as options, as text and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "model/io/importers/imported_request.hpp"
#include "model/io/importers/text_lines.hpp"
#include "model/io/json_writer.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/report/text_table.hpp"

namespace trainwright::model {
namespace {

using nlohmann::ordered_json;

// "4,8,8,4", as the option takes it.
std::string joined_numbers(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

// Each choice that is made: field name and value.
std::vector<std::pair<std::string, ordered_json>> fields_of(const PlanChoices& choices) {
  std::vector<std::pair<std::string, ordered_json>> fields;
  const auto add = [&](const char* name, const auto& value) {
    if (value)
      fields.emplace_back(name, *value);
  };
  const auto add_word = [&](const char* name, const auto& words, const auto& value) {
    if (value)
      fields.emplace_back(name, word_of(words, *value));
  };
  add("gpus", choices.gpus);
  add("dp", choices.dp);
  add("tp", choices.tp);
  add("pp", choices.pp);
  add("vpp", choices.vpp);
  add("layers_per_chunk", choices.layers_per_chunk);
  add("cp", choices.cp);
  add("ep", choices.ep);
  add("etp", choices.etp);
  add("sequence_parallel", choices.sequence_parallel);
  add("zero", choices.zero);
  add("hsdp", choices.zero_group);
  add("micro_batch", choices.micro_batch);
  add("micro_batches", choices.micro_batches);
  add("global_batch", choices.global_batch);
  add("seq_len", choices.seq_len);
  add_word("schedule", kPipelineScheduleWords, choices.schedule);
  add_word("recompute", kRecomputeWords, choices.recompute);
  add("overlap", choices.overlap_gradients);
  if (choices.bucket)
    fields.emplace_back("bucket", exact_text(*choices.bucket));
  add("interleave_group", choices.interleave_group);
  add("overlap_parameters", choices.overlap_parameters);
  if (choices.stage_layers)
    fields.emplace_back("stage_layers", joined_numbers(*choices.stage_layers));
  add("offload_optimizer", choices.offload_optimizer);
  add("offload_parameters", choices.offload_parameters);
  add("offload_activations", choices.offload_activations);
  add_word("precision", kPrecisionWords, choices.precision);
  add_word("optimizer", kOptimizerKindWords, choices.optimizer);
  add_word("attention", kAttentionKernelWords, choices.attention);
  add("dropout", choices.dropout);
  add_word("loss", kLossKernelWords, choices.loss);
  add("framework", choices.framework);
  add("year", choices.year);
  add("steps", choices.steps);
  return fields;
}

std::string list_text(const std::string& heading, const std::vector<std::string>& items) {
  if (items.empty())
    return "";
  std::string text = heading + "\n";
  for (const std::string& item : items)
    text += "  - " + item + "\n";
  return text;
}

std::string command_of(const ImportedRequest& request) {
  std::string text = "trainwright predict --model " + request.known_model.value_or("MODEL") + " --cluster CLUSTER";
  for (const std::string& word : option_words(request.choices))
    text += word.find(' ') == std::string::npos ? " " + word : " \"" + word + "\"";
  return text;
}

}  // namespace

std::vector<std::string> option_words(const PlanChoices& choices) {
  std::vector<std::string> words;
  for (const auto& [name, value] : fields_of(choices)) {
    std::string option = option_name(name);
    if (value.is_boolean()) {
      words.push_back(value.get<bool>() ? option : "--no-" + option.substr(2));
      continue;
    }
    words.push_back(std::move(option));
    words.push_back(value.is_string() ? value.get<std::string>() : std::to_string(value.get<std::int64_t>()));
  }
  return words;
}

std::string request_report(const ImportedRequest& request) {
  TextTable table({"", ""});
  table.left(1);
  for (const auto& [label, value] : request.model_shape)
    table.add_row({"model " + label, value});
  if (request.known_model)
    table.add_row({"model profile of this shape", *request.known_model});
  for (const auto& [name, value] : fields_of(request.choices))
    table.add_row({name, value.is_string() ? value.get<std::string>() : value.dump()});
  if (request.ranks_multiple > 1)
    table.add_row({"ranks", "a multiple of " + std::to_string(request.ranks_multiple)});
  std::string text = table.text();
  text += list_text("cannot run as it stands", request.problems);
  text += list_text("needs an answer", request.asked);
  text += list_text("notes", request.notes);
  text += list_text("not understood", request.unknown);
  if (!request.without_effect.empty())
    text += "no effect on time or memory: " + joined(request.without_effect) + "\n";
  return text + command_of(request) + "\n";
}

ordered_json request_value(const ImportedRequest& request) {
  ordered_json value;
  auto choices = ordered_json::object();
  for (const auto& [name, choice] : fields_of(request.choices))
    choices[name] = choice;
  value["choices"] = std::move(choices);
  auto shape = ordered_json::object();
  for (const auto& [label, text] : request.model_shape)
    shape[label] = text;
  value["model_shape"] = std::move(shape);
  value["known_model"] = request.known_model ? ordered_json(*request.known_model) : ordered_json();
  value["launched_ranks"] = request.launched_ranks ? ordered_json(*request.launched_ranks) : ordered_json();
  value["ranks_per_node"] = request.ranks_per_node ? ordered_json(*request.ranks_per_node) : ordered_json();
  value["ranks_multiple"] = request.ranks_multiple;
  value["problems"] = request.problems;
  value["asked"] = request.asked;
  value["unknown"] = request.unknown;
  value["without_effect"] = request.without_effect;
  value["notes"] = request.notes;
  value["command"] = command_of(request);
  return value;
}

}  // namespace trainwright::model
