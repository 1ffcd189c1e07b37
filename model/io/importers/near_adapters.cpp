// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/near_adapters.hpp"

#include <algorithm>

#include "model/io/importers/text_lines.hpp"

namespace trainwright::model {
namespace {

// How many GPUs count each adapter among their nearest.
std::vector<int> gpus_of_adapters(const Nearness& nearness) {
  std::vector<int> counts(nearness.adapters.size(), 0);
  for (std::size_t g = 0; g < nearness.gpus.size(); ++g)
    for (const std::size_t a : nearest_adapters(nearness, g))
      ++counts[a];
  return counts;
}

int least_distance(const Nearness& nearness, std::size_t gpu) {
  return *std::min_element(nearness.distance[gpu].begin(), nearness.distance[gpu].end());
}

}  // namespace

std::vector<std::size_t> nearest_adapters(const Nearness& nearness, std::size_t gpu) {
  std::vector<std::size_t> nearest;
  if (nearness.adapters.empty())
    return nearest;
  const int least = least_distance(nearness, gpu);
  for (std::size_t a = 0; a < nearness.adapters.size(); ++a)
    if (nearness.distance[gpu][a] == least)
      nearest.push_back(a);
  return nearest;
}

std::vector<std::string> rail_lines(const Nearness& nearness) {
  std::vector<std::string> lines;
  for (std::size_t g = 0; g < nearness.gpus.size(); ++g) {
    std::vector<std::string> names;
    const std::vector<std::size_t> nearest = nearest_adapters(nearness, g);
    for (const std::size_t a : nearest)
      names.push_back(nearness.adapters[a]);
    if (!nearest.empty())
      lines.push_back(nearness.gpus[g] + ": " + joined(names) + " (" + nearness.words[g][nearest.front()] + ")");
  }
  return lines;
}

std::vector<std::string> uneven_adapters(const Nearness& nearness) {
  std::vector<std::string> findings;
  if (nearness.adapters.empty() || nearness.gpus.empty())
    return findings;
  const std::vector<int> sharers = gpus_of_adapters(nearness);
  std::vector<std::string> far;
  std::vector<double> share(nearness.gpus.size(), 0.0);  // adapters of one GPU, those it shares in part
  for (std::size_t g = 0; g < nearness.gpus.size(); ++g) {
    if (least_distance(nearness, g) >= nearness.host_bridge)
      far.push_back(nearness.gpus[g]);
    for (const std::size_t a : nearest_adapters(nearness, g))
      share[g] += 1.0 / sharers[a];
  }
  if (!far.empty() && far.size() < nearness.gpus.size())
    findings.push_back(joined(far) +
                       " reach every adapter through the host bridge, while the others have one on their "
                       "PCI switch: collectives go at the pace of the slowest");
  const double most = *std::max_element(share.begin(), share.end());
  std::vector<std::string> poor;
  for (std::size_t g = 0; g < share.size(); ++g)
    if (share[g] < 0.99 * most)
      poor.push_back(nearness.gpus[g]);
  if (!poor.empty())
    findings.push_back(joined(poor) + " have less of an adapter than the others (they share it with more GPUs)");
  std::vector<std::string> idle;
  for (std::size_t a = 0; a < sharers.size(); ++a)
    if (sharers[a] == 0)
      idle.push_back(nearness.adapters[a]);
  if (!idle.empty())
    findings.push_back(joined(idle) + (idle.size() == 1 ? " is" : " are") + " near no GPU: NCCL may leave them unused");
  return findings;
}

}  // namespace trainwright::model
