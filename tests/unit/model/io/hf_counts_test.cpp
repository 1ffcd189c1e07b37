// Every supported family against the number of parameters its authors' files have. Sources: docs/models/parameters.md.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hf_fixture.hpp"
#include "model/workload/operator_list.hpp"
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

TEST_P(HfCounts, OperatorsHoldEveryParameter) {
  const Imported imported = import_fixture(GetParam().fixture);
  ASSERT_TRUE(imported.model) << imported.diagnostics.to_text();
  std::int64_t total = 0;
  for (const ListedOperator& listed : list_operators(*imported.model))
    total += listed.op.parameters;
  EXPECT_EQ(total, GetParam().total);
}

constexpr Published dense(const char* fixture, std::int64_t total) {
  return {fixture, total, total};
}

INSTANTIATE_TEST_SUITE_P(Gpt2AndRelatives, HfCounts,
                         testing::Values(dense("gpt2", 124'439'808), dense("gpt2-xl", 1'557'611'200),
                                         dense("opt-125m", 125'239'296), dense("opt-350m", 331'196'416),
                                         dense("bloom-560m", 559'214'592), dense("bloom", 176'247'271'424),
                                         dense("mpt-7b", 6'649'286'656)),
                         test_name);

INSTANTIATE_TEST_SUITE_P(ParallelBlocks, HfCounts,
                         testing::Values(dense("pythia-70m", 70'426'624), dense("gpt-neox-20b", 20'554'567'680),
                                         dense("gpt-j-6b", 6'050'882'784), dense("falcon-7b", 6'921'720'704),
                                         dense("falcon-40b", 41'303'293'952), dense("phi-1", 1'418'270'720),
                                         dense("phi-2", 2'779'683'840)),
                         test_name);

INSTANTIATE_TEST_SUITE_P(LlamaAndRelatives, HfCounts,
                         testing::Values(dense("llama-2-7b", 6'738'415'616), dense("llama-3.1-8b", 8'030'261'248),
                                         dense("llama-3.2-1b", 1'235'814'400), dense("llama-3.2-3b", 3'212'749'824),
                                         dense("mistral-7b", 7'241'732'096), dense("mistral-nemo-12b", 12'247'782'400),
                                         dense("phi-3-mini", 3'821'079'552), dense("phi-4", 14'659'507'200),
                                         dense("qwen2-0.5b", 494'032'768), dense("qwen2.5-7b", 7'615'616'512),
                                         dense("qwen1.5-72b", 72'287'920'128), dense("qwen3-0.6b", 596'049'920),
                                         dense("qwen3-32b", 32'762'123'264), dense("gemma-2b", 2'506'172'416),
                                         dense("gemma-7b", 8'537'680'896), dense("gemma-2-2b", 2'614'341'888),
                                         dense("gemma-2-27b", 27'227'128'320), dense("gemma-3-270m", 268'098'176),
                                         dense("gemma-3-1b", 999'885'952)),
                         test_name);

INSTANTIATE_TEST_SUITE_P(MixturesOfExperts, HfCounts,
                         testing::Values(Published{"mixtral-8x7b", 46'702'792'704, 12'879'925'248},
                                         Published{"mixtral-8x22b", 140'620'634'112, 39'152'031'744},
                                         Published{"qwen1.5-moe-a2.7b", 14'315'784'192, 2'689'173'504},
                                         Published{"qwen3-30b-a3b", 30'532'122'624, 3'353'032'704},
                                         Published{"qwen3-235b-a22b", 235'093'634'560, 22'190'763'520},
                                         Published{"deepseek-v2", 235'741'434'880, 21'375'800'320},
                                         Published{"deepseek-v2-lite", 15'706'484'224, 2'661'150'208},
                                         Published{"deepseek-v3", 671'026'419'200, 37'552'297'472},
                                         Published{"gpt-oss-20b", 20'914'757'184, 4'187'440'704},
                                         Published{"gpt-oss-120b", 116'829'156'672, 5'711'982'912}),
                         test_name);

INSTANTIATE_TEST_SUITE_P(Encoders, HfCounts,
                         testing::Values(dense("bert-base", 109'482'240), dense("bert-base-masked-lm", 109'514'298),
                                         dense("bert-base-pretraining", 110'106'428),
                                         dense("roberta-base", 124'697'433), dense("vit-base-patch16-224", 86'567'656),
                                         dense("vit-base-patch16-224-in21k", 86'389'248),
                                         dense("vit-large-patch16-224", 304'326'632), dense("t5-small", 60'506'624),
                                         dense("t5-base", 222'903'552), dense("t5-11b", 11'307'321'344),
                                         dense("flan-t5-base", 247'577'856), dense("mt5-small", 300'176'768)),
                         test_name);

}  // namespace
}  // namespace trainwright::model::test
