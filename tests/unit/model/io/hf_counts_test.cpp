// Every supported family against the number of parameters its authors' files have. Sources: docs/models/parameters.md.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hf_fixture.hpp"
#include "model/workload/parameters.hpp"

namespace trainwright::model::test {
namespace {

struct Published {
  const char* fixture;
  std::int64_t total;
  std::int64_t active;
};

void PrintTo(const Published& published, std::ostream* out) {
  *out << published.fixture;
}

std::string test_name(const testing::TestParamInfo<Published>& info) {
  std::string name = info.param.fixture;
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0)
      c = '_';
  return name;
}

class HfCounts : public testing::TestWithParam<Published> {};

TEST_P(HfCounts, ReproducesThePublishedNumber) {
  const Imported imported = import_fixture(GetParam().fixture);
  ASSERT_TRUE(imported.model) << imported.diagnostics.to_text();
  EXPECT_EQ(parameter_count(*imported.model).total, GetParam().total);
  EXPECT_EQ(parameter_count(*imported.model).active, GetParam().active);
  EXPECT_EQ(imported.diagnostics.to_text(), "");
}

constexpr Published dense(const char* fixture, std::int64_t total) {
  return {fixture, total, total};
}

INSTANTIATE_TEST_SUITE_P(Published, HfCounts,
                         testing::Values(dense("gpt2", 124'439'808), dense("gpt2-xl", 1'557'611'200),
                                         dense("llama-2-7b", 6'738'415'616), dense("llama-3.1-8b", 8'030'261'248),
                                         dense("llama-3.2-1b", 1'235'814'400), dense("mistral-7b", 7'241'732'096),
                                         dense("qwen2-0.5b", 494'032'768), dense("qwen1.5-72b", 72'287'920'128),
                                         dense("qwen3-32b", 32'762'123'264), dense("phi-3-mini", 3'821'079'552)),
                         test_name);

}  // namespace
}  // namespace trainwright::model::test
