// trainwright-execute with the NCCL backend on the double of CUDA, cuBLASLt and NCCL: ranks are processes,
// communicators are sockets, device memory is host memory. Beside plan files it takes a word as "plan":
//   slow      two ranks: 50 ms of compute and an all-reduce, for tests that stop a rank
//   overlap   two ranks: 200 ms of compute beside an all-reduce on another stream
// TRAINWRIGHT_TEST_DEVICES: how many cards there are (8). TRAINWRIGHT_TEST_DEVICE_FAULT: "1/ncclAllReduce:3:hang", a
// rank and a fault of it (tests/support/device_double/faults.hpp). A rank that used the calls wrongly fails.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>
#include <string>

#include "executor/app/device_parts.hpp"
#include "executor/app/program.hpp"
#include "tests/support/builders.hpp"
#include "tests/support/device_double/device_double.hpp"

namespace {

using namespace trainwright;
using namespace trainwright::executor;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string rank_of(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string(argv[i]) == "--rank")
      return argv[i + 1];
  return "";
}

Job load_word_or_plan(const std::filesystem::path& word) {
  if (word != "slow" && word != "overlap")
    return load_job(word);
  const model::Layout layout{.dp = 2};
  model::Plan plan = test::small_plan(layout, 1);
  model::Program program;
  program.tasks.resize(2);
  program.tasks[0].work = model::FixedWork{model::Seconds(word == "slow" ? 0.05 : 0.2)};
  program.tasks[1].stream = model::Stream::data;
  program.tasks[1].phase.pass = model::Pass::gradient_sync;
  program.tasks[1].work = model::CollectiveWork{model::CollectiveKind::all_reduce, model::GroupAxis::data,
                                                model::ByteCount(4000), model::Precision::fp32};
  if (word == "slow")
    program.dependencies = {{model::TaskId(0), model::TaskId(1)}};
  model::ExecutionGraph graph(model::Placement(layout, plan.cluster), {program},
                              {model::ProgramId(0), model::ProgramId(0)});
  return {std::move(plan), std::move(graph)};
}

}  // namespace

int main(int argc, char** argv) {
  const std::string devices = environment("TRAINWRIGHT_TEST_DEVICES");
  const test::DeviceDouble device({.devices = devices.empty() ? 8 : std::stoi(devices)});
  const std::string rank = rank_of(argc, argv);
  const std::string fault = environment("TRAINWRIGHT_TEST_DEVICE_FAULT");
  if (const std::size_t slash = fault.find('/'); slash != std::string::npos && fault.substr(0, slash) == rank)
    device.state().faults.add(test::fault_from_text(fault.substr(slash + 1)));
  Parts parts;
  parts.load_job = &load_word_or_plan;
  parts.backends = {device_parts([&] { return device.api(); })};
  const int code = execute_main(argc, argv, parts);
  const std::string complaints = device.complaints();
  if (complaints.empty())
    return code;
  std::cerr << complaints << std::flush;
  return static_cast<int>(model::ExitCode::environment);
}
