// Single kernels and collectives of the tables as points with a prediction, gathered into sets that share constants:
// one device and number format, one device's attention, one class of link.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/collective/collective_cost.hpp"
#include "model/cost/cost_constants.hpp"
#include "model/hardware/cluster.hpp"
#include "model/validation/statistics.hpp"
#include "model/validation/table.hpp"

namespace trainwright::model::validation {

struct KernelPoint {
  RowId id;
  std::string group;      ///< "b200 bf16", for the report
  std::string fold;       ///< what is left out together: a shape, a curve
  double size = 0.0;      ///< order along which points are spread when few are measured: flops or bytes
  double measured_s = 0;  ///< > 0
  std::function<double(const CostConstants&)> predict_s;
};

struct KernelSet {
  enum class Kind { gemm, attention, collective };
  Kind kind = Kind::gemm;
  std::string name;                       ///< "h100-sxm bf16", "link nvlink-switch-hopper"
  std::string family;                     ///< of the accelerator: sets of one family are siblings
  std::vector<std::string> cards;         ///< accelerator ids
  std::string link;                       ///< collectives: word of the link kind
  Precision precision = Precision::bf16;  ///< GEMM
  CostConstants shipped;                  ///< of the first card, step rates off
  std::vector<std::string> parameters;    ///< names of the constants that the set can tell
  std::vector<KernelPoint> points;
};

/// Time of the product as the tables measured it: alone, and with the quantisation of the activation as a kernel
/// before.
[[nodiscard]] double predicted_s(const GemmRow& row, const Accelerator& device, const CostConstants& constants);

/// Time of the prefill kernel, which writes keys and values to a cache besides.
[[nodiscard]] double predicted_s(const AttentionRow& row, const Accelerator& device, const CostConstants& constants);

/// Where a collective of a table ran, from its words for device, link and network.
struct CollectivePlace {
  Cluster cluster;
  GroupShape shape;
  CollectiveKind kind = CollectiveKind::all_reduce;
  bool healthy = true;  ///< the notes do not say that the network is sick
};
/// Empty, with the reason in `problem`, when the row does not say enough.
[[nodiscard]] std::optional<CollectivePlace> place_of(const CollectiveRow& row, std::string& problem);
[[nodiscard]] double predicted_s(const CollectiveRow& row, const CollectivePlace& place,
                                 const CostConstants& constants);

/// All points of a table of kernels or collectives, by set; rows that no set can hold go to `skipped` with the reason.
/// Empty for tables of steps.
[[nodiscard]] std::vector<KernelSet> kernel_sets(const Table& table, std::vector<RowResult>& skipped);

}  // namespace trainwright::model::validation
