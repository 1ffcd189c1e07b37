// SPDX-License-Identifier: Apache-2.0
#include "executor/app/cpu_engine.hpp"

#include <set>

#include "executor/kernels/cpu_kernels.hpp"
#include "executor/kernels/gemm.hpp"

namespace trainwright::executor {
namespace {

using model::Precision;

model::Task in_fp32(model::Task task) {
  if (auto* gemm = std::get_if<model::GemmWork>(&task.work))
    gemm->precision = Precision::fp32;
  else if (auto* attention = std::get_if<model::AttentionWork>(&task.work))
    attention->precision = Precision::fp32;
  return task;
}

model::Program in_fp32(const model::Program& program) {
  model::Program result;
  result.stage = program.stage;
  for (const model::Task& task : program.tasks)
    result.tasks.push_back(in_fp32(task));
  result.resident = program.resident;
  return result;
}

class CpuEngine final : public ComputeEngine {
 public:
  explicit CpuEngine(const model::Program& program) : kernels_(in_fp32(program)) {}
  void run(const model::Task& task) override { kernels_.run(in_fp32(task)); }

 private:
  CpuKernels kernels_;
};

}  // namespace

std::unique_ptr<ComputeEngine> make_cpu_engine(const model::Program& program) {
  return std::make_unique<CpuEngine>(program);
}

std::int64_t cpu_engine_memory_bytes(const model::Program& program) {
  return CpuKernels::memory_needed(in_fp32(program)).count();
}

std::pair<std::string, std::string> cpu_engine_version() {
  return {"openblas", gemm_library_description()};
}

std::vector<std::string> precision_modes(const model::ExecutionGraph& graph) {
  std::set<Precision> narrow;
  for (std::size_t p = 0; p < graph.program_count(); ++p)
    for (const model::Task& task : graph.program(model::ProgramId(p)).tasks) {
      Precision precision = Precision::fp32;
      if (const auto* gemm = std::get_if<model::GemmWork>(&task.work))
        precision = gemm->precision;
      else if (const auto* attention = std::get_if<model::AttentionWork>(&task.work))
        precision = attention->precision;
      else if (const auto* collective = std::get_if<model::CollectiveWork>(&task.work))
        precision = collective->precision;
      if (precision != Precision::fp32)
        narrow.insert(precision);
    }
  std::vector<std::string> modes;
  for (const Precision precision : narrow)
    modes.push_back(std::string(to_word(precision)) + " computed in fp32");
  return modes;
}

}  // namespace trainwright::executor
