// SPDX-License-Identifier: Apache-2.0
#include "model/hardware/ecmp.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "model/base/contract.hpp"

namespace trainwright::model {

EcmpSpread ecmp_spread(int flows, int links, int seeds) {
  TRAINWRIGHT_EXPECTS(flows > 0 && links > 0 && seeds > 0, "flows, links, seeds");
  EcmpSpread spread;
  spread.best = flows;
  double sum = 0.0;
  for (int seed = 0; seed < seeds; ++seed) {
    std::mt19937_64 hash(static_cast<std::uint64_t>(seed));
    std::vector<int> load(static_cast<std::size_t>(links), 0);
    for (int flow = 0; flow < flows; ++flow)
      ++load[hash() % load.size()];
    const int fullest = *std::max_element(load.begin(), load.end());
    sum += fullest;
    spread.best = std::min(spread.best, fullest);
    spread.worst = std::max(spread.worst, fullest);
  }
  spread.mean = sum / seeds;
  return spread;
}

}  // namespace trainwright::model
