// What the executor needs from a communication library: groups of ranks, collectives and messages on its buffers. Gloo
// on CPUs implements it; NCCL on GPUs fits the same interface (device buffers, one queue per communicator).
//
// Volumes follow nccl-tests: an operation moves what CollectiveWork::bytes says. Everything is in place, as NCCL's
// in-place operations are: the block of member i of a gathered or scattered buffer is its i-th part.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/error.hpp"
#include "model/base/id.hpp"

namespace trainwright::executor {

/// Elements are float: narrower formats of a plan travel as their bytes and are added as float (said in a run's modes).
using Elements = std::span<float>;

/// Where buffers of a backend live. A device backend hands out device memory; only its own calls touch it.
enum class BufferPlace { host, device };

struct Capabilities {
  std::string_view name;  ///< "gloo"
  BufferPlace place = BufferPlace::host;
  std::vector<std::pair<std::string, std::string>> versions;  ///< library, version
};

/// An operation of the library failed: time-out, peer gone. what() has the group and the library's words; the session
/// adds rank and task.
class CommunicationError : public model::EnvironmentError {
 public:
  using EnvironmentError::EnvironmentError;
};

/// The members of one group, seen from one of them. Operations of one communicator are called in the same order by all
/// members and from one thread each, except that send and receive may be called from two. A call returns when this
/// member's part is complete and the buffer may be used again. All throw CommunicationError.
class Communicator {
 public:
  virtual ~Communicator() = default;

  virtual void all_reduce(Elements data) = 0;
  /// Precondition of the blocked ones: the size is a multiple of the member count.
  virtual void all_gather(Elements data) = 0;
  virtual void reduce_scatter(Elements data) = 0;
  virtual void all_to_all(Elements input, Elements output) = 0;
  /// Sends `input` to the next member of the group and fills `output` with what the one before sent.
  virtual void ring_shift(Elements input, Elements output) = 0;
  virtual void broadcast(Elements data, int root) = 0;
  virtual void reduce(Elements data, int root) = 0;
  virtual void barrier() = 0;
  /// A message to (from) a member; matched by sender, receiver and tag, in order.
  virtual void send(Elements data, int peer, std::int32_t tag) = 0;
  virtual void receive(Elements data, int peer, std::int32_t tag) = 0;
};

struct GroupOptions {
  std::string name;                    ///< the same for all members, of no other group of the job
  std::vector<model::RankId> members;  ///< in group order
  int own_index = 0;                   ///< this rank's place in `members`
};

class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual Capabilities capabilities() const = 0;
  /// Joins the group; returns when all members have. Throws CommunicationError.
  [[nodiscard]] virtual std::unique_ptr<Communicator> join(const GroupOptions& group) = 0;
  /// Makes operations in progress on any communicator of this rank fail soon. Called once, from any thread.
  virtual void abort() noexcept = 0;
};

}  // namespace trainwright::executor
