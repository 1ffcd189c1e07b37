// What an actor sleeps on until another one wakes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace trainwright::simulator {

/// A wake-up that nobody waits for is not sent. Still, one may come too early (an actor whose time ran out in the same
/// instant): whoever sleeps asks again, in a loop, whether what it waits for has happened.
class ActorBed {
 public:
  ActorBed();
  ~ActorBed();
  ActorBed(const ActorBed&) = delete;
  ActorBed& operator=(const ActorBed&) = delete;

  /// Until woken. Only inside an actor.
  void sleep();
  /// Until woken, `seconds` (above 0) at most.
  void sleep_for(double seconds);
  void wake();

 private:
  struct Semaphore;
  std::unique_ptr<Semaphore> semaphore_;
  bool is_asleep_ = false;
};

}  // namespace trainwright::simulator
