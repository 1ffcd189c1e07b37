// SPDX-License-Identifier: Apache-2.0
#include "executor/kernels/machine_memory.hpp"

#include <charconv>
#include <fstream>
#include <string>
#include <string_view>

namespace trainwright::executor {
namespace {

std::optional<model::ByteCount> meminfo(std::string_view key) {
  std::ifstream file("/proc/meminfo");
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(key) || line.size() <= key.size() || line[key.size()] != ':')
      continue;
    const std::size_t digits = line.find_first_of("0123456789", key.size());
    if (digits == std::string::npos)
      return std::nullopt;
    std::int64_t kibibytes = 0;
    const auto [end, error] = std::from_chars(line.data() + digits, line.data() + line.size(), kibibytes);
    if (error != std::errc())
      return std::nullopt;
    return model::ByteCount(kibibytes * 1024);
  }
  return std::nullopt;
}

}  // namespace

std::optional<model::ByteCount> total_memory() {
  return meminfo("MemTotal");
}

std::optional<model::ByteCount> available_memory() {
  return meminfo("MemAvailable");
}

}  // namespace trainwright::executor
