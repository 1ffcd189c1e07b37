// How copies of tokens reach the ranks of their experts: NCCL's all-to-all, or a library that writes to the peers
// itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace trainwright::model {

enum class ExpertDispatch { all_to_all, peer_writes };

/// Within one node the library was slower than the plain exchange; it is advised above eight ranks over nodes
/// (Megatron-LM issue 1456, DeepEP issue 59). `ep` ranks, `devices_per_node` of them on a node.
[[nodiscard]] constexpr ExpertDispatch preferred_dispatch(int ep, int devices_per_node) {
  constexpr int kSmall = 8;
  return ep <= kSmall || ep <= devices_per_node ? ExpertDispatch::all_to_all : ExpertDispatch::peer_writes;
}

}  // namespace trainwright::model
