// Faults on demand: the n-th call of a name fails, hangs, reports a failure later, delivers wrong data, or ends the
// process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace trainwright::test {

enum class FaultKind {
  none,
  fail,   ///< the call answers the code
  hang,   ///< the call is taken, its work never ends until it is aborted
  async,  ///< as hang, and the communicator reports the code
  wrong,  ///< the work delivers one wrong element
  die,    ///< the process is killed
};

struct Fault {
  std::string call;
  int nth = 1;
  FaultKind kind = FaultKind::none;
  int code = 0;
};

class Faults {
 public:
  void add(const Fault& fault) { faults_.push_back(fault); }
  /// Counts a call and says what becomes of it; kills the process where that is asked for.
  [[nodiscard]] Fault next(const std::string& call);

 private:
  std::mutex mutex_;
  std::vector<Fault> faults_;
  std::map<std::string, int> calls_;
};

/// "ncclAllReduce:3:fail:2": call, which one, kind, code. Throws std::invalid_argument.
[[nodiscard]] Fault fault_from_text(const std::string& text);

}  // namespace trainwright::test
