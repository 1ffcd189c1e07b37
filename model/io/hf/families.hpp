// The architectures Hugging Face files come in, one function for each configuration class. A family fills widths,
// layers, embeddings and norms of a Model; the head, the name and the checks common to all are hf_config.cpp's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/io/hf/hf_reader.hpp"
#include "model/workload/model_description.hpp"

namespace trainwright::model::hf {

// Sequential decoders with learned or ALiBi positions.
void read_gpt2(HfReader& config, Model& model);
void read_opt(HfReader& config, Model& model);
void read_bloom(HfReader& config, Model& model);
void read_mpt(HfReader& config, Model& model);

// Decoders whose attention and MLP may run side by side.
void read_gpt_neox(HfReader& config, Model& model);
void read_gptj(HfReader& config, Model& model);
void read_falcon(HfReader& config, Model& model);
void read_phi(HfReader& config, Model& model);

// Llama and its relatives: RMS norms, gated MLP, grouped queries.
void read_llama(HfReader& config, Model& model);
void read_mistral(HfReader& config, Model& model);
void read_phi3(HfReader& config, Model& model);
void read_qwen2(HfReader& config, Model& model);
void read_qwen3(HfReader& config, Model& model);
void read_gemma(HfReader& config, Model& model);
void read_gemma2(HfReader& config, Model& model);
void read_gemma3(HfReader& config, Model& model);

// Mixtures of experts.
void read_mixtral(HfReader& config, Model& model);
void read_qwen2_moe(HfReader& config, Model& model);
void read_qwen3_moe(HfReader& config, Model& model);
void read_deepseek_v2(HfReader& config, Model& model);
void read_deepseek_v3(HfReader& config, Model& model);
void read_gpt_oss(HfReader& config, Model& model);

// Encoders and encoder-decoders.
void read_bert(HfReader& config, Model& model);
void read_roberta(HfReader& config, Model& model);
void read_vit(HfReader& config, Model& model);
void read_t5(HfReader& config, Model& model);
void read_mt5(HfReader& config, Model& model);

}  // namespace trainwright::model::hf
