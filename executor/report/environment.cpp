// SPDX-License-Identifier: Apache-2.0
#include "executor/report/environment.hpp"

#include <sys/utsname.h>

#include <array>
#include <ctime>
#include <fstream>

#include "executor/process/cores.hpp"
#include "executor/process/memory.hpp"

namespace trainwright::executor {
namespace {

std::string processor_name(const std::string& machine) {
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return machine;  // other architectures name no model
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text.data(), size};
}

}  // namespace

model::Environment describe_environment(const std::string& backend,
                                        const std::vector<std::pair<std::string, std::string>>& versions,
                                        const std::string& command) {
  utsname system{};
  ::uname(&system);
  model::Environment environment;
  environment.host = system.nodename;
  environment.date = utc_now();
  environment.processor = processor_name(system.machine);
  environment.cores = static_cast<int>(allowed_cores().size());
  environment.memory_bytes = total_memory_bytes();
  environment.backend = backend;
  environment.versions = versions;
  environment.versions.emplace_back("kernel", system.release);
  environment.command = command;
  return environment;
}

}  // namespace trainwright::executor
