// What the lowering of every operator needs: the plan, the sizes that follow from it, and helpers that write tasks.
// Internal to model/plan/lowering*.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <utility>
#include <vector>

#include "model/plan/lowering.hpp"
#include "model/workload/software_stack.hpp"

namespace trainwright::model {

/// Sizes of one micro-batch on one rank.
struct LoweringContext {
  LoweringContext(const OperatorGraph& graph, const Plan& plan);

  const OperatorGraph& graph;
  const Plan& plan;
  SoftwareStack stack;
  Recompute recompute;   ///< of the layer that is lowered
  Precision stored;      ///< of activations
  std::int64_t element;  ///< its bytes
  int tp;
  int cp;
  int ep;
  int etp;
  bool is_sequence_parallel;   ///< tokens outside split operators are spread over the tensor group
  std::int64_t seq;            ///< tokens of a sequence on this context rank, without padding
  std::int64_t tokens;         ///< of the micro-batch inside split operators
  std::int64_t spread_tokens;  ///< outside them
  std::int64_t loss_tokens;    ///< that head and loss see
  std::int64_t routed_tokens;  ///< that this rank routes to experts: its share of the tensor group's

  [[nodiscard]] ByteCount bytes(std::int64_t elements) const { return tensor_bytes(elements, stored); }

  /// Rows that an expert of this rank works on, the fullest rank's; and all experts of the rank.
  [[nodiscard]] std::int64_t rows_per_expert(const Operator& op) const;
  [[nodiscard]] std::int64_t expert_rows(const Operator& op) const;
  [[nodiscard]] std::int64_t local_experts(const Operator& op) const { return op.experts / ep; }
  /// Copies of tokens that a rank sends to the experts (and gets back), padded like the rows.
  [[nodiscard]] std::int64_t sent_rows(const Operator& op) const;

  /// Rows of a linear operator or activation.
  [[nodiscard]] std::int64_t rows(const Operator& op) const;
  [[nodiscard]] std::int64_t local_in(const Operator& op) const;
  [[nodiscard]] std::int64_t local_out(const Operator& op) const;
  [[nodiscard]] std::int64_t local_heads(const AttentionShape& a) const { return a.heads / tp; }
  /// Fewer key-value heads than ranks: replicated.
  [[nodiscard]] std::int64_t local_kv_heads(const AttentionShape& a) const;
  [[nodiscard]] std::int64_t local_vocab() const;

  [[nodiscard]] Work memory(std::int64_t read_elements, std::int64_t written_elements, int kernels = 1) const;
  [[nodiscard]] Work traffic(std::int64_t read_bytes, std::int64_t written_bytes, int kernels) const;
  [[nodiscard]] Work gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t batch = 1) const;
};

/// The tasks of one operator in one pass, the ones that wait for its inputs, and the one whose end makes its result
/// available.
struct OperatorTasks {
  std::vector<Task> tasks;
  std::vector<std::pair<int, int>> dependencies;
  std::vector<int> heads;
  int output = -1;
};

/// Writes OperatorTasks. Tasks are issued in the order of the calls; each returns its position. The last one written is
/// the output unless said otherwise; the first is a head.
class TaskWriter {
 public:
  TaskWriter(const LoweringContext& context, OperatorId op, Pass pass) : context_(context), op_(op), pass_(pass) {}

  int compute(Work work, std::initializer_list<int> after = {}, BackwardPart part = BackwardPart::none);
  /// On the stream of collectives.
  int collective(CollectiveKind kind, GroupAxis axis, ByteCount bytes, std::initializer_list<int> after = {});
  void head(int task) { out_.heads.push_back(task); }
  void output(int task) { out_.output = task; }
  [[nodiscard]] int output() const { return out_.output; }
  Task& at(int task) { return out_.tasks[static_cast<std::size_t>(task)]; }
  OperatorTasks take() { return std::move(out_); }

 private:
  int add(Task task, std::initializer_list<int> after, BackwardPart part);

  const LoweringContext& context_;
  OperatorId op_;
  Pass pass_;
  OperatorTasks out_;
};

}  // namespace trainwright::model
