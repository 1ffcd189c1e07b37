// SPDX-License-Identifier: Apache-2.0
#include "model/report/network_verdict.hpp"

#include <cmath>

#include "model/base/contract.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

// A little over the line is rounding; a tree of two nodes may reach twice the line.
constexpr double kMostOfLine = 1.02;

std::string percent(double share) {
  return format_fixed(100.0 * share, 0) + " %";
}

// How many of several adapters would explain the ratio; 0: no number does, or all of them.
int adapters_in_use(const NodeNetwork& network, double ratio) {
  constexpr double kTolerance = 0.4;  // of what so many adapters would carry
  for (int used = 1; used < network.adapters; ++used) {
    const double share = static_cast<double>(used) / network.adapters;
    if (ratio <= share * kMostOfLine && ratio >= share * kTolerance)
      return used;
  }
  return 0;
}

std::vector<std::string> causes_of(const NodeNetwork& network, double ratio) {
  constexpr double kSockets = 0.05;
  constexpr double kStagingLow = 0.45;
  constexpr double kStagingHigh = 0.65;
  constexpr double kFlowControlLow = 0.15;
  constexpr double kFlowControlHigh = 0.35;
  std::vector<std::string> causes;
  if (ratio < kSockets)
    causes.emplace_back("sockets instead of RDMA, or retries: NCCL_DEBUG=INFO prints NET/Socket or NET/IB");
  if (ratio < kStagingLow)
    if (const int used = adapters_in_use(network, ratio); used > 0)
      causes.push_back(std::to_string(used) + " of " + std::to_string(network.adapters) +
                       " adapters in use: NCCL_DEBUG=INFO lists those it found");
  if (network.kind == LinkKind::roce && ratio >= kFlowControlLow && ratio <= kFlowControlHigh)
    causes.emplace_back(
        "flow control or priority not set on the switches: the adapters' counters of dropped and "
        "retransmitted packets grow");
  if (network.kind != LinkKind::ethernet_tcp && ratio >= kStagingLow && ratio <= kStagingHigh)
    causes.emplace_back("copies through host memory: NCCL_DEBUG=INFO prints no GDRDMA");
  if (network.kind == LinkKind::ethernet_tcp && causes.empty())
    causes.emplace_back(
        "TCP reaches a part of fast lines, the processor sets the pace: iperf3 with several streams "
        "tells what it can");
  return causes;
}

}  // namespace

NetworkVerdict judge_network(const NodeNetwork& network, BytesPerSecond measured, int nodes,
                             std::optional<CollectiveAlgorithm> algorithm) {
  TRAINWRIGHT_EXPECTS(nodes >= 2, std::to_string(nodes) + " nodes use no network");
  NetworkVerdict verdict;
  verdict.line = network.rate * static_cast<double>(network.adapters);
  const BusBandwidthRange expected = expected_bus_bandwidth(network);
  verdict.expected_low = expected.low;
  verdict.expected_high = expected.high;
  verdict.ratio = measured.count() / verdict.line.count();
  const double most = nodes == 2 && algorithm != CollectiveAlgorithm::ring ? 2.0 * kMostOfLine : kMostOfLine;
  const std::string share = percent(verdict.ratio) + " of the " + format(verdict.line) + " of a node's adapters";
  if (verdict.ratio > most) {
    verdict.is_plausible = false;
    verdict.text = share + ": more than they can carry; the cluster, the ranks or the algorithm is another";
    return verdict;
  }
  if (verdict.ratio > kMostOfLine) {
    verdict.text = share +
                   ": a tree between two nodes, whose bus bandwidth may reach twice the line; measure the ring "
                   "(NCCL_ALGO=Ring) to judge the network";
    return verdict;
  }
  constexpr double kLittleLow = 0.70;
  constexpr double kLow = 0.40;
  constexpr double kRounding = 0.02;
  if (verdict.ratio >= verdict.expected_low / verdict.line - kRounding)
    verdict.text = share + ": as expected";
  else if (verdict.ratio >= kLittleLow)
    verdict.text = share + ": a little low";
  else
    verdict.text = share + (verdict.ratio >= kLow ? ": low" : ": far too low");
  if (verdict.ratio < kLittleLow)
    verdict.causes = causes_of(network, verdict.ratio);
  return verdict;
}

}  // namespace trainwright::model
