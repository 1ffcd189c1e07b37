// Messages that threads wait for, so that an abort can wake them: closing a connection on this side does not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <set>

namespace gloo::transport {
class UnboundBuffer;
}  // namespace gloo::transport

namespace trainwright::executor {

class AbortableWaits {
 public:
  /// While it lives, an abort wakes whoever waits for the buffer. Throws CommunicationError after an abort.
  class Entry {
   public:
    Entry(AbortableWaits& waits, gloo::transport::UnboundBuffer& buffer);
    ~Entry();
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;

   private:
    AbortableWaits& waits_;
    gloo::transport::UnboundBuffer& buffer_;
  };

  /// Wakes all; waits return false, and no new entry can be made.
  void abort() noexcept;

 private:
  std::mutex mutex_;
  std::set<gloo::transport::UnboundBuffer*> buffers_;
  bool aborted_ = false;
};

}  // namespace trainwright::executor
