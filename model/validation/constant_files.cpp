// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "model/units/format.hpp"
#include "model/validation/constant_list.hpp"
#include "model/validation/kernel_fit.hpp"

namespace trainwright::model::validation {
namespace {

constexpr double kPercent = 100.0;

std::string fit_origin(const KernelSet& set, const CostConstants& fitted) {
  std::vector<RowResult> rows;
  std::set<std::string> sources;
  for (const KernelPoint& point : set.points) {
    RowResult row;
    row.source = point.id.source;
    row.measured_s = point.measured_s;
    row.predicted_s = point.predict_s(fitted);
    rows.push_back(row);
    sources.insert(point.id.source);
  }
  const Summary s = summarise(rows);
  std::string text = "fitted on " + std::to_string(set.points.size()) + " measured points (";
  for (const std::string& source : sources)
    text += (source == *sources.begin() ? "" : "; ") + source;
  return text + "), residual median " + format_fixed(kPercent * s.median_abs_error.value_or(0.0), 1) +
         " %, 90th percentile " + format_fixed(kPercent * s.p90_abs_error.value_or(0.0), 1) + " %";
}

void add_fitted(ConstantList& file, const std::string& page, const KernelSet& set, CostConstants fitted,
                const std::vector<std::string>& words) {
  const std::string origin = page + ": " + fit_origin(set, fitted);
  for (const std::string& word : words) {
    const bool own = set.kind != KernelSet::Kind::gemm || word == to_word(set.precision);
    for (const ConstantRef& ref : constant_refs(fitted)) {
      std::string name = ref.name;
      const bool of_set = set.kind == KernelSet::Kind::gemm
                              ? name.starts_with("gemm." + std::string(to_word(set.precision)) + ".")
                              : std::find(set.parameters.begin(), set.parameters.end(), name) != set.parameters.end() ||
                                    name.starts_with("node_link.bulk_bytes") || name == "node_link.bulk_rank_power" ||
                                    name == "node_link.copy_ratio" || name == "node_link.all_to_all_copy_ratio";
      if (!of_set || (set.kind == KernelSet::Kind::gemm && bits_per_element(set.precision) >= 16.0 &&
                      name.find(".quantise") != std::string::npos))
        continue;
      if (set.kind == KernelSet::Kind::gemm)
        name = "gemm." + word + name.substr(name.find('.', 5));
      file.add(name, *ref.value,
               own ? origin : page + ": as " + std::string(to_word(set.precision)) + ", not measured in this format");
    }
  }
}

// Formats that were not measured take the constants of the one that was: 16 and 32 bits from bf16, mxfp8 from fp8.
std::vector<std::string> words_of(Precision precision) {
  if (precision == Precision::bf16)
    return {"fp32", "tf32", "fp16", "bf16", "fp64"};
  if (precision == Precision::fp8)
    return {"fp8", "mxfp8"};
  return {std::string(to_word(precision))};
}

}  // namespace

std::map<std::string, std::string> constant_files(const std::vector<KernelSet>& sets) {
  std::vector<CostConstants> fitted;
  for (const KernelSet& set : sets) {
    std::vector<std::size_t> all(set.points.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = i;
    fitted.push_back(fit_set(set, all, pooled_prior(set, {}, {}, false)));
  }
  // Links have siblings of their own kind: a second pass starts from what the others found.
  const std::vector<CostConstants> first = fitted;
  std::map<std::string, std::string> first_card;  // by family
  for (const KernelSet& set : sets)
    if (set.kind != KernelSet::Kind::collective)
      for (const std::string& card : set.cards)
        if (auto [found, is_new] = first_card.try_emplace(set.family, card); !is_new)
          found->second = std::min(found->second, card);
  std::map<std::string, ConstantList> files;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const KernelSet& set = sets[s];
    if (set.kind == KernelSet::Kind::collective) {
      if (set.name.starts_with("network"))
        continue;  // few systems, of which each is another: the constants of networks are set by hand
      std::vector<std::size_t> all(set.points.size());
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
      const CostConstants constants = fit_set(set, all, pooled_prior(set, sets, first, false));
      const bool by_card = set.link != "nvlink-switch" || set.name.ends_with(" tray");
      for (const std::string& owner : by_card ? set.cards : std::vector<std::string>{set.family})
        add_fitted(files["link-" + set.link + "-" + owner + ".json"], "docs/models/collectives.md", set, constants,
                   {""});
      continue;
    }
    const std::string& card = set.cards.front();
    const std::string owner = first_card.at(set.family) == card ? set.family : card;
    ConstantList& file = files["kernels-" + owner + ".json"];
    if (set.kind == KernelSet::Kind::gemm)
      add_fitted(file, "docs/models/gemm.md", set, fitted[s], words_of(set.precision));
    else
      add_fitted(file, "docs/models/attention.md", set, fitted[s], {""});
  }
  std::map<std::string, std::string> texts;
  for (const auto& [name, file] : files)
    texts.emplace(name, file.text());
  return texts;
}

}  // namespace trainwright::model::validation
