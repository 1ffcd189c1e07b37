// SPDX-License-Identifier: Apache-2.0
#include "executor/app/job.hpp"

#include <algorithm>
#include <array>

#include "executor/app/cpu_parts.hpp"
#include "executor/app/gpu_parts.hpp"
#include "model/base/contract.hpp"
#include "model/base/diagnostic.hpp"
#include "model/base/error.hpp"
#include "model/io/file.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::executor {
namespace {

constexpr std::array<const char*, 3> kBackendNames{{"auto", "gloo", "nccl"}};

std::string names_of(const std::vector<BackendParts>& backends) {
  std::string names;
  for (const BackendParts& backend : backends)
    names += (names.empty() ? "" : ", ") + backend.name;
  return names.empty() ? "none" : names;
}

}  // namespace

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
  Parts parts{&load_job, gpu_backends()};
  for (BackendParts& backend : cpu_backends())
    parts.backends.push_back(std::move(backend));
  return parts;
}

const BackendParts& choose_backend(const Parts& parts, const std::string& name, int ranks) {
  if (std::find(kBackendNames.begin(), kBackendNames.end(), name) == kBackendNames.end()) {
    model::Diagnostics diagnostics;
    diagnostics.add_error("command line", "--backend", "\"" + name + "\" is not a backend",
                          "allowed: auto, gloo, nccl");
    model::throw_if_errors(diagnostics);
  }
  std::optional<Obstacle> first;
  for (const BackendParts& backend : parts.backends) {
    if (name != "auto" && name != backend.name)
      continue;
    const std::optional<Obstacle> obstacle = backend.obstacle(ranks);
    if (!obstacle)
      return backend;
    if (!first)
      first = obstacle;
  }
  if (first)
    throw model::EnvironmentError(first->what, first->hint);
  throw model::EnvironmentError(
      "the " + name + " backend is not built into this program, which has: " + names_of(parts.backends),
      name == "nccl"
          ? "build with -DTRAINWRIGHT_WITH_CUDA=ON -DTRAINWRIGHT_WITH_NCCL=ON where the CUDA toolkit and NCCL "
            "are installed; --backend gloo runs on CPU cores"
          : "build with -DTRAINWRIGHT_WITH_GLOO=ON where Gloo and OpenBLAS are installed");
}

}  // namespace trainwright::executor
