// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/gloo_communication.hpp"

#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "executor/backend/gloo_backend.hpp"
#include "executor/rendezvous/job_secret.hpp"
#include "executor/rendezvous/store_server.hpp"

namespace trainwright::executor {

void with_gloo(RankContext& context, const std::function<void(Communicator&)>& body) {
  // The store runs in a thread of rank 0 rather than of the parent, which must have no thread while it forks.
  std::optional<StoreServer> store;
  std::string rendezvous;
  if (context.rank() == 0) {
    const std::string secret = make_job_secret();
    store.emplace(Endpoint{}, secret);
    rendezvous = secret + to_text(store->endpoint());
  }
  rendezvous = context.text_from_first(rendezvous);
  BackendOptions options;
  options.secret = rendezvous.substr(0, kSecretSize);
  options.rendezvous = endpoint_from_text(rendezvous.substr(kSecretSize));
  {
    const std::unique_ptr<Backend> backend = make_gloo_backend(options);
    if (context.rank() == 0)
      for (const auto& [library, version] : backend->capabilities().versions)
        context.report(Record(VersionRecord{FixedText<48>(library), FixedText<96>(version)}));
    GroupOptions group;
    group.name = "measure";
    for (int rank = 0; rank < context.ranks(); ++rank)
      group.members.emplace_back(rank);
    group.own_index = context.rank();
    const std::unique_ptr<Communicator> communicator = backend->join(group);
    body(*communicator);
    // Nobody closes its connections while another still uses them.
    context.wait_for_all();
  }
  context.wait_for_all();
}

}  // namespace trainwright::executor
