// What the executor needs from a communication library: groups of ranks, collectives and messages on its buffers.
// Implemented by Gloo on CPUs and by NCCL on GPUs.
//
// A host backend works inside the call. A device backend queues the work behind what its stream was given before, and
// returns at once; when it ran is known to the timeline of the device, and whoever needs the outcome on the host reads
// the buffer, which waits. Either way operations of one stream happen in the order of the calls.
//
// Volumes follow nccl-tests: an operation moves what CollectiveWork::bytes says. Everything is in place, as NCCL's
// in-place operations are: the block of member i of a gathered or scattered buffer is its i-th part.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/base/error.hpp"
#include "model/base/id.hpp"
#include "model/graph/task.hpp"

namespace trainwright::executor {

/// Elements are float: narrower formats of a plan travel as their bytes and are added as float (said in a run's modes).
using Elements = std::span<float>;

/// Where buffers of a backend live. A device backend hands out device memory; only its own calls touch it.
enum class BufferPlace { host, device };

/// Memory of one stream's communication, filled with zeros.
class Buffer {
 public:
  virtual ~Buffer() = default;
  [[nodiscard]] virtual Elements elements() = 0;
  /// Both are ordered with the operations of the stream; read waits for them. Sizes of up to the buffer's.
  virtual void write(std::span<const float> values) = 0;
  virtual void read(std::span<float> values) = 0;
};

struct Capabilities {
  std::string_view name;  ///< "gloo"
  BufferPlace place = BufferPlace::host;
  std::vector<std::pair<std::string, std::string>> versions;  ///< library, version
};

/// An operation failed where another rank may be the cause: time-out, peer gone. what() has the group and the library's
/// words; the session adds rank and task.
class CommunicationError : public model::EnvironmentError {
 public:
  using EnvironmentError::EnvironmentError;
};

/// The members of one group, seen from one of them. Operations of one communicator are called in the same order by all
/// members and from one thread each, except that send and receive may be called from two. When a call's work is done
/// (host: on return) this member's part is complete and the buffer may be used again. All throw CommunicationError, or
/// EnvironmentError where the library failed here.
class Communicator {
 public:
  virtual ~Communicator() = default;

  /// Operations will use this memory, as long as both live: a library that profits from knowing may be told.
  virtual void announce(Elements) {}

  virtual void all_reduce(Elements data) = 0;
  /// Precondition of the blocked ones: the size is a multiple of the member count.
  virtual void all_gather(Elements data) = 0;
  virtual void reduce_scatter(Elements data) = 0;
  virtual void all_to_all(Elements input, Elements output) = 0;
  /// Sends `input` to the next member of the group and fills `output` with what the one before sent.
  virtual void ring_shift(Elements input, Elements output) = 0;
  virtual void broadcast(Elements data, int root) = 0;
  virtual void reduce(Elements data, int root) = 0;
  /// Returns when all members have called it and all earlier operations of the stream have ended.
  virtual void barrier() = 0;
  /// A message to (from) a member; matched by sender, receiver and tag, in order. Libraries without tags
  /// match by order alone, so between two ranks and two streams messages are sent and received in one order.
  virtual void send(Elements data, int peer, std::int32_t tag) = 0;
  virtual void receive(Elements data, int peer, std::int32_t tag) = 0;
};

struct GroupOptions {
  std::string name;                    ///< the same for all members, of no other group of the job
  std::vector<model::RankId> members;  ///< in group order
  int own_index = 0;                   ///< this rank's place in `members`
  std::optional<model::Stream> stream =
      std::nullopt;  ///< that operations are queued on; empty: on one apart from the step's
  /// Groups of a job are made in rounds, of which no rank is in two groups: see Backend::split.
  int round = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  [[nodiscard]] virtual Capabilities capabilities() const = 0;
  /// Joins the group; returns when all members have. Throws CommunicationError.
  [[nodiscard]] virtual std::unique_ptr<Communicator> join(const GroupOptions& group) = 0;
  /// Joins this rank's `groups`, sorted by round, of a job whose groups are made in `rounds` rounds. All ranks of the
  /// job call it at the same time, with the same number of rounds, after they have joined the group of all.
  [[nodiscard]] virtual std::vector<std::unique_ptr<Communicator>> split(const std::vector<GroupOptions>& groups,
                                                                         int rounds);
  [[nodiscard]] virtual std::unique_ptr<Buffer> allocate(std::optional<model::Stream> stream, std::size_t elements);
  /// Throws CommunicationError when an operation has failed since it was queued.
  virtual void check() {}
  /// Makes operations in progress on any communicator of this rank fail soon. Called once, from any thread.
  virtual void abort() noexcept = 0;
};

}  // namespace trainwright::executor
