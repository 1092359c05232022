#include "compiler/driver/setup_kernels.h"

#include <utility>

#include "absl/status/statusor.h"
#include "runtime/base/status_macros.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;
using graph::TensorType;

// What the encoding must add for a setup call to pay.
constexpr double kGrowth = 1.25;
constexpr int64_t kLeastBytes = 16 << 10;

// A graph of one kernel that stores its plain input as `type` says.
absl::StatusOr<std::unique_ptr<Graph>> EncodeKernel(const TensorType& type) {
  const auto body = std::make_shared<Graph>("encode");
  ASSAY_ASSIGN_OR_RETURN(Node * plain, body->AddInput("p0", type.plain()));
  ASSAY_ASSIGN_OR_RETURN(
      Node * encode,
      body->AddNode(OpKind::kEncode, graph::NoAttrs(), {{plain}}));
  ASSAY_RETURN_IF_ERROR(body->SetEncoding(encode, type.encoding));
  body->AddOutput("", {encode});
  auto graph = std::make_unique<Graph>("encode");
  ASSAY_ASSIGN_OR_RETURN(Node * input, graph->AddInput("p0", type.plain()));
  ASSAY_ASSIGN_OR_RETURN(
      Node * kernel,
      graph->AddNode(OpKind::kKernel, graph::KernelAttrs{body}, {{input}}));
  graph->AddOutput("out", {kernel});
  return graph;
}

}  // namespace

bool IsEncodedAtLoad(const TensorType& type, SetupMode setup) {
  if (IsPlain(type.encoding) || type.num_elements() == 0) return false;
  if (setup != SetupMode::kAuto) return setup == SetupMode::kLoad;
  const int64_t plain = type.plain().num_bytes(), stored = type.num_bytes();
  return stored - plain >= kLeastBytes &&
         static_cast<double>(stored) >= kGrowth * static_cast<double>(plain);
}

absl::Status SetupKernels::Add(const Graph& graph, SetupMode setup,
                               KernelLowering& lowering) {
  for (const auto& node : graph.node_list()) {
    if (node->kind() != OpKind::kConstant ||
        !IsEncodedAtLoad(node->type(), setup)) {
      continue;
    }
    ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Graph> alone,
                           EncodeKernel(node->type()));
    const Node* kernel = alone->outputs()[0].value.node;
    kernels_.push_back(std::move(alone));
    ASSAY_RETURN_IF_ERROR(lowering.Add(*kernel).status());
    symbols_[node.get()] = lowering.symbols().at(kernel);
  }
  return absl::OkStatus();
}

}  // namespace assay::driver
