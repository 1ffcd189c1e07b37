// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/abortable_waits.hpp"

#include <gloo/transport/unbound_buffer.h>

#include "executor/backend/backend.hpp"

namespace trainwright::executor {

AbortableWaits::Entry::Entry(AbortableWaits& waits, gloo::transport::UnboundBuffer& buffer)
    : waits_(waits), buffer_(buffer) {
  const std::lock_guard lock(waits_.mutex_);
  if (waits_.aborted_)
    throw CommunicationError("aborted");
  waits_.buffers_.insert(&buffer_);
}

AbortableWaits::Entry::~Entry() {
  const std::lock_guard lock(waits_.mutex_);
  waits_.buffers_.erase(&buffer_);
}

void AbortableWaits::abort() noexcept {
  const std::lock_guard lock(mutex_);
  aborted_ = true;
  for (gloo::transport::UnboundBuffer* buffer : buffers_) {
    buffer->abortWaitRecv();
    buffer->abortWaitSend();
  }
}

}  // namespace trainwright::executor
