// The examples in docs/formats are read as a user would write them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "model/io/accelerator_v1.hpp"
#include "model/io/calibration_v1.hpp"
#include "model/io/cluster_v1.hpp"
#include "model/io/constants_value.hpp"
#include "model/io/estimate_v1.hpp"
#include "model/io/file.hpp"
#include "model/io/measurement_v1.hpp"
#include "model/io/model_v1.hpp"
#include "model/io/network_v1.hpp"
#include "model/io/plan_v1.hpp"

namespace trainwright::model {
namespace {

std::string page(const std::string& kind) {
  Diagnostics diagnostics;
  std::string text = read_file(TRAINWRIGHT_SOURCE_FOLDER "/docs/formats/" + kind + "_v1.md", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.to_text();
  return text;
}

// The blocks between ```json and ```.
std::vector<std::string> examples(const std::string& text) {
  constexpr std::string_view kBegin = "```json\n";
  std::vector<std::string> blocks;
  for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at)) {
    const std::size_t first = at + kBegin.size();
    at = text.find("```", first);
    blocks.push_back(text.substr(first, at - first));
  }
  return blocks;
}

// The errors of reading; a plan's example leaves out most constants, which are only warned about.
template <class Read>
std::function<std::string(const std::string&)> reader(Read read) {
  return [read](const std::string& text) {
    Diagnostics diagnostics;
    const bool has_value = read(text, "example", diagnostics).has_value();
    return has_value ? std::string() : "no value: " + diagnostics.to_text();
  };
}

TEST(FormatPages, HoldExamplesThatCanBeRead) {
  const std::map<std::string, std::function<std::string(const std::string&)>> readers{
      {"accelerator", reader(accelerator_from_json)},
      {"cluster", reader(cluster_from_json)},
      {"model", reader(model_from_json)},
      {"network", reader(network_from_json)},
      {"plan", reader(plan_from_json)},
      {"measurement", reader(measurement_from_json)},
      {"calibration", reader(calibration_from_json)},
      {"estimate", reader(estimate_from_json)}};
  for (const auto& [kind, problems] : readers) {
    SCOPED_TRACE(kind);
    const std::vector<std::string> blocks = examples(page(kind));
    EXPECT_FALSE(blocks.empty());
    for (const std::string& block : blocks)
      EXPECT_EQ(problems(block), "") << block;
  }
}

TEST(FormatPages, NameEveryConstant) {
  const std::string text = page("plan");
  for (const std::string& name : constant_names()) {
    // gemm.<precision>.x and node_link., network. are tabled once.
    std::string tabled = name;
    if (name.starts_with("gemm."))
      tabled = "gemm.*" + name.substr(name.find('.', 5));
    for (const std::string prefix : {"node_link.", "network."})
      if (name.starts_with(prefix))
        tabled = "link." + name.substr(prefix.size());
    EXPECT_NE(text.find("`" + tabled + "`"), std::string::npos) << tabled;
  }
}

}  // namespace
}  // namespace trainwright::model
