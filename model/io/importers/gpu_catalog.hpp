// What importers know about GPUs that a topology only names by number: PCI device ids, NVLink rates, PCI Express
// generations. Each with its source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/hardware/accelerator.hpp"
#include "model/hardware/cluster.hpp"

namespace trainwright::model {

/// Profile id of the accelerator with this PCI vendor and device ("0x10de", "0x2330"); empty when it is not listed.
/// Source: the PCI ID repository, https://pci-ids.ucw.cz/.
[[nodiscard]] std::optional<std::string> accelerator_of_pci_device(std::string_view vendor, std::string_view device);

/// One NVLink of a GPU of this compute capability (x 10), per direction; empty where such GPUs have none.
/// Source: architecture whitepapers of Pascal to Blackwell; 8.6: the 112.5 GB/s of a four-link bridge.
[[nodiscard]] std::optional<BytesPerSecond> nvlink_rate(int sm);
/// The same for an accelerator profile's family; families whose cards have no NVLink yield nothing.
[[nodiscard]] std::optional<BytesPerSecond> nvlink_rate(const Accelerator& accelerator);

/// The link between devices that the board of this accelerator has by its data sheet (SXM modules); empty for cards.
[[nodiscard]] std::optional<NodeLink> board_link(const Accelerator& accelerator);

/// PCI Express with 16 lanes, per direction, of the generation that the family's data sheets state.
[[nodiscard]] std::optional<BytesPerSecond> card_slot(const Accelerator& accelerator);

}  // namespace trainwright::model
