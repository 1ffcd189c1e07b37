// SPDX-License-Identifier: Apache-2.0
#include "model/cost/host_link.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace trainwright::model {
namespace {

// PCI Express x16: 16 GT/s and 128/130 coding make 31.5 GB/s in generation 4; half and twice that beside it.
constexpr double kGeneration4 = 31.5e9;
constexpr double kCoherentLink = 450e9;  // NVLink-C2C of Grace superchips, 900 GB/s both directions together
constexpr double kReached = 0.8;         // of pinned copies (nvbandwidth, host to device)

// Adam of DeepSpeed on the two processors of a DGX-2: 10^10 parameters in 2.57 s (arXiv 2101.06840, table 4).
constexpr double kUpdatedPerSecond = 1e10 / 2.57;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

BytesPerSecond host_link_rate(const Accelerator& device) {
  if (device.id.rfind("gh", 0) == 0 || device.id.rfind("gb", 0) == 0)
    return BytesPerSecond(kCoherentLink * kReached);
  double rate = kGeneration4;
  if (is_one_of(device.family, {"pascal", "volta", "turing"}))
    rate /= 2.0;
  else if (is_one_of(device.family, {"hopper", "blackwell", "blackwell-rtx", "cdna3", "cdna4"}))
    rate *= 2.0;
  return BytesPerSecond(rate * kReached);
}

Seconds host_update_time(std::int64_t parameters, int bytes_each, int ranks, bool overlaps, const NodeGroup& node) {
  const auto count = static_cast<double>(parameters);
  const Seconds message = Bytes(count * bytes_each) / host_link_rate(node.accelerator);
  const Seconds update(count * ranks / kUpdatedPerSecond);
  return update + (overlaps ? message : message * 2.0);
}

}  // namespace trainwright::model
