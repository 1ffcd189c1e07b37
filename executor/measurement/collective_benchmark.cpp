// SPDX-License-Identifier: Apache-2.0
#include "executor/measurement/collective_benchmark.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "executor/measurement/interference_benchmark.hpp"
#include "executor/measurement/point_budget.hpp"
#include "executor/measurement/sweep.hpp"
#include "executor/verify/pattern.hpp"
#include "model/base/contract.hpp"

namespace trainwright::executor {
namespace {

using model::CollectiveKind;

constexpr std::int64_t kFloat = sizeof(float);
constexpr std::int32_t kForth = 1;  // message tags
constexpr std::int32_t kBack = 2;

/// One collective, or a message there and back.
struct CommunicationPoint {
  std::optional<CollectiveKind> kind;  ///< empty: message
  std::int64_t bytes = 0;
};

std::string name_of(const CommunicationPoint& point, int ranks) {
  if (!point.kind)
    return "message of " + size_text(point.bytes);
  return std::string(to_word(*point.kind)) + " of " + size_text(point.bytes) + ", " + std::to_string(ranks) + " ranks";
}

/// Share of the time: large points need more of it for the same number of samples.
double weight_of(const CommunicationPoint& point) {
  constexpr double kPerByte = 2.5e-7;
  return 1.0 + kPerByte * static_cast<double>(point.bytes);
}

class Communicating {
 public:
  Communicating(RankContext& context, Communicator& communicator, const CollectivePlan& plan)
      : context_(context), communicator_(communicator), plan_(plan) {
    const std::int64_t largest = *std::max_element(plan.bytes.begin(), plan.bytes.end());
    data_.resize(static_cast<std::size_t>(whole_blocks(largest, context.ranks()) / kFloat));
    output_.resize(data_.size());
  }

  void measure(const CommunicationPoint& point, model::Seconds limit) {
    const auto count = static_cast<std::size_t>(point.bytes / kFloat);
    const Elements data(data_.data(), count);
    const Elements output(output_.data(), count);
    const bool wrong = context_.largest(is_right(point, data, output) ? 0.0 : 1.0) > 0.0;
    const std::string name = name_of(point, context_.ranks());
    if (wrong) {
      if (context_.rank() == 0)
        context_.report(Record(RemarkRecord{FixedText<480>(name + " left out: wrong data arrived")}));
      return;
    }
    // Sums of repeated reductions stay zero, whatever the number of repetitions.
    std::fill(data.begin(), data.end(), 0.0F);

    PointTask task;
    task.active_ranks = point.kind ? context_.ranks() : 2;
    task.bounds = plan_.cores_are_own ? communicating_bounds() : sharing_bounds();
    task.combine = RankContext::Combine::slowest;
    task.operation = [&] { run(point, data, output); };
    std::string faults;
    const model::SampleSummary time = sample_point(context_, task, plan_.rules, limit, &faults);
    if (point.kind) {
      report_point(context_, name, model::CollectivePoint{*point.kind, context_.ranks(), 1, point.bytes, time}, faults);
    } else {
      model::TransferPoint result{point.bytes, 1, time};
      for (double* seconds : {&result.time.median_s, &result.time.min_s, &result.time.max_s})
        *seconds /= 2.0;  // there and back are two messages
      report_point(context_, name, result, faults);
    }
  }

 private:
  void run(const CommunicationPoint& point, Elements data, Elements output) {
    if (!point.kind) {
      const bool first = context_.rank() == 0;
      if (first)
        communicator_.send(data, 1, kForth);
      else
        communicator_.receive(data, 0, kForth);
      if (first)
        communicator_.receive(data, 1, kBack);
      else
        communicator_.send(data, 0, kBack);
      return;
    }
    switch (*point.kind) {
      case CollectiveKind::all_reduce:
        return communicator_.all_reduce(data);
      case CollectiveKind::all_gather:
        return communicator_.all_gather(data);
      case CollectiveKind::reduce_scatter:
        return communicator_.reduce_scatter(data);
      case CollectiveKind::broadcast:
        return communicator_.broadcast(data, 0);
      case CollectiveKind::reduce:
        return communicator_.reduce(data, 0);
      case CollectiveKind::all_to_all:
        return communicator_.all_to_all(data, output);
      case CollectiveKind::ring_shift:
        return communicator_.ring_shift(data, output);
    }
  }

  bool is_right(const CommunicationPoint& point, Elements data, Elements output) {
    const auto salt = static_cast<std::uint32_t>(point.bytes / kFloat);
    std::fill(output.begin(), output.end(), -1.0F);
    if (!point.kind) {
      if (context_.rank() > 1)
        return true;
      fill(data, context_.rank() == 0 ? 0 : 1, salt);
      run(point, data, output);
      return !check_message(data, 0, salt);  // rank 1 got rank 0's data and sent the same back
    }
    fill(data, context_.rank(), salt);
    run(point, data, output);
    const Elements result =
        *point.kind == CollectiveKind::all_to_all || *point.kind == CollectiveKind::ring_shift ? output : data;
    return !check_collective(*point.kind, result, {context_.ranks(), context_.rank(), salt});
  }

  RankContext& context_;
  Communicator& communicator_;
  const CollectivePlan& plan_;
  std::vector<float> data_;
  std::vector<float> output_;
};

}  // namespace

std::vector<CollectiveKind> measured_collectives() {
  return {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
          CollectiveKind::broadcast, CollectiveKind::all_to_all};
}

std::vector<std::int64_t> collective_sizes(bool quick) {
  constexpr std::int64_t kFirst = 1LL << 10;
  constexpr std::int64_t kLast = 16LL << 20;
  return log_spaced(kFirst, kLast, quick ? 3 : 8, 64);
}

std::vector<int> collective_group_sizes(int ranks) {
  std::vector<int> sizes;
  for (int size = 2; size < ranks; size *= 2)
    sizes.push_back(size);
  if (ranks > 1)
    sizes.push_back(ranks);
  return sizes;
}

std::int64_t whole_blocks(std::int64_t bytes, int ranks) {
  const std::int64_t block = kFloat * ranks;
  return (bytes + block - 1) / block * block;
}

void measure_collectives(RankContext& context, Communicator& communicator, const CollectivePlan& plan) {
  TRAINWRIGHT_EXPECTS(context.ranks() >= 2 && !plan.bytes.empty(), std::to_string(context.ranks()));
  std::vector<CommunicationPoint> points;
  for (const std::int64_t bytes : plan.bytes) {
    for (const CollectiveKind kind : plan.kinds)
      points.push_back({kind, whole_blocks(bytes, context.ranks())});
    if (plan.transfers)
      points.push_back({std::nullopt, whole_blocks(bytes, 1)});
  }
  constexpr double kInterferenceWeight = 5.0;  // it is two measurements, and noisier than the others
  double total = plan.interference ? kInterferenceWeight : 0.0;
  for (const CommunicationPoint& point : points)
    total += weight_of(point);

  Communicating communicating(context, communicator, plan);
  PointBudget budget(plan.end, total);
  const auto next_limit = [&](double weight) {
    return model::Seconds(context.from_first(budget.next(context.clock().now(), weight).count()));
  };
  double done = 0.0;
  int left_out = 0;
  for (const std::size_t index : shuffled_order(points.size(), plan.seed)) {
    const double weight = weight_of(points[index]);
    report_progress(context, done / total, name_of(points[index], context.ranks()));
    done += weight;
    const model::Seconds limit = next_limit(weight);
    if (limit > model::Seconds::zero())
      communicating.measure(points[index], limit);
    else
      ++left_out;
  }
  if (plan.interference) {
    report_progress(context, done / total, "gemm beside all_reduce");
    const model::Seconds limit = next_limit(kInterferenceWeight);
    if (limit > model::Seconds::zero())
      measure_interference(context, communicator, plan.rules, limit);
    else
      ++left_out;
  }
  if (left_out > 0 && context.rank() == 0)
    context.report(
        Record(RemarkRecord{FixedText<480>(std::to_string(left_out) + " communication points of " +
                                           std::to_string(context.ranks()) + " ranks left out: time was up")}));
}

}  // namespace trainwright::executor
