// SPDX-License-Identifier: Apache-2.0
#include "executor/verify/pattern.hpp"

#include "model/base/contract.hpp"
#include "model/units/format.hpp"

namespace trainwright::executor {
namespace {

using model::CollectiveKind;

// Compares data[begin, end) with expected(i), i counted from `begin`.
template <class Expected>
std::optional<std::string> compare(std::span<const float> data, std::size_t begin, std::size_t end, Expected expected) {
  for (std::size_t i = begin; i < end; ++i) {
    const float value = expected(i - begin);
    if (data[i] != value)
      return "element " + std::to_string(i) + " is " + model::format_number(static_cast<double>(data[i])) +
             ", expected " + model::format_number(static_cast<double>(value));
  }
  return std::nullopt;
}

}  // namespace

float pattern_value(int index, std::uint32_t salt, std::size_t i) {
  // Odd factors: neighbouring members, operations and positions differ. The higher digits of the position count too,
  // since segments that could be swapped start at powers of two. 10 bits keep the sums of 16,384 members exact.
  const std::size_t place = i * 31U + (i >> 10U) * 7U + (i >> 20U) * 5U;
  const std::uint32_t mixed =
      static_cast<std::uint32_t>(place) + static_cast<std::uint32_t>(index) * 157U + salt * 419U;
  return static_cast<float>(mixed & 1023U);
}

void fill(std::span<float> data, int index, std::uint32_t salt) {
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = pattern_value(index, salt, i);
}

std::optional<std::string> check_collective(CollectiveKind kind, std::span<const float> data, const PatternKey& key) {
  TRAINWRIGHT_EXPECTS(key.members >= 1 && key.members <= 16384, std::to_string(key.members));
  const std::size_t block = data.size() / static_cast<std::size_t>(key.members);
  const auto own = static_cast<std::size_t>(key.own_index);
  const auto sum_at = [&](std::size_t i) {
    float sum = 0.0F;
    for (int member = 0; member < key.members; ++member)
      sum += pattern_value(member, key.salt, i);
    return sum;
  };
  switch (kind) {
    case CollectiveKind::all_reduce:
      return compare(data, 0, data.size(), sum_at);
    case CollectiveKind::reduce:
      return key.own_index == 0 ? compare(data, 0, data.size(), sum_at) : std::nullopt;
    case CollectiveKind::reduce_scatter:
      return compare(data, own * block, (own + 1) * block, [&](std::size_t i) { return sum_at(own * block + i); });
    case CollectiveKind::broadcast:
      return compare(data, 0, data.size(), [&](std::size_t i) { return pattern_value(0, key.salt, i); });
    case CollectiveKind::all_gather:
    case CollectiveKind::all_to_all:
      for (int member = 0; member < key.members; ++member) {
        const auto from = static_cast<std::size_t>(member);
        const std::size_t source = kind == CollectiveKind::all_gather ? from * block : own * block;
        auto problem = compare(data, from * block, (from + 1) * block,
                               [&](std::size_t i) { return pattern_value(member, key.salt, source + i); });
        if (problem)
          return problem;
      }
      return std::nullopt;
    case CollectiveKind::ring_shift:
      return check_message(data, (key.own_index + key.members - 1) % key.members, key.salt);
  }
  return "unknown collective";
}

std::optional<std::string> check_message(std::span<const float> data, int sender, std::uint32_t salt) {
  return compare(data, 0, data.size(), [&](std::size_t i) { return pattern_value(sender, salt, i); });
}

}  // namespace trainwright::executor
