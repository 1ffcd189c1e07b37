// The micro-benchmarks for real, but short: points arrive, are plausible, and time limits are kept.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <string>
#include <vector>

#include "executor/measurement/collective_benchmark.hpp"
#include "executor/measurement/compute_benchmark.hpp"
#include "executor/measurement/gloo_communication.hpp"
#include "executor/measurement/measure_session.hpp"
#include "executor/measurement/storage_benchmark.hpp"
#include "model/base/error.hpp"

namespace trainwright::executor {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Collected {
  RankGroupResult result;
  std::vector<Record> records;

  template <class Point>
  [[nodiscard]] std::vector<Point> points() const {
    std::vector<Point> list;
    for (const Record& record : records)
      if (const auto* point = std::get_if<Point>(&record))
        list.push_back(*point);
    return list;
  }
  [[nodiscard]] std::vector<std::string> remarks() const {
    std::vector<std::string> list;
    for (const RemarkRecord& remark : points<RemarkRecord>())
      list.emplace_back(remark.text.view());
    return list;
  }
};

Collected run(int ranks, const std::function<void(RankContext&)>& body) {
  Collected collected;
  RankGroupOptions options;
  options.ranks = ranks;
  options.body = body;
  options.on_record = [&](const Record& record) { collected.records.push_back(record); };
  collected.result = run_rank_group(options);
  return collected;
}

/// Done after two samples, however noisy: these tests are about points, not about precision.
PointRules short_rules() {
  PointRules rules;
  rules.median_error = 1e9;
  rules.min_samples = 2;
  rules.min_attempts = 2;
  return rules;
}

/// Points that a disturbed machine made invalid are named in a remark; others there must not be.
std::size_t left_out(const Collected& collected) {
  std::size_t count = 0;
  for (const std::string& remark : collected.remarks())
    count += remark.find("left out: ") != std::string::npos && remark.find("samples do not count") != std::string::npos
                 ? 1
                 : 0;
  return count;
}

void expect_plausible(const model::SampleSummary& time) {
  EXPECT_GT(time.count, 0);
  EXPECT_GT(time.min_s, 0.0);
  EXPECT_LE(time.min_s, time.median_s);
  EXPECT_LE(time.median_s, time.max_s);
  EXPECT_LT(time.max_s, 60.0);
}

TEST(ComputeBenchmark, MeasuresEveryPointOfItsPlan) {
  const Collected collected = run(2, [](RankContext& context) {
    ComputePlan plan;
    plan.gemm = {{32, 48, 64, 1, model::Precision::fp32}};
    plan.gemm_alone = plan.gemm;
    plan.memory_bytes = {65536};
    plan.rules = short_rules();
    plan.end = context.clock().now() + model::Seconds(20.0);
    measure_compute(context, plan);
  });
  EXPECT_EQ(collected.result.failure, "");
  const auto gemm = collected.points<model::GemmPoint>();
  const auto memory = collected.points<model::MemoryPoint>();
  EXPECT_EQ(gemm.size() + memory.size() + left_out(collected), 3U);
  for (const model::MemoryPoint& point : memory) {
    EXPECT_EQ(point.bytes, 65536);
    EXPECT_EQ(point.ranks, 2);
    expect_plausible(point.time);
  }
  for (const model::GemmPoint& point : gemm) {
    EXPECT_EQ(point.work.n, 48);
    expect_plausible(point.time);
  }
}

TEST(ComputeBenchmark, LeavesOutWhatThereIsNoTimeForAndSaysSo) {
  const Collected collected = run(1, [](RankContext& context) {
    ComputePlan plan;
    plan.gemm = {{32, 32, 32, 1, model::Precision::fp32}, {64, 64, 64, 1, model::Precision::fp32}};
    plan.end = context.clock().now();
    measure_compute(context, plan);
  });
  EXPECT_THAT(collected.points<model::GemmPoint>(), IsEmpty());
  EXPECT_THAT(collected.remarks(), ::testing::ElementsAre("2 of 2 compute points left out: time was up"));
}

TEST(StorageBenchmark, MeasuresReadingAndWritingAndLeavesNoFile) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "trainwright_storage_benchmark";
  std::filesystem::create_directories(folder);
  const Collected collected = run(1, [&](RankContext& context) {
    StoragePlan plan;
    plan.folder = folder;
    plan.bytes = {65536};
    plan.rules = short_rules();
    plan.end = context.clock().now() + model::Seconds(20.0);
    measure_storage(context, plan);
  });
  EXPECT_EQ(collected.result.failure, "");
  const auto points = collected.points<model::StoragePoint>();
  EXPECT_EQ(points.size() + left_out(collected), 2U);
  for (const model::StoragePoint& point : points)
    expect_plausible(point.time);
  ASSERT_THAT(collected.remarks(), ::testing::Not(IsEmpty()));
  EXPECT_THAT(collected.remarks().front(), AnyOf(HasSubstr("O_DIRECT"), HasSubstr("posix_fadvise")));
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::filesystem::remove(folder);
}

TEST(StorageBenchmark, SaysWhichFolderItCannotUse) {
  const Collected collected = run(1, [](RankContext& context) {
    StoragePlan plan;
    plan.folder = "/nonexistent";
    plan.bytes = {65536};
    measure_storage(context, plan);
  });
  EXPECT_THAT(collected.result.failure, HasSubstr("cannot make a file in /nonexistent: No such file or directory"));
}

TEST(CollectiveBenchmark, MeasuresEveryKindAndMessages) {
  const Collected collected = run(2, [](RankContext& context) {
    CollectivePlan plan;
    plan.kinds = measured_collectives();
    plan.bytes = {1000};
    plan.transfers = true;
    plan.interference = true;
    plan.rules = short_rules();
    plan.end = context.clock().now() + model::Seconds(20.0);
    with_gloo(context, [&](Communicator& communicator) { measure_collectives(context, communicator, plan); });
  });
  EXPECT_EQ(collected.result.failure, "");
  const auto points = collected.points<model::CollectivePoint>();
  EXPECT_EQ(points.size() + collected.points<model::TransferPoint>().size() +
                collected.points<model::InterferencePoint>().size() + left_out(collected),
            7U);
  for (const model::CollectivePoint& point : points) {
    EXPECT_EQ(point.ranks, 2);
    EXPECT_EQ(point.bytes, 1000);
    expect_plausible(point.time);
  }
  ASSERT_THAT(collected.points<VersionRecord>(), SizeIs(1));
  EXPECT_EQ(collected.points<VersionRecord>()[0].library.view(), "gloo");
}

/// Delivers what it is given, except that reductions come out wrong on one rank.
class BrokenCommunicator final : public Communicator {
 public:
  explicit BrokenCommunicator(bool wrong) : wrong_(wrong) {}
  void all_reduce(Elements data) override { data[0] = wrong_ ? -1.0F : data[0]; }
  void all_gather(Elements) override {}
  void reduce_scatter(Elements) override {}
  void all_to_all(Elements, Elements) override {}
  void ring_shift(Elements, Elements) override {}
  void broadcast(Elements, int) override {}
  void reduce(Elements, int) override {}
  void barrier() override {}
  void send(Elements, int, std::int32_t) override {}
  void receive(Elements, int, std::int32_t) override {}

 private:
  bool wrong_;
};

TEST(CollectiveBenchmark, LeavesOutWhatDeliversWrongData) {
  const Collected collected = run(2, [](RankContext& context) {
    CollectivePlan plan;
    plan.kinds = {model::CollectiveKind::all_reduce};
    plan.bytes = {4096};
    plan.end = context.clock().now() + model::Seconds(10.0);
    BrokenCommunicator broken(context.rank() == 1);
    measure_collectives(context, broken, plan);
  });
  EXPECT_THAT(collected.points<model::CollectivePoint>(), IsEmpty());
  EXPECT_THAT(collected.remarks(), ::testing::ElementsAre("all_reduce of 4 KiB, 2 ranks left out: wrong data arrived"));
}

TEST(MeasureMachine, AnInterruptKeepsWhatIsThere) {
  SessionOptions options;
  options.ranks = 1;
  options.run_dir = ::testing::TempDir();
  options.quick = true;
  options.budget = model::Seconds(60.0);
  int progressed = 0;
  SessionEvents events;
  events.progress = [&](double, const std::string&) { ++progressed; };
  events.interrupted = [&] { return progressed >= 2; };
  const SessionResult result = measure_machine(options, events);
  EXPECT_TRUE(result.interrupted);
  EXPECT_TRUE(result.measurement.partial);
  EXPECT_THAT(result.failures, IsEmpty());
}

TEST(MeasureMachine, AFailureOfOnePartLeavesTheOthers) {
  SessionOptions options;
  options.ranks = 1;
  options.run_dir = "/nonexistent";
  options.quick = true;
  options.budget = model::Seconds(2.0);
  const SessionResult result = measure_machine(options, {});
  ASSERT_THAT(result.failures, SizeIs(1));
  EXPECT_THAT(result.failures[0], HasSubstr("storage: rank 0: cannot make a file"));
  EXPECT_TRUE(result.measurement.partial);
  EXPECT_FALSE(result.interrupted);
}

}  // namespace
}  // namespace trainwright::executor
