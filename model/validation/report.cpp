// SPDX-License-Identifier: Apache-2.0
#include "model/validation/report.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "model/io/json_writer.hpp"
#include "model/report/text_table.hpp"
#include "model/units/format.hpp"
#include "model/validation/csv.hpp"

namespace trainwright::model::validation {
namespace {

using nlohmann::ordered_json;

constexpr double kPercent = 100.0;

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json summary_value(const Summary& s) {
  return {{"rows", s.rows},
          {"covered", s.covered},
          {"mape", or_null(s.mape)},
          {"macro_median", or_null(s.macro_median)},
          {"median_abs_error", or_null(s.median_abs_error)},
          {"p90_abs_error", or_null(s.p90_abs_error)},
          {"bias", or_null(s.bias)},
          {"spearman", or_null(s.spearman)},
          {"interval_coverage", or_null(s.interval_coverage)},
          {"memory_rows", s.memory_rows},
          {"memory_median_abs_error", or_null(s.memory_median_abs_error)},
          {"memory_p90_abs_error", or_null(s.memory_p90_abs_error)},
          {"efficiency_rows", s.efficiency_rows},
          {"efficiency_mean_abs_points", or_null(s.efficiency_mean_abs_points)}};
}

ordered_json row_value(const RowResult& row) {
  ordered_json interval = nullptr;
  if (row.low_s && row.high_s)
    interval = {*row.low_s, *row.high_s};
  std::string reason = row.skipped;
  if (reason.empty() && row.calibrates)
    reason = "used to calibrate";
  ordered_json breakdown = ordered_json::object();
  for (const auto& [part, seconds] : row.breakdown)
    breakdown[part] = seconds;
  return {{"row_id", row.row_id},
          {"source", row.source},
          {"measured_s", or_null(row.measured_s)},
          {"predicted_s", or_null(row.predicted_s)},
          {"interval_s", interval},
          {"error", or_null(row.error())},
          {"memory_measured_bytes", or_null(row.memory_measured_bytes)},
          {"memory_predicted_bytes", or_null(row.memory_predicted_bytes)},
          {"efficiency_measured_pct", or_null(row.efficiency_measured_pct)},
          {"efficiency_predicted_pct", or_null(row.efficiency_predicted_pct)},
          {"group", row.group},
          {"breakdown_s", breakdown},
          {"assumptions", row.assumptions},
          {"verdict", row.verdict.empty() ? ordered_json(nullptr) : ordered_json(row.verdict)},
          {"skipped", reason.empty() ? ordered_json(nullptr) : ordered_json(reason)}};
}

std::string number_or_nothing(const std::optional<double>& value) {
  return value ? format_number(*value) : std::string();
}

std::string percent(const std::optional<double>& fraction) {
  return fraction ? format_fixed(kPercent * *fraction, 1) : std::string("-");
}

std::string signed_percent(const std::optional<double>& fraction) {
  return fraction ? (*fraction >= 0.0 ? "+" : "") + format_fixed(kPercent * *fraction, 1) : std::string("-");
}

std::string two_places(const std::optional<double>& value) {
  return value ? format_fixed(*value, 2) : std::string("-");
}

void add_summary(TextTable& table, const std::string& name, const Summary& s) {
  constexpr std::size_t kNameWidth = 60;
  table.add_row({name.size() > kNameWidth ? name.substr(0, kNameWidth - 3) + "..." : name, std::to_string(s.rows),
                 std::to_string(s.covered), percent(s.median_abs_error), percent(s.p90_abs_error), percent(s.mape),
                 signed_percent(s.bias), two_places(s.spearman), percent(s.interval_coverage),
                 s.memory_rows > 0 ? percent(s.memory_median_abs_error) : "-",
                 s.memory_rows > 0 ? percent(s.memory_p90_abs_error) : "-",
                 s.efficiency_rows > 0 ? format_fixed(*s.efficiency_mean_abs_points, 1) : "-"});
}

TextTable summary_table(const std::string& first) {
  return TextTable({first, "rows", "covered", "median %", "p90 %", "MAPE %", "bias %", "rank corr.", "in 90 % int.",
                    "memory %", "mem. p90 %", "eff. points"});
}

ordered_json choice_value(const JobChoice& choice) {
  return {{"source", choice.source}, {"job", choice.job}, {"layouts", choice.layouts}, {"loss", choice.loss}};
}

// Whether the layout predicted to be best is: what a planner is asked for.
std::string choice_report(const std::vector<RowResult>& rows, bool list_rows) {
  const std::vector<JobChoice> choices = job_choices(rows);
  if (choices.empty())
    return {};
  std::string text =
      "\n  layout predicted to be best within 5 % of the best measured one: " + percent(good_choices(choices)) +
      " % of the " + std::to_string(choices.size()) + " jobs with at least 10 layouts\n";
  if (!list_rows)
    return text;
  TextTable table({"job", "layouts", "loss %", "source"});
  table.left(3);
  for (const JobChoice& choice : choices)
    table.add_row({choice.job, std::to_string(choice.layouts), percent(choice.loss), choice.source});
  return text + table.text();
}

std::string interval_mark(const RowResult& row) {
  if (!row.low_s || !row.high_s || !row.measured_s)
    return "-";
  return *row.measured_s >= *row.low_s && *row.measured_s <= *row.high_s ? "inside" : "outside";
}

}  // namespace

std::string to_json(const std::vector<RowResult>& rows) {
  ordered_json value;
  value["all"] = summary_value(summarise(rows));
  value["sources"] = ordered_json::object();
  for (const std::string& source : sources_of(rows))
    value["sources"][source] = summary_value(summarise(of_source(rows, source)));
  value["groups"] = ordered_json::object();
  for (const std::string& group : groups_of(rows))
    if (!group.empty())
      value["groups"][group] = summary_value(summarise(of_group(rows, group)));
  value["choices"] = ordered_json::array();
  for (const JobChoice& choice : job_choices(rows))
    value["choices"].push_back(choice_value(choice));
  value["rows"] = ordered_json::array();
  for (const RowResult& row : rows)
    value["rows"].push_back(row_value(row));
  return canonical_text(value);
}

std::string to_csv(const std::vector<RowResult>& rows) {
  std::string text =
      csv_line({"row_id", "source", "group", "measured_s", "predicted_s", "interval_low_s", "interval_high_s", "error",
                "memory_measured_bytes", "memory_predicted_bytes", "efficiency_measured_pct",
                "efficiency_predicted_pct", "verdict", "calibrates", "skipped"});
  for (const RowResult& row : rows)
    text += csv_line({row.row_id, row.source, row.group, number_or_nothing(row.measured_s),
                      number_or_nothing(row.predicted_s), number_or_nothing(row.low_s), number_or_nothing(row.high_s),
                      number_or_nothing(row.error()), number_or_nothing(row.memory_measured_bytes),
                      number_or_nothing(row.memory_predicted_bytes), number_or_nothing(row.efficiency_measured_pct),
                      number_or_nothing(row.efficiency_predicted_pct), row.verdict, row.calibrates ? "1" : "0",
                      row.skipped});
  return text;
}

std::string to_report(const std::vector<RowResult>& rows, bool list_rows) {
  std::string text;
  if (list_rows) {
    TextTable table({"row", "measured", "predicted", "error %", "interval", "memory", "mem. error %", ""});
    table.left(7);
    for (const RowResult& row : rows) {
      const std::string note = !row.skipped.empty() ? row.skipped : row.calibrates ? "used to calibrate" : "";
      table.add_row({row.row_id, row.measured_s ? format(Seconds(*row.measured_s)) : "-",
                     row.predicted_s ? format(Seconds(*row.predicted_s)) : "-", signed_percent(row.error()),
                     interval_mark(row), row.verdict.empty() ? "-" : row.verdict, signed_percent(row.memory_error()),
                     note});
    }
    text += table.text() + "\n";
  }
  TextTable by_source = summary_table("source");
  for (const std::string& source : sources_of(rows))
    add_summary(by_source, source, summarise(of_source(rows, source)));
  by_source.add_rule();
  const Summary all = summarise(rows);
  add_summary(by_source, "all", all);
  text += by_source.text();
  text += "  mean over sources of their median: " + percent(all.macro_median) + " %\n";
  const std::vector<std::string> groups = groups_of(rows);
  if (groups.size() > 1 || (groups.size() == 1 && !groups.front().empty())) {
    TextTable by_group = summary_table("group");
    for (const std::string& group : groups)
      add_summary(by_group, group.empty() ? "-" : group, summarise(of_group(rows, group)));
    text += "\n" + by_group.text();
  }
  text += choice_report(rows, list_rows);
  std::map<std::string, int> reasons;
  for (const RowResult& row : rows)
    if (!row.skipped.empty())
      ++reasons[row.skipped];
  if (!reasons.empty())
    text += "\n  rows that are not predicted:\n";
  for (const auto& [reason, count] : reasons)
    text += "    " + std::to_string(count) + "  " + reason + "\n";
  return text;
}

std::string to_markdown(const std::vector<RowResult>& rows) {
  std::string text = "| group | rows | median % | 90th percentile % | mean signed % |\n|---|---|---|---|---|\n";
  const auto line = [](const std::string& name, const Summary& s) {
    return "| " + name + " | " + std::to_string(s.covered) + " | " + percent(s.median_abs_error) + " | " +
           percent(s.p90_abs_error) + " | " + signed_percent(s.bias) + " |\n";
  };
  for (const std::string& group : groups_of(rows))
    text += line(group.empty() ? "-" : group, summarise(of_group(rows, group)));
  return text + line("all", summarise(rows));
}

}  // namespace trainwright::model::validation
