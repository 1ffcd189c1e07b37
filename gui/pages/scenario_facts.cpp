// SPDX-License-Identifier: Apache-2.0
#include "gui/pages/scenario_facts.hpp"

#include <QStringList>
#include <algorithm>

#include "gui/format/text.hpp"
#include "model/plan/placement.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::gui {
namespace {

using namespace Qt::Literals::StringLiterals;

struct Facts {
  Q_DECLARE_TR_FUNCTIONS(ScenarioFacts)
};

const QString kSeparator = u" · "_s;

}  // namespace

QString modelFacts(const model::Model& model, const DisplayFormat& format) {
  const model::ParameterCount count = model::parameter_count(model);
  QStringList facts;
  facts << (count.active < count.total ? Facts::tr("%1 parameters, %2 active")
                                             .arg(format.parameters(count.total), format.parameters(count.active))
                                       : Facts::tr("%1 parameters").arg(format.parameters(count.total)));
  facts << Facts::tr("%n layers", nullptr, model::layer_count(model));
  facts << Facts::tr("hidden %1").arg(format.integer(model.hidden));
  if (!model.layers.empty()) {
    const model::AttentionShape& attention = model.layers.back().layer.attention;
    facts << Facts::tr("%1 heads, %2 for keys and values")
                 .arg(format.integer(attention.heads), format.integer(attention.kv_heads));
  }
  facts << Facts::tr("vocabulary %1").arg(format.integer(model.vocab));
  return facts.join(kSeparator);
}

QString clusterFacts(const model::Cluster& cluster, const DisplayFormat& format) {
  QStringList facts;
  facts << Facts::tr("%n nodes", nullptr, model::node_count(cluster));
  if (!cluster.groups.empty()) {
    const model::NodeGroup& group = cluster.groups.front();
    facts << Facts::tr("%1 x %2 (%3) a node")
                 .arg(format.integer(group.devices_per_node), toQString(group.accelerator.name),
                      format.bytes(group.accelerator.memory));
    if (group.link)
      facts << Facts::tr("inside the node %1 each way").arg(format.bandwidth(group.link->bandwidth));
    if (group.network)
      facts << Facts::tr("network %1 x %2")
                   .arg(format.integer(group.network->adapters), format.bandwidth(group.network->rate));
  }
  return facts.join(kSeparator);
}

int usedNodes(const model::Plan& plan) {
  const model::Placement placement(plan.layout, plan.cluster);
  int used = 0;
  // Ranks fill devices in order; only where they share cores do they start again at the first node.
  for (int rank = 0; rank < placement.world_size(); ++rank)
    used = std::max(used, model::node_of(plan.cluster, placement.device(model::RankId(rank))).value() + 1);
  return used;
}

QString scenarioLine(const model::Plan& plan, const DisplayFormat& format) {
  QStringList parts;
  parts << toQString(plan.model.name.empty() ? plan.model.id : plan.model.name);
  parts << u"%1 × %2"_s.arg(format.integer(usedNodes(plan)),
                            toQString(plan.cluster.name.empty() ? plan.cluster.id : plan.cluster.name));
  parts << Facts::tr("%n GPUs", nullptr, model::world_size(plan.layout));
  QString degrees = u"TP%1 PP%2 DP%3"_s.arg(plan.layout.tp).arg(plan.layout.pp).arg(plan.layout.dp);
  if (plan.layout.cp > 1)
    degrees += u" CP%1"_s.arg(plan.layout.cp);
  if (plan.layout.ep > 1)
    degrees += u" EP%1"_s.arg(plan.layout.ep);
  if (plan.layout.zero > 0)
    degrees += u" ZeRO%1"_s.arg(plan.layout.zero);
  parts << degrees;
  return parts.join(kSeparator);
}

}  // namespace trainwright::gui
