// SPDX-License-Identifier: Apache-2.0
#include "executor/backend/gloo_reduce_scatter.hpp"

#include <gloo/context.h>
#include <gloo/transport/unbound_buffer.h>
#include <gloo/types.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace trainwright::executor {
namespace {

constexpr std::uint8_t kSlotPrefix = 0x41;                     // Gloo's own go up to 0x08
constexpr std::size_t kSegment = (1U << 20U) / sizeof(float);  // as Gloo's all-reduce: fits a level-2 cache
constexpr int kSendsInFlight = 2;                              // as Gloo's all-reduce

}  // namespace

// In round s the member r sends block r-1-s to its right neighbour and adds what arrives from the left to block r-2-s;
// after n-1 rounds block r is complete. Rounds are cut in segments, and the next segment is received while one is
// added.
void ring_reduce_scatter(gloo::Context& context, std::span<float> data, std::size_t block, std::uint32_t tag,
                         std::vector<float>& scratch) {
  const int size = context.size;
  const int rank = context.rank;
  if (size == 1 || block == 0)
    return;
  const std::size_t segment = std::min(block, kSegment);
  const std::size_t segments = (block + segment - 1) / segment;
  const std::size_t pieces = segments * static_cast<std::size_t>(size - 1);
  scratch.resize(std::max(scratch.size(), 2 * segment));
  const std::array<std::unique_ptr<gloo::transport::UnboundBuffer>, 2> arriving{
      context.createUnboundBuffer(scratch.data(), segment * sizeof(float)),
      context.createUnboundBuffer(scratch.data() + segment, segment * sizeof(float))};
  const auto leaving = context.createUnboundBuffer(data.data(), data.size_bytes());
  const std::uint64_t slot = gloo::Slot::build(kSlotPrefix, tag);
  const int right = (rank + 1) % size;
  const int left = (rank + size - 1) % size;
  const auto timeout = context.getTimeout();

  struct Piece {
    std::size_t send_offset;  // elements
    std::size_t add_offset;
    std::size_t count;
  };
  const auto piece = [&](std::size_t i) {
    const int round = static_cast<int>(i / segments);
    const std::size_t begin = (i % segments) * segment;
    const auto block_of = [&](int distance) {
      return static_cast<std::size_t>((rank - distance - round + 2 * size) % size);
    };
    return Piece{block_of(1) * block + begin, block_of(2) * block + begin, std::min(segment, block - begin)};
  };
  const auto check = [](bool completed) {
    if (!completed)
      throw std::runtime_error("aborted");
  };

  arriving[0]->recv(left, slot, 0, piece(0).count * sizeof(float));
  int in_flight = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const Piece now = piece(i);
    if (in_flight == kSendsInFlight) {
      check(leaving->waitSend(timeout));
      --in_flight;
    }
    leaving->send(right, slot, now.send_offset * sizeof(float), now.count * sizeof(float));
    ++in_flight;
    if (i + 1 < pieces)
      arriving[(i + 1) % 2]->recv(left, slot, 0, piece(i + 1).count * sizeof(float));
    check(arriving[i % 2]->waitRecv(timeout));
    const float* const from = scratch.data() + (i % 2) * segment;
    float* const to = data.data() + now.add_offset;
    for (std::size_t j = 0; j < now.count; ++j)
      to[j] += from[j];
  }
  for (; in_flight > 0; --in_flight)
    check(leaving->waitSend(timeout));
}

}  // namespace trainwright::executor
