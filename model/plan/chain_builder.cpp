// SPDX-License-Identifier: Apache-2.0
#include "model/plan/chain_builder.hpp"

#include <algorithm>

namespace trainwright::model {

void ChainBuilder::add(OperatorId id, OperatorTasks tasks, const std::vector<OperatorId>& sources) {
  Need need = need_of(sources);
  if (tasks.tasks.empty()) {  // passes its input on: its consumers wait for what it would have waited for
    available_[id] = std::move(need);
    return;
  }
  const auto first = static_cast<int>(chain_.tasks.size());
  for (const int head : tasks.heads) {
    const TaskId task(first + head);
    for (const TaskId before : need.tasks)
      if (chain_.tasks[before.index()].stream != tasks.tasks[static_cast<std::size_t>(head)].stream)
        chain_.dependencies.push_back({before, task});
    if (need.outside)
      chain_.entries.push_back(task);
  }
  for (const auto& [before, after] : tasks.dependencies)
    chain_.dependencies.push_back({TaskId(first + before), TaskId(first + after)});
  for (Task& task : tasks.tasks)
    chain_.tasks.push_back(std::move(task));
  const TaskId output(first + tasks.output);
  available_[id] = {{output}, false};
  chain_.output = output;
}

ChainBuilder::Need ChainBuilder::need_of(const std::vector<OperatorId>& sources) const {
  Need need;
  need.outside = sources.empty();
  for (const OperatorId source : sources) {
    const auto found = available_.find(source);
    if (found == available_.end()) {
      need.outside = true;
      continue;
    }
    need.tasks.insert(need.tasks.end(), found->second.tasks.begin(), found->second.tasks.end());
    need.outside = need.outside || found->second.outside;
  }
  return need;
}

TaskChain ChainBuilder::take() {
  std::stable_sort(chain_.dependencies.begin(), chain_.dependencies.end(),
                   [](const Dependency& a, const Dependency& b) { return a.after < b.after; });
  return std::move(chain_);
}

}  // namespace trainwright::model
