// SPDX-License-Identifier: Apache-2.0
#include "model/plan/gradient_exchange.hpp"

#include <algorithm>
#include <cmath>

#include "model/plan/lowering.hpp"

namespace trainwright::model {
namespace {

constexpr double kKeptShare = 0.01;  // of values that top-k sends
constexpr int kIndexBytes = 4;
constexpr double kPowerRank = 4.0;

struct Message {
  CollectiveKind kind = CollectiveKind::all_reduce;
  double bytes = 0.0;
  Precision precision = Precision::bf16;
};

Message message_of(const Plan& plan, int replicas, std::int64_t parameters) {
  const Precision stored = message_precision(plan.job);
  const auto count = static_cast<double>(parameters);
  const auto element = static_cast<double>(tensor_bytes(1, stored).count());
  switch (plan.layout.compression) {
    case Compression::none:
      break;
    case Compression::fp16:
      return {CollectiveKind::all_reduce, count * std::min(element, 2.0), Precision::fp16};
    case Compression::int8:
      return {CollectiveKind::all_reduce, count, stored};
    case Compression::top_k:  // every rank keeps other values: they are gathered, not summed on the way
      return {CollectiveKind::all_gather, count * kKeptShare * (element + kIndexBytes) * replicas, stored};
    case Compression::power_sgd: {
      // r (m + n) values of an m x n matrix, here hidden x hidden.
      const double share = std::min(1.0, 2.0 * kPowerRank / static_cast<double>(plan.model.hidden));
      return {CollectiveKind::all_reduce, count * share * element, stored};
    }
  }
  return {CollectiveKind::all_reduce, count * element, stored};
}

ByteCount whole(double bytes) {
  return ByteCount(static_cast<std::int64_t>(std::ceil(bytes)));
}

}  // namespace

bool has_own_exchange(const Layout& layout) {
  return layout.zero == 0 &&
         (layout.compression != Compression::none || layout.sync_every > 1 || layout.parameter_servers > 0);
}

std::vector<CollectiveWork> gradient_exchange(const Plan& plan, GroupAxis axis, int replicas, std::int64_t parameters) {
  if (parameters == 0 || replicas == 1)
    return {};
  const Message message = message_of(plan, replicas, parameters);
  const double bytes = message.bytes / plan.layout.sync_every;
  if (plan.layout.parameter_servers == 0)
    return {{message.kind, axis, whole(bytes), message.precision}};
  // Each server takes in its part of the gradients of every rank: its line is the narrow one, as if each of as many
  // ranks sent replicas / servers times what it holds. The weights come back the same way.
  const double through_server = bytes * std::max(1.0, static_cast<double>(replicas) / plan.layout.parameter_servers);
  const CollectiveWork one_way{CollectiveKind::all_to_all, axis, whole(through_server), message.precision};
  return {one_way, one_way};
}

int compression_traffic(const Plan& plan) {
  if (plan.layout.zero != 0)
    return 0;
  const auto element = static_cast<int>(tensor_bytes(1, message_precision(plan.job)).count());
  switch (plan.layout.compression) {
    case Compression::none:
      return 0;
    case Compression::fp16:  // read, write half; and back
      return element > 2 ? 2 * (element + 2) : 0;
    case Compression::int8:  // largest value, quantise; and back
      return 3 * element + 2;
    case Compression::top_k:  // threshold, selection, error feedback; scatter
      return 5 * element;
    case Compression::power_sgd:  // two products over the gradient, error feedback; product back
      return 5 * element;
  }
  return 0;
}

}  // namespace trainwright::model
