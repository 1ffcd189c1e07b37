// SPDX-License-Identifier: Apache-2.0
#include "model/plan/nearest_layout.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace trainwright::model {
namespace {

double doublings(std::int64_t a, std::int64_t b) {
  return std::abs(std::log2(static_cast<double>(a)) - std::log2(static_cast<double>(b)));
}

bool breaks_a_rule(const std::vector<Violation>& violations) {
  return std::any_of(violations.begin(), violations.end(),
                     [](const Violation& violation) { return violation.severity == Severity::error; });
}

/// `value` first, then 1: what a degree may become when it is not the one that is varied.
std::vector<int> itself_or_one(int value) {
  return value == 1 ? std::vector<int>{1} : std::vector<int>{value, 1};
}

}  // namespace

std::optional<Layout> nearest_layout(const RuleInput& input, std::int64_t ranks, bool keep_batch) {
  const Layout& asked = input.layout;
  using Rank = std::tuple<double, int>;
  std::optional<std::pair<Rank, Layout>> best;
  const auto consider = [&](Layout candidate) {
    const double distance = doublings(candidate.tp, asked.tp) + doublings(candidate.pp, asked.pp) +
                            doublings(candidate.cp, asked.cp) + doublings(candidate.ep, asked.ep) +
                            doublings(candidate.etp, asked.etp) + doublings(candidate.vpp, asked.vpp);
    const Rank rank{distance, candidate.tp};
    if (best && best->first <= rank)
      return;
    if (keep_batch) {
      if (input.job.global_batch % candidate.dp != 0)
        return;
      const std::int64_t share = input.job.global_batch / candidate.dp;
      candidate.micro_batch = std::min(candidate.micro_batch, share);
      while (share % candidate.micro_batch != 0)
        --candidate.micro_batch;
    }
    if (!breaks_a_rule(check_layout_rules({input.model, input.cluster, input.job, candidate})))
      best = {rank, candidate};
  };
  const std::vector<std::int64_t> parts = divisors(ranks);
  const int layers = layer_count(input.model);
  for (const std::int64_t tp : parts)
    for (const std::int64_t pp : parts) {
      if (ranks % (tp * pp) != 0 || pp > layers)
        continue;
      for (const int cp : itself_or_one(asked.cp)) {
        if (ranks % (tp * pp * cp) != 0)
          continue;
        for (const int vpp : itself_or_one(asked.vpp))
          for (const int ep : itself_or_one(asked.ep))
            for (const int etp : itself_or_one(asked.etp)) {
              Layout candidate = asked;
              candidate.tp = static_cast<int>(tp);
              candidate.pp = static_cast<int>(pp);
              candidate.cp = cp;
              candidate.dp = static_cast<int>(ranks / (tp * pp * cp));
              candidate.vpp = vpp;
              candidate.ep = ep;
              candidate.etp = etp;
              candidate.sequence_parallel = asked.sequence_parallel && tp > 1;
              if (vpp > 1 && asked.schedule != PipelineSchedule::dual_pipe)
                candidate.schedule = PipelineSchedule::interleaved;
              else if (asked.schedule == PipelineSchedule::interleaved)
                candidate.schedule = PipelineSchedule::one_f_one_b;
              consider(candidate);
            }
      }
    }
  if (!best)
    return std::nullopt;
  return best->second;
}

std::string layout_difference(const Layout& asked, const Layout& found, std::string_view source) {
  const bool options = source == kCommandLineSource;
  std::string text;
  const auto say = [&](std::string_view field, std::int64_t before, std::int64_t after, bool always) {
    if (before == after && !always)
      return;
    if (!text.empty())
      text += options ? " " : ", ";
    const std::string name = options ? option_name(field) : std::string(field);
    text += name + " " + std::to_string(after);
  };
  say("tp", asked.tp, found.tp, false);
  say("pp", asked.pp, found.pp, false);
  say("vpp", asked.vpp, found.vpp, false);
  say("cp", asked.cp, found.cp, false);
  say("ep", asked.ep, found.ep, false);
  say("etp", asked.etp, found.etp, false);
  say("dp", asked.dp, found.dp, true);
  say("micro_batch", asked.micro_batch, found.micro_batch, false);
  return text;
}

}  // namespace trainwright::model
