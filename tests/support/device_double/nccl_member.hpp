// One member's end of a communicator: a connection to the hub, on which streams ask one question after another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "executor/process/file_descriptor.hpp"
#include "tests/support/device_double/nccl_room.hpp"

namespace trainwright::test {

class NcclMember {
 public:
  NcclMember() = default;
  NcclMember(const NcclMember&) = delete;
  NcclMember& operator=(const NcclMember&) = delete;
  ~NcclMember();

  /// Connects in the background; state() is in progress until all members have come.
  void enter(std::uint16_t port, const NcclHello& hello);

  /// 0, kNcclInProgress, or what failed.
  [[nodiscard]] int state() const { return state_; }
  void set_state(int state) { state_ = state; }
  /// What was in progress has ended, unless it has failed meanwhile.
  void settle();
  [[nodiscard]] std::string words() const;

  /// Asks and waits for the answer. After a failure it waits on, as a kernel would, until it is aborted. False then.
  [[nodiscard]] bool ask(const NcclQuestion& question, NcclAnswer& answer);
  /// Keeps a stream busy until it is aborted.
  void hang();
  void fail(int code, const std::string& words);
  /// Wakes whoever waits.
  void abort();
  /// In the background: leaves when all leave, or asks for a split and enters the new room with `child`.
  void run_in_background(std::function<void()> work);

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] const NcclHello& hello() const { return hello_; }
  bool was_used = false;
  std::set<void*> registered;

 private:
  bool receive(char* data, std::size_t size);

  std::uint16_t port_ = 0;
  NcclHello hello_;
  executor::FileDescriptor socket_;
  std::mutex asking_;
  std::atomic<int> state_{0};
  std::atomic<bool> aborted_{false};
  mutable std::mutex words_mutex_;
  std::string words_;
  std::thread background_;
};

}  // namespace trainwright::test
