// Launch configurations of other software, each as small as its point allows.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/io/importers/imported_request.hpp"

namespace trainwright::model {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using Read = std::optional<ImportedRequest> (*)(std::string_view, const std::string&, Diagnostics&);

ImportedRequest good(Read read, const std::string& text) {
  Diagnostics diagnostics;
  const std::optional<ImportedRequest> request = read(text, "f", diagnostics);
  EXPECT_TRUE(request) << diagnostics.to_text();
  return request.value_or(ImportedRequest{});
}

std::string refusal(Read read, const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(read(text, "f", diagnostics));
  return diagnostics.to_text();
}

// Settings of NVIDIA/Megatron-LM, examples/gpt3/train_gpt3_175b_distributed.sh.
constexpr const char* kGpt3 = R"(
  torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py \
    --num-layers 96 --hidden-size 12288 --num-attention-heads 96 --seq-length 2048 --max-position-embeddings 2048 \
    --micro-batch-size 1 --global-batch-size 1536 --fp16 \
    --tensor-model-parallel-size 8 --pipeline-model-parallel-size 16 --train-iters 500000 --save-interval 10000
)";

TEST(LayoutCases, V21ALaunchThatDoesNotFitItsOwnLayoutIsRefusedWithTheRanksNeeded) {
  const ImportedRequest gpt3 = good(request_from_megatron, kGpt3);
  EXPECT_EQ(gpt3.ranks_multiple, 128);
  EXPECT_THAT(gpt3.problems,
              ElementsAre("the layout needs a multiple of 128 ranks (16 nodes of 8), the launcher starts 8"));
  EXPECT_EQ(gpt3.known_model, "gpt3-175b");
  // Of examples/mixtral: PP 4 x EP 8.
  const ImportedRequest mixtral = good(request_from_megatron, R"(
    # launcher default: nproc_per_node=8 nnodes=1
    --pipeline-model-parallel-size 4
    --expert-model-parallel-size 8
    --num-experts 8
    --bf16)");
  EXPECT_EQ(mixtral.ranks_multiple, 32);
  EXPECT_THAT(mixtral.problems, ElementsAre(HasSubstr("needs a multiple of 32 ranks (4 nodes of 8)")));
}

TEST(PlannerCases, T16MegatronArgumentsBecomeChoices) {
  const ImportedRequest request = good(request_from_megatron, R"(
    --micro-batch-size 2 --global-batch-size 64 --seq-length 8192 --bf16 --fp8-format hybrid
    --tensor-model-parallel-size 4 --context-parallel-size 2 --sequence-parallel --use-distributed-optimizer
    --overlap-grad-reduce --recompute-granularity selective --num-layers-per-virtual-pipeline-stage 3
    --optimizer sgd --attention-backend flash --lr 3e-4 --log-interval 10 --moe-grouped-gemm --no-such-flag 7)");
  const PlanChoices& c = request.choices;
  EXPECT_EQ(c.tp, 4);
  EXPECT_EQ(c.cp, 2);
  EXPECT_EQ(c.pp, 1);
  EXPECT_EQ(c.sequence_parallel, true);
  EXPECT_EQ(c.zero, 1);
  EXPECT_EQ(c.overlap_gradients, true);
  EXPECT_EQ(c.recompute, Recompute::selective);
  EXPECT_EQ(c.layers_per_chunk, 3);
  EXPECT_EQ(c.micro_batch, 2);
  EXPECT_EQ(c.global_batch, 64);
  EXPECT_EQ(c.seq_len, 8192);
  EXPECT_EQ(c.precision, Precision::fp8);
  EXPECT_EQ(c.optimizer, OptimizerKind::sgd_momentum);
  EXPECT_EQ(c.attention, AttentionKernel::flash);
  EXPECT_EQ(c.framework, "megatron-core");
  EXPECT_THAT(request.unknown, ElementsAre("--no-such-flag 7"));
  EXPECT_THAT(request.without_effect, UnorderedElementsAre("--lr", "--log-interval"));
  EXPECT_THAT(request.notes, Contains(HasSubstr("--moe-grouped-gemm changes time or memory")));
}

TEST(MegatronArguments, WithoutAFlagItsDefaultHolds) {
  const ImportedRequest request = good(request_from_megatron, "--num-layers 2 --sequence-parallel");
  EXPECT_EQ(request.choices.precision, Precision::fp32);
  EXPECT_EQ(request.choices.zero, 0);
  EXPECT_EQ(request.choices.overlap_gradients, false);
  EXPECT_EQ(request.choices.recompute, Recompute::none);
  EXPECT_EQ(request.choices.sequence_parallel, false) << "with one tensor-parallel rank it does nothing";
  EXPECT_THAT(request.asked,
              ElementsAre(HasSubstr("--micro-batch"), HasSubstr("--global-batch"), HasSubstr("--seq-len")));
}

TEST(MegatronArguments, VariablesOfTheScriptAreFilledIn) {
  const ImportedRequest request = good(request_from_megatron, R"SH(
GPUS_PER_NODE=4
NUM_NODES=${SLURM_NNODES:-2}
DISTRIBUTED_ARGS=(
  --nproc_per_node $GPUS_PER_NODE
  --nnodes ${NUM_NODES}
)
MODEL_ARGS="--tensor-model-parallel-size 2 \
  --micro-batch-size 1"
torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py $MODEL_ARGS --seq-length $SEQ)SH");
  EXPECT_EQ(request.launched_ranks, 8);
  EXPECT_EQ(request.choices.tp, 2);
  EXPECT_EQ(request.choices.micro_batch, 1);
  EXPECT_EQ(request.choices.gpus, 8);
  EXPECT_THAT(request.asked, Contains("--seq-length is $SEQ, which the text does not set"));
}

TEST(MegatronArguments, WrongValuesAreAllReported) {
  EXPECT_EQ(refusal(request_from_megatron,
                    "--tensor-model-parallel-size eight --micro-batch-size 0 --recompute-granularity some"),
            "f: --tensor-model-parallel-size: is \"eight\"; a whole number above 0 is needed\n"
            "f: --micro-batch-size: is \"0\"; a whole number above 0 is needed\n"
            "f: --recompute-granularity: is \"some\"; allowed: full, selective\n");
  EXPECT_THAT(refusal(request_from_megatron, "ls -l"), HasSubstr("holds no argument of Megatron-LM"));
  EXPECT_THAT(refusal(request_from_megatron, "\"unclosed $"), HasSubstr("holds no argument of Megatron-LM"));
}

TEST(PlannerCases, T16DeepSpeedConfigurationsBecomeChoices) {
  const ImportedRequest request = good(request_from_deepspeed, R"({
    "train_batch_size": 256, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 8,
    "bf16": {"enabled": true}, "optimizer": {"type": "AdamW", "params": {"lr": "auto"}},
    "zero_optimization": {"stage": 2, "overlap_comm": true, "reduce_bucket_size": 5e7, "allgather_bucket_size": 2e8,
                          "made_up": 1},
    "steps_per_print": 10})");
  const PlanChoices& c = request.choices;
  EXPECT_EQ(c.global_batch, 256);
  EXPECT_EQ(c.micro_batch, 4);
  EXPECT_EQ(c.micro_batches, 8);
  EXPECT_EQ(c.precision, Precision::bf16);
  EXPECT_EQ(c.optimizer, OptimizerKind::adam);
  EXPECT_EQ(c.zero, 2);
  EXPECT_EQ(c.overlap_gradients, true);
  EXPECT_EQ(c.bucket, ByteCount(100'000'000)) << "the key counts elements";
  EXPECT_EQ(c.framework, "deepspeed");
  EXPECT_THAT(request.unknown, ElementsAre("zero_optimization/made_up 1"));
  EXPECT_THAT(request.without_effect, UnorderedElementsAre("optimizer/params", "steps_per_print"));
  EXPECT_THAT(request.notes, Contains(HasSubstr("8 data-parallel replicas")));
  EXPECT_THAT(request.problems, IsEmpty());
}

TEST(PlannerCases, T16AutoIsAskedFor) {
  const ImportedRequest request = good(request_from_deepspeed, R"({
    "fp16": {"enabled": "auto"}, "zero_optimization": {"stage": 3, "reduce_bucket_size": "auto"},
    "train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": 1})");
  EXPECT_THAT(request.asked, UnorderedElementsAre("train_batch_size is auto: --global-batch",
                                                  "train_micro_batch_size_per_gpu is auto: --micro-batch",
                                                  "fp16/enabled is auto: --precision fp16",
                                                  "zero_optimization/reduce_bucket_size is auto: --bucket",
                                                  HasSubstr("--seq-len"), HasSubstr("--gpus")));
  EXPECT_FALSE(request.choices.global_batch);
  EXPECT_FALSE(request.choices.precision);
  EXPECT_EQ(request.choices.micro_batches, 1);
  EXPECT_EQ(request.choices.overlap_gradients, true) << "stage 3 overlaps unless told otherwise";
}

TEST(DeepSpeedConfiguration, OffloadToTheHostIsAChoiceAndToDisksAProblem) {
  const ImportedRequest request = good(request_from_deepspeed, R"({"zero_optimization": {"stage": 3,
    "offload_optimizer": {"device": "cpu"}, "offload_param": {"device": "nvme"}}})");
  EXPECT_EQ(request.choices.offload_optimizer, true);
  EXPECT_FALSE(request.choices.offload_parameters);
  EXPECT_THAT(request.problems, ElementsAre(HasSubstr("zero_optimization/offload_param to nvme")));
}

TEST(DeepSpeedConfiguration, BatchesThatContradictEachOtherAreAProblem) {
  const ImportedRequest request = good(request_from_deepspeed, R"({
    "train_batch_size": 30, "train_micro_batch_size_per_gpu": 4, "gradient_accumulation_steps": 2})");
  EXPECT_THAT(request.problems, ElementsAre(HasSubstr("train_batch_size 30 is no multiple of")));
}

TEST(DeepSpeedConfiguration, WrongValuesAreAllReported) {
  EXPECT_EQ(refusal(request_from_deepspeed, R"({"train_batch_size": "many", "train_micro_batch_size_per_gpu": 1.5,
                "fp16": {"enabled": 1}, "zero_optimization": {"stage": 4}})"),
            "f: /train_batch_size: is \"many\"; a number from 0 or \"auto\" is needed\n"
            "f: /train_micro_batch_size_per_gpu: is 1.5; a whole number above 0 is needed\n"
            "f: /fp16/enabled: is 1; true, false or \"auto\" is needed\n"
            "f: /zero_optimization/stage: is 4; allowed: 0, 1, 2, 3\n");
  EXPECT_THAT(refusal(request_from_deepspeed, "{}"), HasSubstr("is no configuration of DeepSpeed"));
  EXPECT_THAT(refusal(request_from_deepspeed, "[1]"), HasSubstr("is no configuration of DeepSpeed"));
}

TEST(PlannerCases, T16AccelerateConfigurationsBecomeChoices) {
  const ImportedRequest request = good(request_from_accelerate, R"(
distributed_type: FSDP
mixed_precision: 'bf16'
num_machines: 2
num_processes: 16
fsdp_config:
  fsdp_sharding_strategy: HYBRID_SHARD
  fsdp_activation_checkpointing: true
  fsdp_offload_params: false
  fsdp_forward_prefetch: true
  fsdp_sync_module_states: true
  fsdp_nonsense: 3
)");
  const PlanChoices& c = request.choices;
  EXPECT_EQ(c.gpus, 16);
  EXPECT_EQ(c.zero, 3);
  EXPECT_EQ(c.zero_group, 8) << "hybrid sharding shards inside a node";
  EXPECT_EQ(c.recompute, Recompute::full);
  EXPECT_EQ(c.precision, Precision::bf16);
  EXPECT_EQ(c.framework, "fsdp");
  EXPECT_THAT(request.unknown, ElementsAre("fsdp_config/fsdp_nonsense 3"));
  EXPECT_THAT(request.without_effect, ElementsAre("fsdp_config/fsdp_sync_module_states"));
  EXPECT_THAT(request.notes, Contains(HasSubstr("fsdp_forward_prefetch true changes time or memory")));
  EXPECT_THAT(request.asked,
              ElementsAre(HasSubstr("--micro-batch"), HasSubstr("--global-batch"), HasSubstr("--seq-len")));
}

TEST(AccelerateConfiguration, StrategiesAreStages) {
  const auto stage = [](const std::string& config) {
    return good(request_from_accelerate,
                "distributed_type: FSDP\nnum_processes: 8\nmixed_precision: fp16\nfsdp_config:\n" + config)
        .choices.zero;
  };
  EXPECT_EQ(stage("  fsdp_sharding_strategy: FULL_SHARD\n"), 3);
  EXPECT_EQ(stage("  fsdp_sharding_strategy: 1\n"), 3);
  EXPECT_EQ(stage("  fsdp_sharding_strategy: SHARD_GRAD_OP\n"), 2);
  EXPECT_EQ(stage("  fsdp_sharding_strategy: NO_SHARD\n"), 0);
  EXPECT_EQ(stage("  fsdp_version: 2\n  fsdp_reshard_after_forward: false\n"), 2);
  EXPECT_EQ(stage("  fsdp_version: 2\n  fsdp_reshard_after_forward: true\n"), 3);
}

TEST(AccelerateConfiguration, NoMeansFullPrecisionHoweverItIsWritten) {
  for (const char* const no : {"'no'", "no", "\"no\""})
    EXPECT_EQ(good(request_from_accelerate, std::string("distributed_type: MULTI_GPU\nnum_processes: 8\n"
                                                        "mixed_precision: ") +
                                                no + "\n")
                  .choices.precision,
              Precision::fp32);
}

TEST(AccelerateConfiguration, WrongValuesAreAllReported) {
  EXPECT_EQ(refusal(request_from_accelerate, "distributed_type: MANY\nnum_processes: 0\nmixed_precision: fp64\n"),
            "f: /num_processes: is \"0\"; a whole number above 0 is needed\n"
            "f: /mixed_precision: is \"fp64\"; allowed: no, fp16, bf16, fp8\n"
            "f: /distributed_type: is \"MANY\"; allowed: FSDP, MULTI_GPU, DEEPSPEED, MEGATRON_LM, NO\n");
  EXPECT_THAT(refusal(request_from_accelerate, "a: [1, 2"), HasSubstr("f: is not YAML"));
  EXPECT_THAT(refusal(request_from_accelerate, "just text"), HasSubstr("is no configuration of accelerate"));
  EXPECT_THAT(refusal(request_from_accelerate, ""), HasSubstr("is no configuration of accelerate"));
}

TEST(AccelerateConfiguration, ProcessesThatDoNotDivideAreAProblem) {
  EXPECT_THAT(
      good(request_from_accelerate, "distributed_type: MULTI_GPU\nnum_processes: 9\nnum_machines: 2\n").problems,
      ElementsAre("9 processes cannot be spread evenly over 2 machines"));
}

TEST(ImportedRequest, ChoicesBecomeOptions) {
  PlanChoices choices;
  choices.tp = 8;
  choices.sequence_parallel = true;
  choices.overlap_gradients = false;
  choices.bucket = ByteCount(26'214'400);
  choices.precision = Precision::bf16;
  EXPECT_THAT(option_words(choices), ElementsAre("--tp", "8", "--sequence-parallel", "--no-overlap", "--bucket",
                                                 "26.2144 MB", "--precision", "bf16"));
}

TEST(ImportedRequest, TextAndJsonHoldTheSame) {
  const ImportedRequest request = good(request_from_megatron, kGpt3);
  const std::string text = request_report(request);
  EXPECT_THAT(text, HasSubstr("cannot run as it stands\n  - the layout needs a multiple of 128 ranks"));
  EXPECT_THAT(text, HasSubstr("trainwright predict --model gpt3-175b --cluster CLUSTER --gpus 128 --tp 8 --pp 16"));
  const nlohmann::ordered_json value = request_value(request);
  EXPECT_EQ(value["choices"]["tp"], 8);
  EXPECT_EQ(value["ranks_multiple"], 128);
  EXPECT_EQ(value["problems"].size(), 1U);
}

}  // namespace
}  // namespace trainwright::model
