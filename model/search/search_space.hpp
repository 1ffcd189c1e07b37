// The layouts that a search goes through: for each field the values to try, and how they depend on each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "model/plan/plan.hpp"

namespace trainwright::model {

/// Values by field. Empty lists of degrees: every divisor that can matter. docs/models/search.md names the defaults.
struct SearchSpace {
  std::vector<int> devices;                  ///< cluster sizes; at least one
  std::vector<std::int64_t> global_batches;  ///< at least one
  std::vector<int> tp;
  std::vector<int> pp;
  std::vector<int> cp;
  std::vector<int> ep;
  std::vector<int> etp;
  std::vector<int> dp;   ///< keeps those alone
  std::vector<int> vpp;  ///< of the interleaved schedule
  std::vector<std::int64_t> micro_batch;
  std::vector<bool> sequence_parallel = {false, true};
  std::vector<Recompute> recompute = {Recompute::none, Recompute::selective, Recompute::full};
  std::vector<ContextKind> cp_kind = {ContextKind::ring, ContextKind::ulysses};
  std::vector<PipelineSchedule> schedule = {PipelineSchedule::one_f_one_b, PipelineSchedule::gpipe,
                                            PipelineSchedule::interleaved, PipelineSchedule::zero_bubble_h1,
                                            PipelineSchedule::dual_pipe};
  std::vector<int> zero = {0, 1, 2, 3};
  std::vector<int> zero_group;  ///< empty: all data-parallel ranks, and those of one node
  std::vector<ByteCount> bucket = {ByteCount(25L << 20), ByteCount(100L << 20), ByteCount(400L << 20)};
  std::vector<bool> overlap_gradients = {true, false};
  std::vector<bool> overlap_parameters = {true, false};
  std::vector<bool> reshard_after_forward = {true, false};
  std::vector<int> gathers_in_flight = {2, 4};
};

/// What every item of the search shares: degrees of which none depends on the others.
struct SearchItem {
  int devices = 1;
  std::int64_t global_batch = 1;
  int tp = 1;
  int cp = 1;
  int ep = 1;
  int etp = 1;
};

/// The job on a cluster of so many devices; nodes are added where it has fewer.
[[nodiscard]] Plan plan_of_size(const Plan& base, int devices, std::int64_t global_batch);

/// All items, the most promising first: tensor groups that fill a node, little context and expert parallelism.
[[nodiscard]] std::vector<SearchItem> search_items(const SearchSpace& space, const Plan& base);

/// Pipelines of an item: layouts with every degree set.
[[nodiscard]] std::vector<Layout> item_grids(const SearchSpace& space, const SearchItem& item, const Plan& base);

/// How layers are dealt out and in which order passes run.
struct Chunking {
  int vpp = 1;
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
};
[[nodiscard]] std::vector<Chunking> chunkings(const SearchSpace& space, const Layout& grid, const Plan& base);

/// How a micro-batch is worked through.
struct PassChoice {
  bool sequence_parallel = false;
  Recompute recompute = Recompute::none;
  ContextKind cp_kind = ContextKind::ring;
};
[[nodiscard]] std::vector<PassChoice> pass_choices(const SearchSpace& space, const Layout& grid, const Plan& base);
/// Ascending.
[[nodiscard]] std::vector<std::int64_t> micro_batch_choices(const SearchSpace& space, const Layout& grid,
                                                            std::int64_t global_batch);
/// `grid` with every way to keep its data-parallel copies equal, by level of sharding. Fields that change nothing keep
/// their default.
[[nodiscard]] std::vector<Layout> sharded(const SearchSpace& space, const Layout& grid, const Plan& base);

}  // namespace trainwright::model
