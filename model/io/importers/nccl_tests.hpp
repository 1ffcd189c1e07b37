// Logs of nccl-tests (all_reduce_perf and its kin): the table of sizes and times, whatever stands before its lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/calibration/measurement.hpp"
#include "model/collective/bus_bandwidth.hpp"

namespace trainwright::model {

/// One column group of a row (out of place, in place).
struct NcclTestsTime {
  double seconds = 0.0;
  double algorithm_bandwidth = 0.0;  ///< bytes/s as printed, two decimals of GB/s
  double bus_bandwidth = 0.0;        ///< the same
  std::int64_t wrong = 0;            ///< values that came out wrong; 0 where the log does not check
  friend bool operator==(const NcclTestsTime&, const NcclTestsTime&) = default;
};

struct NcclTestsRow {
  std::int64_t bytes = 0;
  std::vector<NcclTestsTime> times;  ///< one or two
  friend bool operator==(const NcclTestsRow&, const NcclTestsRow&) = default;
};

struct NcclTestsLog {
  std::vector<NcclTestsRow> rows;
  std::optional<CollectiveKind> kind;  ///< where the log names the program
  std::string version;                 ///< of NCCL, or empty
  std::vector<std::string> hosts;      ///< different ones, in order; empty without the list of ranks
  int ranks = 0;                       ///< 0 without the list of ranks
  std::string device;                  ///< "NVIDIA H100 80GB HBM3", or empty
  bool has_summary = false;            ///< the last lines are there
  friend bool operator==(const NcclTestsLog&, const NcclTestsLog&) = default;
};

/// Empty when the text has no table, a row does not fit its columns, times and bandwidths contradict each other, or the
/// log says that values were out of bounds.
[[nodiscard]] std::optional<NcclTestsLog> read_nccl_tests(std::string_view text, const std::string& source,
                                                          Diagnostics& diagnostics);

/// What a log may leave out.
struct NcclTestsOptions {
  std::optional<CollectiveKind> kind = {};
  std::optional<int> ranks = {};
  std::optional<int> nodes = {};
};

/// Points for `calibrate`. Kind and ranks that neither log nor options tell are worked out from the ratio of the
/// bandwidths where one collective alone has it; the rest is asked for. Rows with wrong values, without bytes or below
/// the printed resolution are left out and noted.
[[nodiscard]] std::optional<Measurement> measurement_of(const NcclTestsLog& log, const NcclTestsOptions& options,
                                                        const std::string& source, Diagnostics& diagnostics);

}  // namespace trainwright::model
