// Strings the tasks of operators together to a chain. Internal to model/plan/lowering.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "model/plan/lowering_context.hpp"

namespace trainwright::model {

class ChainBuilder {
 public:
  /// `sources`: operators whose result this one needs; those not added in this pass lie outside the chain.
  void add(OperatorId id, OperatorTasks tasks, const std::vector<OperatorId>& sources);
  /// A task on the compute stream, that no other stream waits for.
  void add_beside(Task task) { chain_.tasks.push_back(std::move(task)); }
  /// From here on sources are looked for among what is added later.
  void begin_pass() { available_.clear(); }
  [[nodiscard]] TaskChain take();

 private:
  // What must have ended before a result can be used; `outside`: something before the chain.
  struct Need {
    std::vector<TaskId> tasks;
    bool outside = false;
  };
  [[nodiscard]] Need need_of(const std::vector<OperatorId>& sources) const;

  TaskChain chain_;
  std::map<OperatorId, Need> available_;
};

}  // namespace trainwright::model
