// SPDX-License-Identifier: Apache-2.0
#include "model/io/importers/gpu_catalog.hpp"

#include <algorithm>
#include <array>

namespace trainwright::model {
namespace {

struct PciDevice {
  std::string_view vendor;
  std::string_view device;
  std::string_view accelerator;
};

constexpr std::string_view kNvidia = "0x10de";
constexpr std::array<PciDevice, 34> kDevices{{
    {kNvidia, "0x15f8", "p100-pcie-16gb"},
    {kNvidia, "0x15f9", "p100-sxm2-16gb"},
    {kNvidia, "0x1db1", "v100-sxm2-16gb"},
    {kNvidia, "0x1db4", "v100-pcie-16gb"},
    {kNvidia, "0x1db5", "v100-sxm2-32gb"},
    {kNvidia, "0x1db6", "v100-pcie-32gb"},
    {kNvidia, "0x1db8", "v100-sxm3-32gb"},
    {kNvidia, "0x1eb8", "t4"},
    {kNvidia, "0x20b0", "a100-sxm-40gb"},
    {kNvidia, "0x20b2", "a100-sxm-80gb"},
    {kNvidia, "0x20b5", "a100-pcie-80gb"},
    {kNvidia, "0x20b7", "a30"},
    {kNvidia, "0x20f1", "a100-pcie-40gb"},
    {kNvidia, "0x20f3", "a800-sxm-80gb"},
    {kNvidia, "0x2204", "rtx-3090"},
    {kNvidia, "0x2230", "rtx-a6000"},
    {kNvidia, "0x2235", "a40"},
    {kNvidia, "0x2236", "a10"},
    {kNvidia, "0x2237", "a10g"},
    {kNvidia, "0x2321", "h100-nvl"},
    {kNvidia, "0x2324", "h800-sxm"},
    {kNvidia, "0x2330", "h100-sxm"},
    {kNvidia, "0x2331", "h100-pcie"},
    {kNvidia, "0x2335", "h200-sxm"},
    {kNvidia, "0x2342", "gh200-96gb"},
    {kNvidia, "0x2684", "rtx-4090"},
    {kNvidia, "0x26b1", "rtx-6000-ada"},
    {kNvidia, "0x26b5", "l40"},
    {kNvidia, "0x26b9", "l40s"},
    {kNvidia, "0x27b8", "l4"},
    {kNvidia, "0x2901", "b200"},
    {kNvidia, "0x2941", "gb200"},
    {kNvidia, "0x2b85", "rtx-5090"},
    {"0x1002", "0x74a1", "mi300x"},
}};

constexpr double kGiga = 1e9;

}  // namespace

std::optional<std::string> accelerator_of_pci_device(std::string_view vendor, std::string_view device) {
  for (const PciDevice& known : kDevices)
    if (known.vendor == vendor && known.device == device)
      return std::string(known.accelerator);
  return std::nullopt;
}

std::optional<BytesPerSecond> nvlink_rate(int sm) {
  switch (sm) {
    case 60:
      return BytesPerSecond(20 * kGiga);
    case 70:
    case 75:
    case 80:
    case 90:
      return BytesPerSecond(25 * kGiga);
    case 86:
      return BytesPerSecond(14.0625 * kGiga);
    case 100:
    case 103:
      return BytesPerSecond(50 * kGiga);
    default:
      return std::nullopt;
  }
}

std::optional<BytesPerSecond> nvlink_rate(const Accelerator& accelerator) {
  constexpr std::array<std::pair<std::string_view, int>, 8> kSmOfFamily{{{"pascal", 60},
                                                                         {"volta", 70},
                                                                         {"turing", 75},
                                                                         {"ampere", 80},
                                                                         {"ampere-rtx", 86},
                                                                         {"hopper", 90},
                                                                         {"blackwell", 100},
                                                                         {"blackwell-ultra", 103}}};
  for (const auto& [family, sm] : kSmOfFamily)
    if (family == accelerator.family)
      return nvlink_rate(sm);
  return std::nullopt;
}

std::optional<NodeLink> board_link(const Accelerator& accelerator) {
  struct Board {
    std::string_view id;
    LinkKind kind;
    double gigabytes;
  };
  constexpr std::array<Board, 12> kBoards{{{"p100-sxm2-16gb", LinkKind::nvlink_mesh, 80},
                                           {"v100-sxm2-16gb", LinkKind::nvlink_mesh, 150},
                                           {"v100-sxm2-32gb", LinkKind::nvlink_mesh, 150},
                                           {"v100-sxm3-32gb", LinkKind::nvlink_switch, 150},
                                           {"a100-sxm-40gb", LinkKind::nvlink_switch, 300},
                                           {"a100-sxm-80gb", LinkKind::nvlink_switch, 300},
                                           {"a800-sxm-80gb", LinkKind::nvlink_switch, 200},
                                           {"h100-sxm", LinkKind::nvlink_switch, 450},
                                           {"h800-sxm", LinkKind::nvlink_switch, 200},
                                           {"h200-sxm", LinkKind::nvlink_switch, 450},
                                           {"b200", LinkKind::nvlink_switch, 900},
                                           {"b300", LinkKind::nvlink_switch, 900}}};
  for (const Board& board : kBoards)
    if (board.id == accelerator.id)
      return NodeLink{board.kind, BytesPerSecond(board.gigabytes * kGiga)};
  return std::nullopt;
}

std::optional<BytesPerSecond> card_slot(const Accelerator& accelerator) {
  // 8, 16, 32 GT/s x 16 lanes x 128/130 / 8 bits.
  constexpr std::array<std::pair<std::string_view, double>, 11> kTransfers{{{"kepler", 8},
                                                                            {"pascal", 8},
                                                                            {"volta", 8},
                                                                            {"turing", 8},
                                                                            {"ampere", 16},
                                                                            {"ampere-rtx", 16},
                                                                            {"ada", 16},
                                                                            {"hopper", 32},
                                                                            {"blackwell", 32},
                                                                            {"blackwell-ultra", 32},
                                                                            {"blackwell-rtx", 32}}};
  for (const auto& [family, transfers] : kTransfers)
    if (family == accelerator.family)
      return BytesPerSecond(transfers * kGiga * 16.0 * 128.0 / 130.0 / 8.0);
  return std::nullopt;
}

}  // namespace trainwright::model
