// Real files, where a samples folder is at hand; the expected counts are in its SOURCES.md.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hf_fixture.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model::test {
namespace {

struct Sample {
  const char* file;
  std::int64_t total;
  std::int64_t active;
};

void PrintTo(const Sample& sample, std::ostream* out) {
  *out << sample.file;
}

class HfSamples : public testing::TestWithParam<Sample> {};

TEST_P(HfSamples, HasTheListedNumber) {
  if (hf_samples().empty())
    GTEST_SKIP() << "no samples folder; set TRAINWRIGHT_SAMPLES";
  Diagnostics diagnostics;
  const std::string text = read_file(hf_samples() / (std::string(GetParam().file) + ".config.json"), diagnostics);
  const Imported imported = import_text(text);
  ASSERT_TRUE(imported.model) << imported.diagnostics.to_text();
  EXPECT_EQ(parameter_count(*imported.model).total, GetParam().total);
  EXPECT_EQ(parameter_count(*imported.model).active, GetParam().active);
  EXPECT_EQ(imported.diagnostics.to_text(), "");
}

std::string test_name(const testing::TestParamInfo<Sample>& info) {
  std::string name = info.param.file;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0)
      c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Files, HfSamples,
                         testing::Values(Sample{"gpt2-large", 774'030'080, 774'030'080},  // case H07
                                         Sample{"llama-2-7b-hf", 6'738'415'616, 6'738'415'616},
                                         Sample{"Meta-Llama-3.1-8B", 8'030'261'248, 8'030'261'248},
                                         Sample{"Meta-Llama-3.1-70B", 70'553'706'496, 70'553'706'496},
                                         Sample{"Meta-Llama-3.1-405B", 405'853'388'800, 405'853'388'800},
                                         Sample{"Qwen3-8B", 8'190'735'360, 8'190'735'360},
                                         Sample{"Qwen3-32B", 32'762'123'264, 32'762'123'264},  // case H01
                                         Sample{"Mixtral-8x7B-v0.1", 46'702'792'704, 12'879'925'248},
                                         Sample{"Qwen3-30B-A3B", 30'532'122'624, 3'353'032'704},
                                         Sample{"DeepSeek-V2-Lite", 15'706'484'224, 2'661'150'208},
                                         Sample{"DeepSeek-V3", 671'026'419'200, 37'552'297'472},
                                         Sample{"bert-base-uncased", 109'482'240, 109'482'240}),
                         test_name);

}  // namespace
}  // namespace trainwright::model::test
