// SPDX-License-Identifier: Apache-2.0
#include "model/collective/bus_bandwidth.hpp"

#include <algorithm>

namespace trainwright::model {
namespace {

constexpr double kGbit = 1e9 / 8.0;
// The line that the figures of the header lie on: 0.984 of 100 Gbit/s, 0.96 of 400.
constexpr double kLowShare = 0.92;
constexpr double kHighShareAtZero = 0.992;
constexpr double kHighShareLossPerGbit = 8e-5;

}  // namespace

double bus_bandwidth_factor(CollectiveKind kind, int ranks) {
  const double n = ranks;
  switch (kind) {
    case CollectiveKind::all_reduce:
      return 2.0 * (n - 1.0) / n;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
      return (n - 1.0) / n;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
    case CollectiveKind::ring_shift:
      break;
  }
  return 1.0;
}

BusBandwidthRange expected_bus_bandwidth(const NodeNetwork& network) {
  const double high = kHighShareAtZero - kHighShareLossPerGbit * network.rate.count() / kGbit;
  const BytesPerSecond all = network.rate * network.adapters;
  return {all * kLowShare, all * std::max(high, kLowShare)};
}

}  // namespace trainwright::model
