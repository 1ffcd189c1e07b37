// SPDX-License-Identifier: Apache-2.0
#include "model/report/search_report.hpp"

#include "model/report/text_table.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

template <class Words, class Enum>
std::string word(const Words& words, Enum value) {
  for (const auto& [text, candidate] : words)
    if (candidate == value)
      return std::string(text);
  return {};
}

std::string number(std::int64_t value) {
  return std::to_string(value);
}

std::string gigabytes(std::int64_t bytes) {
  return format_fixed(static_cast<double>(bytes) * 1e-9, 1);
}

std::string days(double seconds) {
  return format_fixed(seconds / 86400.0, 2);
}

std::string plan_table(const std::vector<AnsweredPlan>& plans, const std::string& currency) {
  bool is_verified = false;
  bool has_length = false;
  bool has_price = false;
  for (const AnsweredPlan& plan : plans) {
    is_verified = is_verified || plan.verified_step;
    has_length = has_length || plan.training_s;
    has_price = has_price || plan.price;
  }
  std::vector<std::string> headings{"", "GPUs", "batch", "step"};
  if (is_verified)
    headings.push_back("simulated");
  headings.insert(headings.end(), {"tokens/s", "GB/rank"});
  if (has_length)
    headings.push_back("days");
  if (has_price)
    headings.push_back(currency.empty() ? "price" : currency);
  headings.push_back("layout");
  TextTable table(headings);
  table.left(headings.size() - 1);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const AnsweredPlan& plan = plans[i];
    std::vector<std::string> row{number(static_cast<std::int64_t>(i) + 1), number(plan.found.figures.devices),
                                 number(plan.found.figures.global_batch), format(Seconds(plan.found.figures.step_s))};
    if (is_verified)
      row.push_back(plan.verified_step ? format(*plan.verified_step) : "-");
    row.insert(row.end(), {format_fixed(plan.tokens_per_s, 0), gigabytes(plan.found.figures.peak_bytes)});
    if (has_length)
      row.push_back(plan.training_s ? days(*plan.training_s) : "-");
    if (has_price)
      row.push_back(plan.price ? format_fixed(*plan.price, 0) : "-");
    row.push_back(layout_text(plan.found.layout));
    table.add_row(row);
  }
  return table.text();
}

}  // namespace

std::string layout_text(const Layout& l) {
  std::string text = "tp " + number(l.tp);
  if (l.sequence_parallel)
    text += " sp";
  text += ", pp " + number(l.pp);
  if (l.vpp > 1)
    text += " x " + number(l.vpp);
  text += ", dp " + number(l.dp);
  if (l.cp > 1)
    text += ", cp " + number(l.cp) + " " + word(kContextKindWords, l.cp_kind);
  if (l.ep > 1)
    text += ", ep " + number(l.ep);
  if (l.etp > 1)
    text += ", etp " + number(l.etp);
  if (l.zero > 0)
    text += ", zero " + number(l.zero) + (l.zero_group > 0 ? " in " + number(l.zero_group) : "");
  text += ", micro-batch " + number(l.micro_batch);
  if (l.recompute != Recompute::none)
    text += ", recompute " + word(kRecomputeWords, l.recompute);
  if (l.pp > 1)
    text += ", " + word(kPipelineScheduleWords, l.schedule);
  if (l.dp * l.cp > 1 && !l.overlap_gradients)
    text += ", no overlap";
  return text;
}

std::string search_report(const SearchAnswer& answer) {
  std::string text;
  if (!answer.is_complete)
    text += "interrupted: the best so far\n";
  if (answer.best.empty())
    text += "no plan: none of " + number(answer.counts.layouts) + " layouts can be trained within the limits\n";
  else
    text += "best: " + layout_text(answer.best.front().found.layout) + "\n";
  text +=
      answer.model + " on " + answer.cluster + ", objective " + word(kSearchObjectiveWords, answer.objective) + "\n";
  if (!answer.best.empty())
    text += "\nBest plans\n" + plan_table(answer.best, answer.currency);
  if (!answer.pareto.empty())
    text +=
        "\nNo plan beats these in step time, GPUs and memory at once\n" + plan_table(answer.pareto, answer.currency);
  text += "\nLayouts gone through: " + number(answer.counts.layouts) + "; " + number(answer.counts.rejected) +
          " break a rule, " + number(answer.counts.pruned) + " cannot be better by a bound, " +
          number(answer.counts.costed) + " costed\n";
  if (!answer.rules.empty()) {
    text += "\nLeft out\n";
    TextTable table({"layouts", "rule", "for example", "nearest that can be trained"});
    for (const std::size_t column : {1U, 2U, 3U})
      table.left(column);
    for (const auto& [name, rule] : answer.rules)
      table.add_row({number(rule.layouts), name, layout_text(rule.example),
                     rule.nearest ? layout_text(rule.nearest->layout) : "-"});
    text += table.text();
  }
  if (!answer.assumptions.empty()) {
    text += "\nAssumed\n";
    for (const std::string& line : answer.assumptions)
      text += "  - " + line + "\n";
  }
  return text;
}

}  // namespace trainwright::model
