// From what a user types (id or path) to a model or a cluster, and from a cluster to the constants shipped for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "model/base/diagnostic.hpp"
#include "model/cost/cost_constants.hpp"
#include "model/hardware/cluster.hpp"
#include "model/io/profile_library.hpp"
#include "model/workload/model_description.hpp"
#include "model/workload/operator_network.hpp"
#include "model/workload/software_stack.hpp"

namespace trainwright::model {

/// A profile id, a trainwright/model/v1 file, or a Hugging Face config.json (known by its "model_type" or
/// "architectures" and the lack of "format"). Text with a slash or the ending .json is a path; else an id is looked up
/// first, then a file of that name. Empty when there is none or it has errors; `diagnostics` says all.
[[nodiscard]] std::optional<Model> load_model(const std::string& id_or_path, Diagnostics& diagnostics);

/// A profile id or a trainwright/network/v1 file, told apart as above.
[[nodiscard]] std::optional<OperatorNetwork> load_network(const std::string& id_or_path, Diagnostics& diagnostics);

/// A profile id, "local" (this machine's cores), or a trainwright/cluster/v1 file, told apart as above. Throws
/// EnvironmentError when "local" cannot be found out.
[[nodiscard]] std::optional<Cluster> load_cluster(const std::string& id_or_path, Diagnostics& diagnostics);

/// Ids that load_cluster knows: the profiles and "local".
[[nodiscard]] std::vector<std::string> cluster_ids();

/// Fits to whole steps start from constants without an earlier such fit.
enum class StepConstants { shipped, left_out };

/// Built-in defaults, overlaid by the profiles of the first group's accelerator: its family ("hopper"), the kernels of
/// the family and of the card ("kernels-hopper", "kernels-h200-sxm"), its link ("link-pcie-l40s", else "link-pcie-ada",
/// else "link-pcie"), its network ("network-ethernet-tcp"), and what whole steps tell about the family ("steps-hopper")
/// and about it with software of one generation ("steps-hopper-2023"), where there are such. The origin names each.
[[nodiscard]] CostConstants shipped_constants(const Cluster& cluster,
                                              SoftwareGeneration software = SoftwareGeneration::current,
                                              StepConstants steps = StepConstants::shipped);

}  // namespace trainwright::model
