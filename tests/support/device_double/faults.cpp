// SPDX-License-Identifier: Apache-2.0
#include "tests/support/device_double/faults.hpp"

#include <signal.h>

#include <array>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace trainwright::test {
namespace {

constexpr std::array<std::pair<const char*, FaultKind>, 5> kWords{{{"fail", FaultKind::fail},
                                                                   {"hang", FaultKind::hang},
                                                                   {"async", FaultKind::async},
                                                                   {"wrong", FaultKind::wrong},
                                                                   {"die", FaultKind::die}}};

}  // namespace

Fault Faults::next(const std::string& call) {
  const std::lock_guard lock(mutex_);
  const int number = ++calls_[call];
  for (const Fault& fault : faults_)
    if (fault.call == call && fault.nth == number) {
      if (fault.kind == FaultKind::die)
        ::raise(SIGKILL);
      return fault;
    }
  return {};
}

Fault fault_from_text(const std::string& text) {
  std::istringstream in(text);
  Fault fault;
  std::string nth;
  std::string kind;
  std::string code;
  std::getline(in, fault.call, ':');
  std::getline(in, nth, ':');
  std::getline(in, kind, ':');
  std::getline(in, code, ':');
  fault.nth = std::stoi(nth);
  fault.code = code.empty() ? 0 : std::stoi(code);
  for (const auto& [word, value] : kWords)
    if (kind == word)
      fault.kind = value;
  if (fault.kind == FaultKind::none)
    throw std::invalid_argument("not a fault: " + text);
  return fault;
}

}  // namespace trainwright::test
