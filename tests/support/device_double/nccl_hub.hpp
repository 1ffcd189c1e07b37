// Where the members of communicators meet: a thread that listens on a port of the loopback address. It lives in the
// process that made the unique id, as NCCL's own bootstrap does, and serves all that is split off later.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "executor/process/file_descriptor.hpp"
#include "tests/support/device_double/nccl_room.hpp"

namespace trainwright::test {

class NcclHub {
 public:
  NcclHub();
  NcclHub(const NcclHub&) = delete;
  NcclHub& operator=(const NcclHub&) = delete;
  ~NcclHub();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::uint32_t new_room() { return ++last_room_; }

 private:
  struct Guest {
    executor::FileDescriptor socket;
    std::string bytes;  // that have arrived and make no whole question yet
    bool is_known = false;
    bool said_goodbye = false;
    NcclHello hello;
  };
  void serve();
  void read(Guest& guest);
  void take_questions(Guest& guest);
  void lose(Guest& guest);
  void answer(std::uint32_t room);
  [[nodiscard]] Guest* guest_of(std::uint32_t room, int member);

  executor::FileDescriptor listener_;
  std::uint16_t port_;
  int wake_[2] = {-1, -1};
  std::atomic<std::uint32_t> last_room_{0};
  std::vector<std::unique_ptr<Guest>> guests_;
  std::map<std::uint32_t, NcclRoom> rooms_;
  std::map<std::uint32_t, int> arrived_;
  std::thread thread_;
};

}  // namespace trainwright::test
