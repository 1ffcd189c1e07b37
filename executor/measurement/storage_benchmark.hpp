// Time to write a file so that it is on the device, and to read it back from the device rather than from the page
// cache.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "executor/measurement/sampling.hpp"

namespace trainwright::executor {

struct StoragePlan {
  std::filesystem::path folder;     ///< where the runs' files would go; must exist
  std::vector<std::int64_t> bytes;  ///< multiples of 4096
  std::uint64_t seed = 1;
  PointRules rules;
  model::Seconds end = model::Seconds::zero();
};

[[nodiscard]] std::vector<std::int64_t> storage_sizes(bool quick);

/// One rank. The file has no name, so nothing is left behind however the process ends. Throws EnvironmentError (no
/// folder, no permission, no space). A remark says how the page cache was kept out and on which file system.
void measure_storage(RankContext& context, const StoragePlan& plan);

}  // namespace trainwright::executor
