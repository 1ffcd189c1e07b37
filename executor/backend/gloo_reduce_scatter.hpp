// Ring reduce-scatter on Gloo's messages; see gloo_backend.hpp for why Gloo's own is not used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gloo {
class Context;
}

namespace trainwright::executor {

/// Adds up `data` (one block of `block` floats per member) over the members; afterwards the own block holds the sum,
/// the others are undefined. `scratch` is grown as needed and may be reused. Throws what Gloo throws.
void ring_reduce_scatter(gloo::Context& context, std::span<float> data, std::size_t block, std::uint32_t tag,
                         std::vector<float>& scratch);

}  // namespace trainwright::executor
