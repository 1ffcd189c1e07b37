// SPDX-License-Identifier: Apache-2.0
#include "model/report/prediction_table.hpp"

#include <cmath>

#include "model/report/text_table.hpp"
#include "model/units/format.hpp"

namespace trainwright::model {
namespace {

std::string percent(double fraction) {
  return (fraction > 0.0 ? "+" : "") + format_fixed(100.0 * fraction, 1) + " %";
}

std::string unsigned_percent(double fraction) {
  return format_fixed(100.0 * fraction, 1) + " %";
}

}  // namespace

MeanErrors mean_errors(const std::vector<PredictionCase>& cases, bool of_test) {
  MeanErrors sum;
  double count = 0.0;
  for (const PredictionCase& c : cases)
    if (c.is_test == of_test) {
      sum.before += std::abs(c.before / c.measured - 1.0);
      sum.after += std::abs(c.after / c.measured - 1.0);
      count += 1.0;
    }
  return count > 0.0 ? MeanErrors{sum.before / count, sum.after / count} : MeanErrors{};
}

std::string prediction_table(const std::vector<PredictionCase>& cases) {
  TextTable table({"plan", "layout", "use", "before", "error", "after", "error", "measured"});
  table.left(1);
  table.left(2);
  for (const bool of_test : {false, true}) {
    for (const PredictionCase& c : cases)
      if (c.is_test == of_test)
        table.add_row({c.name, c.layout, of_test ? "test" : "fit", format(c.before),
                       percent(c.before / c.measured - 1.0), format(c.after), percent(c.after / c.measured - 1.0),
                       format(c.measured)});
    table.add_rule();
  }
  const MeanErrors fitted = mean_errors(cases, false);
  const MeanErrors test = mean_errors(cases, true);
  table.add_row(
      {"mean |error|, fit", "", "", "", unsigned_percent(fitted.before), "", unsigned_percent(fitted.after), ""});
  table.add_row(
      {"mean |error|, test", "", "", "", unsigned_percent(test.before), "", unsigned_percent(test.after), ""});
  return table.text();
}

}  // namespace trainwright::model
