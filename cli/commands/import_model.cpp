// `trainwright import hf`: a model from a Hugging Face configuration.
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/commands/import_kinds.hpp"
#include "model/io/file.hpp"
#include "model/io/hf_config.hpp"
#include "model/io/json_writer.hpp"
#include "model/io/model_v1.hpp"
#include "model/plan/plan_fields.hpp"
#include "model/report/text_table.hpp"
#include "model/units/format.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::cli {
namespace {

std::string billions(std::int64_t count) {
  return std::to_string(count) + " (" + model::format_significant(static_cast<double>(count) * 1e-9, 4) + " billion)";
}

std::string model_text(const model::Model& model) {
  const model::ParameterCount count = model::parameter_count(model);
  model::TextTable table({"", ""});
  table.left(1);
  table.add_row({"model", model.name.empty() ? model.id : model.name});
  table.add_row({"architecture", model.architecture});
  table.add_row({"parameters", billions(count.total)});
  if (count.active != count.total)
    table.add_row({"active per token", billions(count.active)});
  table.add_row({"layers", std::to_string(model::layer_count(model))});
  table.add_row({"hidden", std::to_string(model.hidden)});
  table.add_row({"vocabulary", std::to_string(model.vocab)});
  table.add_row({"longest sequence", std::to_string(model.max_positions)});
  for (const model::LayerRun& run : model.layers) {
    const model::AttentionShape& attention = run.layer.attention;
    std::string shape = std::to_string(attention.heads) + " heads of " + std::to_string(attention.head_dim) + ", " +
                        std::to_string(attention.kv_heads) + " key/value heads";
    if (run.layer.mlp)
      shape += ", feed-forward " + std::to_string(run.layer.mlp->ffn);
    if (run.layer.moe)
      shape += ", " + std::to_string(run.layer.moe->experts) + " experts of " +
               std::to_string(run.layer.moe->expert_ffn) + ", " + std::to_string(run.layer.moe->experts_per_token) +
               " per token";
    table.add_row({std::to_string(run.count) + (run.count == 1 ? " layer" : " layers"), shape});
  }
  std::string text = table.text();
  for (const std::string& note : model.notes)
    text += "  - " + note + "\n";
  return text;
}

}  // namespace

model::ExitCode import_hf(const ImportInput& input, Console& console) {
  model::Diagnostics problems;
  const std::optional<model::Model> imported = model::model_from_hf_config(input.text, input.file, problems);
  model::throw_if_errors(problems);
  console.warnings(problems);
  if (input.out)
    model::write_file_atomically(*input.out, model::to_model_json(*imported));
  if (input.json) {
    nlohmann::ordered_json document = nlohmann::ordered_json::parse(model::to_model_json(*imported));
    const model::ParameterCount count = model::parameter_count(*imported);
    document["parameters"] = count.total;
    document["active_parameters"] = count.active;
    console.result(model::canonical_text(document));
  } else {
    console.result(model_text(*imported));
  }
  return model::ExitCode::done;
}

}  // namespace trainwright::cli
