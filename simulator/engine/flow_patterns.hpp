// What each distinct communication takes when all its siblings do it at once: the flows of every group over the full
// topology, simulated once per distinct pattern.
//
// Groups that share a link (directly or through others) form a component; components do not influence each other. Two
// components with the same flows over the same arrangement of links, up to names, take the same time; and if all bytes
// grow by a factor, so does the time of the flows. So a job of 16,384 ranks needs a handful of small simulations.
//
// Taken as given: groups that are alike for one size of a collective are alike for all sizes, since latency and flows
// depend on the group's place in the cluster (model::GroupShape) and the size only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/hardware/topology.hpp"
#include "simulator/engine/comm_catalog.hpp"

namespace trainwright::simulator {

/// Flows that start together on an otherwise empty platform.
struct FlowScene {
  struct Flow {
    model::DeviceId from = model::DeviceId(0);
    model::DeviceId to = model::DeviceId(0);
    double bytes = 0.0;
    int slot = 0;  ///< group it belongs to, within the scene
  };
  std::vector<Flow> flows;
  std::vector<double> slot_seconds;  ///< end of the last flow of each slot: filled by the engine
};

class FlowPatterns {
 public:
  /// `wanted`: by catalog index, which works are needed.
  FlowPatterns(const Scene& scene, const CommCatalog& catalog, const model::Topology& topology,
               const std::vector<bool>& wanted);

  [[nodiscard]] std::vector<FlowScene>& scenes() { return scenes_; }
  /// Latency and flows of a group; the scenes must have been simulated.
  [[nodiscard]] model::Seconds seconds(int work, int group) const;

 private:
  struct Place {
    int component = 0;  // class of equal components
    int slot = 0;
  };
  struct Structure {
    std::vector<Place> place_of_group;
    std::vector<std::vector<int>> example;  // groups of one component of each class
  };
  struct Timing {
    double latency = 0.0;
    double scale = 0.0;
    int scene = -1;  // -1: no flows
  };

  const Structure& structure_of(const CommWork& work);
  void add_work(int index);
  static std::string key_of(const std::vector<FlowScene::Flow>& flows, const std::vector<double>& latencies,
                            const model::Topology& topology, bool with_latency);

  const Scene& scene_;
  const CommCatalog& catalog_;
  const model::Topology& topology_;
  std::map<std::pair<int, int>, Structure> structures_;    // by siblings, collective kind (-1: message)
  std::vector<std::vector<std::vector<Timing>>> timings_;  // by work, component class, slot
  std::map<std::string, int> scene_of_key_;
  std::vector<FlowScene> scenes_;
};

}  // namespace trainwright::simulator
