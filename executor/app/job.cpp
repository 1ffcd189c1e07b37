// SPDX-License-Identifier: Apache-2.0
#include "executor/app/job.hpp"

#include "executor/app/cpu_engine.hpp"
#include "model/base/contract.hpp"
#include "model/base/error.hpp"
#include "model/io/file.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::executor {

Job load_job(const std::filesystem::path& path) {
  model::Diagnostics diagnostics;
  const std::string text = model::read_file(path, diagnostics);
  model::throw_if_errors(diagnostics);
  auto plan = model::plan_from_json(text, path.string(), diagnostics);
  model::throw_if_errors(diagnostics);
  TRAINWRIGHT_ENSURES(plan.has_value(), path.string());
  model::throw_if_errors(check_plan(*plan, path.string()));
  model::ExecutionGraph graph = build_execution_graph(*plan);
  const std::vector<std::string> problems = graph.check();
  TRAINWRIGHT_ENSURES(problems.empty(), problems.empty() ? "" : problems.front());
  return {std::move(*plan), std::move(graph)};
}

Parts standard_parts() {
  return {&load_job,
          &make_gloo_backend,
          &make_cpu_engine,
          &cpu_engine_memory_bytes,
          {gloo_version(), cpu_engine_version()}};
}

}  // namespace trainwright::executor
