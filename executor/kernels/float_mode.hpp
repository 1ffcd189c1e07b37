// Denormal numbers off while the object lives. Values that decay towards zero would otherwise slow arithmetic by two
// orders of magnitude on many processors, which no training run on an accelerator sees.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace trainwright::executor {

/// For the calling thread; restores what was set before. Does nothing on processors without such a switch.
class DenormalsOff {
 public:
  DenormalsOff() noexcept;
  ~DenormalsOff();
  DenormalsOff(const DenormalsOff&) = delete;
  DenormalsOff& operator=(const DenormalsOff&) = delete;

 private:
  unsigned long saved_ = 0;
};

}  // namespace trainwright::executor
