// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/engine_session.hpp"

#include <signal.h>
#include <xbt/log.h>

#include <simgrid/version.h>
#include <algorithm>
#include <atomic>
#include <simgrid/s4u.hpp>

#include "model/units/format.hpp"

namespace trainwright::simulator {
namespace {

// Whether this process has had a session. The state it guards is SimGrid's, which is just as global.
std::atomic<bool> used{false};

// Link latencies are part of a collective's own latency (model/collective), so routes carry none; the loopback of
// SimGrid is not used, since routes name their own.
const std::vector<std::pair<std::string, std::string>> kFixedSettings{
    {"network/model", "CM02"},       {"network/latency-factor", "1"}, {"network/bandwidth-factor", "1"},
    {"network/weight-S", "0"},       {"network/TCP-gamma", "0"},      {"network/crosstraffic", "no"},
    {"network/loopback-bw", "1e12"}, {"network/loopback-lat", "0"},   {"network/optim", "Lazy"},
    {"cpu/model", "Cas01"},          {"cpu/optim", "Lazy"},           {"host/model", "default"},
    {"contexts/nthreads", "1"},      {"contexts/guard-size", "0"},    {"maxmin/concurrency-limit", "-1"},
};

// SimGrid answers an interrupt itself; the program's own way is put back.
class InterruptKeeper {
 public:
  InterruptKeeper() { sigaction(SIGINT, nullptr, &before_); }
  ~InterruptKeeper() { sigaction(SIGINT, &before_, nullptr); }
  InterruptKeeper(const InterruptKeeper&) = delete;
  InterruptKeeper& operator=(const InterruptKeeper&) = delete;

 private:
  struct sigaction before_ {};
};

// The sanitizers cannot follow a stack that is swapped by hand: actors are then threads, with room for their red zones.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif
constexpr int kSanitizedStackKib = 1024;

}  // namespace

struct EngineSession::Impl {
  // SimGrid keeps pointers into argv.
  std::string name = "trainwright";
  std::vector<char*> arguments{name.data(), nullptr};
  int count = 1;
  simgrid::s4u::Engine engine{&count, arguments.data()};
};

EngineSession::EngineSession(const EngineSettings& settings) {
  if (settings.time_precision_s <= 0.0 || settings.sharing_precision <= 0.0 || settings.stack_kib < 16)
    throw EngineRefusal("precisions must be positive and a stack at least 16 KiB");
  if (used.exchange(true))
    throw EngineRefusal("this process has simulated before; SimGrid keeps its clock, so start another process");
  {
    const InterruptKeeper keeper;
    impl_ = std::make_unique<Impl>();
  }
  // A deadlock is found by completion_check and reported with names.
  xbt_log_control_set("root.thresh:critical");
  settings_ = kFixedSettings;
  settings_.emplace_back("surf/precision", model::format_number(settings.time_precision_s));
  settings_.emplace_back("maxmin/precision", model::format_number(settings.sharing_precision));
  const int stack = kIsSanitized ? std::max(kSanitizedStackKib, settings.stack_kib) : settings.stack_kib;
  const std::string contexts = kIsSanitized && settings.context_factory.empty() ? "thread" : settings.context_factory;
  settings_.emplace_back("contexts/stack-size", std::to_string(stack));
  if (!contexts.empty())
    settings_.emplace_back("contexts/factory", contexts);
  std::sort(settings_.begin(), settings_.end());
  for (const auto& [key, value] : settings_)
    simgrid::s4u::Engine::set_config(key + ":" + value);
}

EngineSession::~EngineSession() = default;

void EngineSession::run() {
  impl_->engine.run();
}

double EngineSession::clock() const {
  return simgrid::s4u::Engine::get_clock();
}

std::string EngineSession::engine_version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  sg_version_get(&major, &minor, &patch);
  return "SimGrid " + std::to_string(major) + "." + std::to_string(minor) +
         (patch > 0 ? "." + std::to_string(patch) : "");
}

}  // namespace trainwright::simulator
