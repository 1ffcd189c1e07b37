// SPDX-License-Identifier: Apache-2.0
#include "model/search/layout_search.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "model/base/contract.hpp"
#include "model/search/item_search.hpp"

namespace trainwright::model {
namespace {

// The first rounds are short, so that a good plan is known early; later ones keep many cores busy.
constexpr std::size_t kShortestRound = 2;
constexpr std::size_t kLongestRound = 64;

std::size_t round_size(std::size_t done) {
  return std::clamp(done, kShortestRound, kLongestRound);
}

// The evaluators of one thread, one for each size and batch.
class Evaluators {
 public:
  explicit Evaluators(const Plan& base) : base_(&base) {}
  PlanEvaluator& of(const SearchItem& item) {
    std::unique_ptr<PlanEvaluator>& evaluator = by_size_[{item.devices, item.global_batch}];
    if (!evaluator)
      evaluator = std::make_unique<PlanEvaluator>(plan_of_size(*base_, item.devices, item.global_batch));
    return *evaluator;
  }

 private:
  const Plan* base_;
  std::map<std::pair<int, std::int64_t>, std::unique_ptr<PlanEvaluator>> by_size_;
};

}  // namespace

LayoutSearch::LayoutSearch(SearchRequest request) : request_(std::move(request)) {
  TRAINWRIGHT_EXPECTS(
      !request_.space.devices.empty() && !request_.space.global_batches.empty() && request_.goal.top > 0,
      "a search needs cluster sizes, batches and a number of plans");
  items_ = search_items(request_.space, request_.base);
}

void LayoutSearch::advance(int threads, std::stop_token stop, const std::function<void(double)>& progress) {
  const std::size_t workers =
      threads > 0 ? static_cast<std::size_t>(threads) : std::max(1U, std::thread::hardware_concurrency());
  std::vector<Evaluators> evaluators;
  for (std::size_t w = 0; w < workers; ++w)
    evaluators.emplace_back(request_.base);
  std::mutex telling;
  std::atomic<std::size_t> done{next_ +
                                static_cast<std::size_t>(std::count_if(round_.begin(), round_.end(),
                                                                       [](const auto& r) { return r.has_value(); }))};
  while (!is_complete() && !stop.stop_requested()) {
    const std::size_t begin = next_;
    const std::size_t end = std::min(items_.size(), begin + round_size(begin));
    round_.resize(end - begin);
    std::atomic<std::size_t> next{begin};
    const double bound = found_.bound(request_.goal.top);
    const auto work = [&](Evaluators& own) {
      for (std::size_t i = next++; i < end && !stop.stop_requested(); i = next++) {
        if (round_[i - begin])
          continue;
        round_[i - begin] =
            search_item({request_.space, request_.goal, items_[i], i, bound, found_}, own.of(items_[i]), stop);
        const std::size_t so_far = ++done;
        if (progress) {
          const std::lock_guard lock(telling);
          progress(static_cast<double>(so_far) / static_cast<double>(items_.size()));
        }
      }
    };
    {
      std::vector<std::jthread> others;
      for (std::size_t w = 1; w < std::min(workers, end - begin); ++w)
        others.emplace_back([&, w] { work(evaluators[w]); });
      work(evaluators.front());
    }
    if (!std::all_of(round_.begin(), round_.end(), [](const auto& result) { return result.has_value(); }))
      return;
    for (const std::optional<SearchFindings>& result : round_)
      found_.merge(*result, request_.goal.top);
    round_.clear();
    next_ = end;
  }
}

SearchFindings LayoutSearch::findings() const {
  SearchFindings found = found_;
  for (const std::optional<SearchFindings>& result : round_)
    if (result)
      found.merge(*result, request_.goal.top);
  find_nearest(found);
  return found;
}

Plan LayoutSearch::plan_of(const FoundPlan& found) const {
  Plan plan = plan_of_size(request_.base, found.figures.devices, found.figures.global_batch);
  plan.layout = found.layout;
  return plan;
}

PlanChoices choices_of(const FoundPlan& found, PlanChoices job) {
  const Layout& layout = found.layout;
  job.gpus = found.figures.devices;
  job.global_batch = found.figures.global_batch;
  job.dp = layout.dp;
  job.tp = layout.tp;
  job.pp = layout.pp;
  job.vpp = layout.vpp;
  job.cp = layout.cp;
  job.ep = layout.ep;
  job.etp = layout.etp;
  job.sequence_parallel = layout.sequence_parallel;
  job.zero = layout.zero;
  job.zero_group = layout.zero_group;
  job.micro_batch = layout.micro_batch;
  job.schedule = layout.schedule;
  job.recompute = layout.recompute;
  job.recompute_layers = layout.recompute_layers;
  job.tensor_chunks = layout.tensor_chunks;
  job.cp_kind = layout.cp_kind;
  job.overlap_gradients = layout.overlap_gradients;
  job.bucket = layout.bucket;
  job.overlap_parameters = layout.overlap_parameters;
  job.reshard_after_forward = layout.reshard_after_forward;
  job.gathers_in_flight = layout.gathers_in_flight;
  return job;
}

}  // namespace trainwright::model
