#include "suites/tune/search/kernel_program.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/encoding/encode.h"
#include "compiler/graph/reference/evaluate.h"
#include "runtime/base/status_macros.h"
#include "runtime/executor/seeded_inputs.h"

namespace assay::suites {
namespace {

using graph::Graph;
using graph::Node;
using graph::Value;

// Activations of 8 bits use half of their range, so that sums of products do
// not saturate more often than in a network.
constexpr int64_t kByteLimit = 128;

// The speed of a thread of a usual processor, to estimate the time of a call.
constexpr double kBytesPerSecond = 10e9;
constexpr double kFlopsPerSecond = 100e9;
// A program takes about this time, if its weights need not be cold.
constexpr double kProgramSeconds = 5e-3;
// If reading the weights from memory takes less than this part of the time of
// the arithmetic, it does not matter whether they are in the caches.
constexpr double kMemoryShare = 0.03;

int64_t LimitOf(DType dtype) {
  return dtype.bits() == 8 && !dtype.is_bool() ? kByteLimit
                                               : runtime::kDefaultIndexLimit;
}

// The number of calls, and so of copies of the weights.
int CallsFor(const tune::Task& task, int64_t weights_bytes, int threads) {
  int64_t bytes = 0;  // of one copy
  for (const tune::ConstantOperand& constant : task.constants) {
    bytes += static_cast<int64_t>(constant.value.num_bytes());
  }
  if (bytes == 0) return 1;
  const double memory_s = static_cast<double>(bytes) / kBytesPerSecond;
  const double compute_s =
      static_cast<double>(task.flops) / (kFlopsPerSecond * threads);
  const bool cold = memory_s >= kMemoryShare * compute_s;
  const int64_t all = std::min(weights_bytes, kColdBytes);
  const double calls = cold ? std::ceil(static_cast<double>(all) / bytes)
                            : kProgramSeconds / compute_s;
  return static_cast<int>(
      std::clamp<double>(calls, 1, static_cast<double>(kMaxKernelCalls)));
}

// The operands of the kernel by itself.
std::vector<NDArray> Operands(const tune::Task& task, uint64_t seed) {
  std::vector<NDArray> operands;
  for (const Node* input : task.kernel->inputs()) {
    const graph::TensorType& type = input->type();
    operands.push_back(
        runtime::SeededInput(type.dtype, type.shape, LimitOf(type.dtype),
                             static_cast<int>(operands.size()), seed));
  }
  for (const tune::ConstantOperand& constant : task.constants) {
    operands.at(static_cast<size_t>(constant.operand)) = constant.value;
  }
  return operands;
}

}  // namespace

absl::StatusOr<KernelProgram> MakeKernelProgram(const tune::Task& task,
                                                int64_t weights_bytes,
                                                int threads, uint64_t seed) {
  KernelProgram program;
  program.calls = CallsFor(task, weights_bytes, threads);
  program.graph = std::make_unique<Graph>(task.key);
  const Node& kernel = *task.kernel->outputs().front().value.node;
  const std::vector<NDArray> operands = Operands(task, seed);
  std::vector<bool> constant(operands.size(), false);
  for (const tune::ConstantOperand& c : task.constants) {
    constant.at(static_cast<size_t>(c.operand)) = true;
  }
  const auto add_input = [&](const std::string& name,
                             size_t operand) -> absl::StatusOr<Value> {
    const graph::TensorType& type = task.kernel->inputs()[operand]->type();
    ASSAY_ASSIGN_OR_RETURN(Node * input, program.graph->AddInput(name, type));
    ASSAY_ASSIGN_OR_RETURN(NDArray stored,
                           graph::Encode(operands[operand], type.encoding));
    program.inputs.push_back({name, std::move(stored)});
    return Value{input};
  };
  std::vector<Value> values(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (constant[i]) continue;
    ASSAY_ASSIGN_OR_RETURN(values[i], add_input(absl::StrCat("p", i), i));
  }
  Node* last = nullptr;
  for (int call = 0; call < program.calls; ++call) {
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!constant[i]) continue;
      ASSAY_ASSIGN_OR_RETURN(values[i],
                             add_input(absl::StrCat("p", i, ".", call), i));
    }
    ASSAY_ASSIGN_OR_RETURN(
        last, program.graph->AddNode(graph::OpKind::kKernel, kernel.attrs(),
                                     values, absl::StrCat("call", call)));
  }
  ASSAY_ASSIGN_OR_RETURN(std::vector<NDArray> outputs,
                         graph::Evaluate(*task.kernel, operands));
  for (int i = 0; i < last->num_outputs(); ++i) {
    const std::string name = i == 0 ? "out" : absl::StrCat("out", i);
    program.graph->AddOutput(name, {last, i});
    ASSAY_ASSIGN_OR_RETURN(NDArray stored,
                           graph::Encode(outputs.at(static_cast<size_t>(i)),
                                         last->type(i).encoding));
    program.expected.push_back({name, std::move(stored)});
  }
  return program;
}

}  // namespace assay::suites
