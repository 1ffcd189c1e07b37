// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_report.hpp"

#include <algorithm>

#include "model/base/contract.hpp"
#include "model/report/text_table.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

std::string percent(double fraction) {
  return (fraction >= 0.0 ? "+" : "") + format_fixed(100.0 * fraction, 1) + " %";
}

}  // namespace

RunComparison compare(const ExecutedRun& run, const Estimate& estimate) {
  TRAINWRIGHT_EXPECTS(!run.step_s.empty(), "run " + run.name + " has no measured step");
  RunComparison result;
  result.name = run.name;
  result.steps = static_cast<int>(run.step_s.size());
  result.predicted = estimate.step;
  result.predicted_low = estimate.step_low;
  result.predicted_high = estimate.step_high;
  result.measured = Seconds(median(run.step_s));
  result.measured_min = Seconds(*std::min_element(run.step_s.begin(), run.step_s.end()));
  result.measured_max = Seconds(*std::max_element(run.step_s.begin(), run.step_s.end()));
  result.error = result.predicted / result.measured - 1.0;
  result.in_interval = result.measured >= result.predicted_low && result.measured <= result.predicted_high;
  const double tokens = static_cast<double>(run.plan.job.global_batch) * static_cast<double>(run.plan.job.seq_len);
  result.predicted_tokens_per_second = estimate.tokens_per_second;
  result.measured_tokens_per_second = tokens / result.measured.count();
  result.predicted_peak_memory = estimate.memory.peak;
  for (const std::int64_t bytes : run.peak_memory_bytes)
    result.measured_peak_memory = std::max(result.measured_peak_memory, ByteCount(bytes));
  return result;
}

std::string comparison_report(const RunComparison& comparison, const ExecutedRun& run) {
  std::string text = comparison.in_interval ? "as predicted: " : "not as predicted: ";
  text += "step " + format(comparison.measured) + " measured, " + format(comparison.predicted) + " predicted (" +
          percent(comparison.error) + ")\n\n";
  TextTable table({comparison.name, "predicted", "measured", "predicted / measured - 1"});
  table.add_row({"step, median of " + std::to_string(comparison.steps), format(comparison.predicted),
                 format(comparison.measured), percent(comparison.error)});
  table.add_row({"step, lowest", format(comparison.predicted_low), format(comparison.measured_min), ""});
  table.add_row({"step, highest", format(comparison.predicted_high), format(comparison.measured_max), ""});
  table.add_row({"tokens/s", format_significant(comparison.predicted_tokens_per_second, 4),
                 format_significant(comparison.measured_tokens_per_second, 4),
                 percent(comparison.predicted_tokens_per_second / comparison.measured_tokens_per_second - 1.0)});
  if (comparison.measured_peak_memory.count() > 0)
    table.add_row(
        {"peak memory of a rank", format(comparison.predicted_peak_memory), format(comparison.measured_peak_memory),
         percent(to_bytes(comparison.predicted_peak_memory) / to_bytes(comparison.measured_peak_memory) - 1.0)});
  text += table.text();
  text += "  lowest and highest: the 90 % interval predicted, the extremes measured\n";
  for (const std::string& mode : run.modes)
    text += "  - not as on a real machine: " + mode + "\n";
  return text;
}

}  // namespace trainwright::model
