// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "model/base/contract.hpp"

namespace trainwright::executor {

std::vector<std::int64_t> log_spaced(std::int64_t first, std::int64_t last, int count, std::int64_t multiple) {
  TRAINWRIGHT_EXPECTS(multiple > 0 && multiple <= first && first <= last && first % multiple == 0 &&
                          last % multiple == 0 && (count >= 2 || first == last),
                      std::to_string(first) + " .. " + std::to_string(last) + " by " + std::to_string(count));
  std::vector<std::int64_t> sizes{first};
  const double ratio = std::log(static_cast<double>(last) / static_cast<double>(first));
  for (int i = 1; i < count; ++i) {
    const double exact = static_cast<double>(first) * std::exp(ratio * i / (count - 1));
    const auto rounded = std::llround(exact / static_cast<double>(multiple)) * multiple;
    const std::int64_t size = i == count - 1 ? last : std::clamp<std::int64_t>(rounded, first, last);
    if (size != sizes.back())
      sizes.push_back(size);
  }
  return sizes;
}

std::vector<std::size_t> shuffled_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // std::shuffle may differ between libraries; this (Fisher and Yates, with a generator fixed by the standard) may not.
  std::mt19937_64 generator(seed);
  for (std::size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[generator() % i]);
  return order;
}

}  // namespace trainwright::executor
