// The only owner of a SimGrid engine. SimGrid keeps clock, configuration and platform in the process, so that a second
// engine would start where the first one ended: a session counts its uses and refuses the second one. Every setting
// that changes a number is set here, none is left to a default, and all are listed for the report. ADR 0002 and 0007.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "simulator/client/request.hpp"

namespace trainwright::simulator {

/// The engine cannot or will not run this: second session in a process, bad setting, impossible graph.
class EngineRefusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class EngineSession {
 public:
  /// Throws EngineRefusal if this process has had a session before or a setting is out of range.
  explicit EngineSession(const EngineSettings& settings);
  ~EngineSession();
  EngineSession(const EngineSession&) = delete;
  EngineSession& operator=(const EngineSession&) = delete;

  /// Runs until no actor can go on. Returning proves nothing: see completion_check.hpp.
  void run();
  /// Simulated seconds.
  [[nodiscard]] double clock() const;

  /// Name and value of every setting, as given to SimGrid.
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& settings() const { return settings_; }
  /// "SimGrid 3.32"
  [[nodiscard]] static std::string engine_version();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::vector<std::pair<std::string, std::string>> settings_;
};

}  // namespace trainwright::simulator
