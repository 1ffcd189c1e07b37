// Equal-cost multipath: flows hashed onto parallel uplinks collide. Spread of the fullest link over seeds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace trainwright::model {

struct EcmpSpread {
  double mean = 0.0;  ///< flows on the fullest link, over all seeds
  int best = 0;
  int worst = 0;
};
/// `flows` equal flows, each on one of `links` at random; `seeds` draws, the same on every machine. All above 0.
[[nodiscard]] EcmpSpread ecmp_spread(int flows, int links, int seeds);

}  // namespace trainwright::model
