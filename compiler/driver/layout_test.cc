// The layouts of the suites' models: between two convolutions no image is
// converted, whatever lies between them.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "compiler/driver/compile_options.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/stages.h"
#include "compiler/frontend/onnx/import.h"
#include "compiler/target/target.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "suites/models/catalog.h"

namespace assay::driver {
namespace {

using graph::Graph;
using graph::Node;
using graph::OpKind;

std::unique_ptr<Graph> Kernels(const std::string& model, const char* target) {
  const auto proto = suites::BuildFromCatalog(model, {});
  CHECK(proto.ok()) << proto.status();
  auto graph = frontend::ImportOnnxModel(*proto);
  CHECK(graph.ok()) << graph.status();
  DumpDir dump("");
  const absl::Status optimized =
      OptimizeGraph(**graph, *target::Target::Parse(target), {}, dump);
  CHECK(optimized.ok()) << optimized;
  return *std::move(graph);
}

bool Computes(const Node& kernel, OpKind kind) {
  if (kernel.kind() != OpKind::kKernel) return false;
  for (const auto& node :
       kernel.attrs_as<graph::KernelAttrs>().body->node_list()) {
    if (node->kind() == kind) return true;
  }
  return false;
}

bool ReadsAnInput(const Node& kernel) {
  for (const graph::Value operand : kernel.inputs()) {
    if (operand.node->kind() == OpKind::kInput) return true;
  }
  return false;
}

// Whether a convolution depends on `node`.
bool LeadsToConv2d(const Node* node) {
  std::set<const Node*> seen = {node};
  std::vector<const Node*> pending = {node};
  while (!pending.empty()) {
    const Node* next = pending.back();
    pending.pop_back();
    for (const graph::Use& use : next->users()) {
      if (Computes(*use.user, OpKind::kConv2d)) return true;
      if (seen.insert(use.user).second) pending.push_back(use.user);
    }
  }
  return false;
}

TEST(LayoutTest, NothingIsConvertedBetweenConvolutions) {
  for (const char* target :
       {"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3",
        "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4",
        "llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53"}) {
    for (const char* model : {"resnet18", "mobilenet_v1", "mobilenet_v2"}) {
      int convolutions = 0;
      const std::unique_ptr<Graph> graph = Kernels(model, target);
      for (const Node* node : graph->Nodes()) {
        convolutions += Computes(*node, OpKind::kConv2d) ? 1 : 0;
        if (!Computes(*node, OpKind::kLayoutTransform)) continue;
        EXPECT_TRUE(ReadsAnInput(*node) || !LeadsToConv2d(node))
            << model << " on " << target << ": " << node->Label();
      }
      EXPECT_GE(convolutions, 20) << model;
    }
  }
}

}  // namespace
}  // namespace assay::driver
