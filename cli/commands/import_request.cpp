// `trainwright import megatron`, `deepspeed` and `fsdp`: layout and job options from launch configurations.
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "cli/commands/import_kinds.hpp"
#include "model/io/importers/imported_request.hpp"
#include "model/io/json_writer.hpp"
#include "model/plan/plan_fields.hpp"

namespace trainwright::cli {
namespace {

using Read = std::optional<model::ImportedRequest> (*)(std::string_view, const std::string&, model::Diagnostics&);

model::ExitCode import_request(const ImportInput& input, Console& console, Read read) {
  model::Diagnostics problems;
  if (input.out)
    problems.add_error(std::string(model::kCommandLineSource), "--out", "is not possible here",
                       "the result is a list of options; --json prints it for programs");
  const std::optional<model::ImportedRequest> request = read(input.text, input.file, problems);
  model::throw_if_errors(problems);
  console.warnings(problems);
  console.result(input.json ? model::canonical_text(model::request_value(*request)) : model::request_report(*request));
  return request->problems.empty() ? model::ExitCode::done : model::ExitCode::answer_is_no;
}

}  // namespace

model::ExitCode import_megatron(const ImportInput& input, Console& console) {
  return import_request(input, console, model::request_from_megatron);
}

model::ExitCode import_deepspeed(const ImportInput& input, Console& console) {
  return import_request(input, console, model::request_from_deepspeed);
}

model::ExitCode import_accelerate(const ImportInput& input, Console& console) {
  return import_request(input, console, model::request_from_accelerate);
}

}  // namespace trainwright::cli
