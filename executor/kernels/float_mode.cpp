// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/float_mode.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trainwright::executor {

#if defined(__x86_64__)

DenormalsOff::DenormalsOff() noexcept : saved_(_mm_getcsr()) {
  constexpr unsigned kFlushToZero = 0x8000;
  constexpr unsigned kDenormalsAreZero = 0x0040;
  _mm_setcsr(static_cast<unsigned>(saved_) | kFlushToZero | kDenormalsAreZero);
}

DenormalsOff::~DenormalsOff() {
  _mm_setcsr(static_cast<unsigned>(saved_));
}

#elif defined(__aarch64__)

DenormalsOff::DenormalsOff() noexcept {
  constexpr unsigned long kFlushToZero = 1UL << 24;
  asm volatile("mrs %0, fpcr" : "=r"(saved_));
  asm volatile("msr fpcr, %0" : : "r"(saved_ | kFlushToZero));
}

DenormalsOff::~DenormalsOff() {
  asm volatile("msr fpcr, %0" : : "r"(saved_));
}

#else

DenormalsOff::DenormalsOff() noexcept = default;
DenormalsOff::~DenormalsOff() = default;

#endif

}  // namespace trainwright::executor
