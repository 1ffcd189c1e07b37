// SPDX-License-Identifier: Apache-2.0
#include "model/hardware/bisection.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <vector>

namespace trainwright::model {

BytesPerSecond bisection_bandwidth(const Topology& topology, const Cluster& cluster) {
  const int half = node_count(cluster) / 2;
  if (half == 0)
    return BytesPerSecond::zero();
  // Bidirectional, since the edge iterator of a directed one makes g++ 12 warn of uninitialized values.
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::bidirectionalS>;
  struct Pipe {
    double capacity = 0.0;
    double residual = 0.0;
    Traits::edge_descriptor reverse;
  };
  boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, Pipe> net(
      topology.vertex_count() + 2);
  const auto add_pipe = [&](std::size_t from, std::size_t to, double capacity) {
    const auto forward = boost::add_edge(from, to, Pipe{capacity, 0.0, {}}, net).first;
    const auto back = boost::add_edge(to, from, Pipe{}, net).first;
    net[forward].reverse = back;
    net[back].reverse = forward;
  };
  double total = 0.0;
  for (std::size_t l = 0; l < topology.link_count(); ++l) {
    const TopologyLink& link = topology.link(LinkId(l));
    total += link.bandwidth.count();
    if (link.from != link.to)
      add_pipe(link.from.index(), link.to.index(), link.bandwidth.count());
  }
  const std::size_t source = topology.vertex_count();
  const std::size_t sink = source + 1;
  for (int d = 0; d < device_count(cluster); ++d) {
    const int node = node_of(cluster, DeviceId(d)).value();
    const std::size_t device = topology.vertex(DeviceId(d)).index();
    if (node < half)
      add_pipe(source, device, total);
    else if (node < 2 * half)
      add_pipe(device, sink, total);
  }
  std::vector<boost::default_color_type> color(boost::num_vertices(net));
  std::vector<long> distance(boost::num_vertices(net));
  std::vector<Traits::edge_descriptor> predecessor(boost::num_vertices(net));
  const auto index = boost::get(boost::vertex_index, net);
  const double flow = boost::boykov_kolmogorov_max_flow(
      net, boost::get(&Pipe::capacity, net), boost::get(&Pipe::residual, net), boost::get(&Pipe::reverse, net),
      boost::make_iterator_property_map(predecessor.begin(), index),
      boost::make_iterator_property_map(color.begin(), index),
      boost::make_iterator_property_map(distance.begin(), index), index, source, sink);
  return BytesPerSecond(flow);
}

}  // namespace trainwright::model
