// SPDX-License-Identifier: Apache-2.0
#include "executor/process/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>

#include "executor/process/file_descriptor.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

// Hardware threads of one physical core list the same set; its first member stands for the core ("0-1" or "0,4").
int first_sibling(int core) {
  std::ifstream in("/sys/devices/system/cpu/cpu" + std::to_string(core) + "/topology/thread_siblings_list");
  int first = core;
  return in >> first ? first : core;
}

}  // namespace

std::vector<int> allowed_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0)
    throw model::EnvironmentError("the allowed processors cannot be read: " + error_text(errno));
  std::vector<int> first_threads;
  std::vector<int> other_threads;
  std::vector<int> seen;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (!CPU_ISSET(core, &set))
      continue;
    const int physical = first_sibling(core);
    const bool is_first = std::find(seen.begin(), seen.end(), physical) == seen.end();
    (is_first ? first_threads : other_threads).push_back(core);
    seen.push_back(physical);
  }
  first_threads.insert(first_threads.end(), other_threads.begin(), other_threads.end());
  return first_threads;
}

void pin_to_core(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  if (::sched_setaffinity(0, sizeof set, &set) != 0)
    throw model::EnvironmentError("cannot bind to processor " + std::to_string(core) + ": " + error_text(errno));
}

}  // namespace trainwright::executor
