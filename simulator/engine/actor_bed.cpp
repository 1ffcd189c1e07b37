// SPDX-License-Identifier: Apache-2.0
#include "simulator/engine/actor_bed.hpp"

#include <simgrid/s4u.hpp>

namespace trainwright::simulator {

struct ActorBed::Semaphore {
  simgrid::s4u::SemaphorePtr pointer = simgrid::s4u::Semaphore::create(0);
};

ActorBed::ActorBed() : semaphore_(std::make_unique<Semaphore>()) {}
ActorBed::~ActorBed() = default;

void ActorBed::sleep() {
  is_asleep_ = true;
  semaphore_->pointer->acquire();
  is_asleep_ = false;
}

void ActorBed::sleep_for(double seconds) {
  is_asleep_ = true;
  semaphore_->pointer->acquire_timeout(seconds);
  is_asleep_ = false;
}

void ActorBed::wake() {
  if (!is_asleep_)
    return;
  is_asleep_ = false;
  semaphore_->pointer->release();
}

}  // namespace trainwright::simulator
