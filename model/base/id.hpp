// Index types: one per kind of thing, so that a rank cannot be passed where a device is meant.
// Ids compare, hash and index; they do no arithmetic.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace trainwright::model {

template <class Tag>
class Id {
 public:
  constexpr explicit Id(std::int32_t value) noexcept : value_(value) {}
  constexpr explicit Id(std::size_t value) noexcept : value_(static_cast<std::int32_t>(value)) {}

  [[nodiscard]] constexpr std::int32_t value() const noexcept { return value_; }
  /// The id as a vector index; the id must not be negative.
  [[nodiscard]] constexpr std::size_t index() const noexcept { return static_cast<std::size_t>(value_); }

  friend constexpr auto operator<=>(Id, Id) noexcept = default;

 private:
  std::int32_t value_;
};

using RankId = Id<struct RankTag>;      ///< one process of the job, 0 .. world size - 1
using DeviceId = Id<struct DeviceTag>;  ///< one accelerator (or CPU worker slot) of the cluster, numbered node by node
using NodeId = Id<struct NodeTag>;      ///< one machine of the cluster
using StageId = Id<struct StageTag>;    ///< one pipeline stage
using OperatorId = Id<struct OperatorTag>;  ///< vertex of the operator graph of a model
using ProgramId = Id<struct ProgramTag>;    ///< task list shared by all ranks that do the same
using TaskId = Id<struct TaskTag>;          ///< position of a task in its program

}  // namespace trainwright::model

template <class Tag>
struct std::hash<trainwright::model::Id<Tag>> {
  std::size_t operator()(trainwright::model::Id<Tag> id) const noexcept {
    return std::hash<std::int32_t>{}(id.value());
  }
};
