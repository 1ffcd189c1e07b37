// How long a simulated step of GPT-3 175B (TP 8, PP 8, 64 micro-batches a pipeline) takes for 64 to 1,024 ranks, and
// how much memory. One process for each, since an engine can be used once.
//   simulator_benchmark [full|folded] [most ranks] [compute share taken by communication]
// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "model/units/format.hpp"
#include "simulator/engine/simulate.hpp"
#include "tests/support/builders.hpp"

namespace {

using namespace trainwright;

model::Plan gpt3_plan(int ranks, double share) {
  model::Plan plan;
  plan.model = test::small_gpt(96, 12288, 96, 51200);
  plan.model.max_positions = 2048;
  plan.layout.tp = 8;
  plan.layout.pp = 8;
  plan.layout.dp = ranks / 64;
  plan.job.seq_len = 2048;
  plan.job.global_batch = 64L * plan.layout.dp;
  plan.cluster = test::switched_cluster(ranks / 8);
  plan.constants.communication_compute_share = share;
  return plan;
}

int simulate_once(model::EstimatorKind estimator, int ranks, double share) {
  simulator::SimulationRequest request;
  request.plan = gpt3_plan(ranks, share);
  request.estimator = estimator;
  const auto start = std::chrono::steady_clock::now();
  const simulator::SimulationReport report = simulator::simulate(request);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const std::string line = std::to_string(ranks) + " ranks  " + std::to_string(report.counts.tasks) + " tasks  " +
                           std::to_string(report.counts.items) + " items  " + std::to_string(report.counts.flows) +
                           " flows  step " + model::format(report.step, 6) + "  wall " + model::format_fixed(wall, 2) +
                           " s  memory " + std::to_string(usage.ru_maxrss / 1024) + " MiB";
  std::puts(line.c_str());
  return 0;
}

double number(const char* text, double otherwise) {
  double value = otherwise;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const bool folded = argc > 1 && std::string(argv[1]) == "folded";
  const int most = argc > 2 ? static_cast<int>(number(argv[2], 1024)) : 1024;
  const double share = argc > 3 ? number(argv[3], 0.0) : 0.0;
  for (int ranks = 64; ranks <= most; ranks *= 2) {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
      return simulate_once(folded ? model::EstimatorKind::folded : model::EstimatorKind::full, ranks, share);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0)
      return 1;
  }
  return 0;
}
