// What a configuration of other software asks for: the layout and job that this program understands, and everything
// else in words, so that nothing of the file is dropped silently.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/diagnostic.hpp"
#include "model/plan/resolve.hpp"

namespace trainwright::model {

struct ImportedRequest {
  PlanChoices choices;  ///< empty fields: the file does not say
  std::vector<std::pair<std::string, std::string>>
      model_shape;                             ///< label and value, where the file describes the model
  std::optional<std::string> known_model;      ///< profile that has this shape
  std::optional<std::int64_t> launched_ranks;  ///< processes that the file starts
  std::optional<std::int64_t> ranks_per_node;
  std::int64_t ranks_multiple = 1;   ///< the layout needs a multiple of so many ranks
  std::vector<std::string> asked;    ///< keys whose value is left to others ("auto"), with the option that answers
  std::vector<std::string> unknown;  ///< keys that nobody here understands
  std::vector<std::string> without_effect;  ///< known, but of no effect on time and memory
  std::vector<std::string> notes;           ///< what was read into a choice, and what this program cannot say
  std::vector<std::string> problems;        ///< why it cannot run as it stands
};

/// Command lines or shell text with the arguments of Megatron-LM; also lines of one flag each. Shell variables that
/// the text sets are filled in. Empty when nothing in it is an argument of Megatron.
[[nodiscard]] std::optional<ImportedRequest> request_from_megatron(std::string_view text, const std::string& source,
                                                                   Diagnostics& diagnostics);
/// ds_config.json of DeepSpeed.
[[nodiscard]] std::optional<ImportedRequest> request_from_deepspeed(std::string_view text, const std::string& source,
                                                                    Diagnostics& diagnostics);
/// Configuration file of Hugging Face accelerate, with or without FSDP.
[[nodiscard]] std::optional<ImportedRequest> request_from_accelerate(std::string_view text, const std::string& source,
                                                                     Diagnostics& diagnostics);

/// The choices as options of `trainwright predict`: "--tp", "8".
[[nodiscard]] std::vector<std::string> option_words(const PlanChoices& choices);
/// For people.
[[nodiscard]] std::string request_report(const ImportedRequest& request);
[[nodiscard]] nlohmann::ordered_json request_value(const ImportedRequest& request);

}  // namespace trainwright::model
