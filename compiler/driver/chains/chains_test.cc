// The code of a chain of operators grows linearly with its length, whatever the
// operators are and however often they use their operands. chains_nightly
// measures time and memory for longer chains.
#include "compiler/graph/testing/chains.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/driver/dump.h"
#include "compiler/driver/stages.h"
#include "compiler/graph/graph.h"
#include "compiler/lower/lower.h"
#include "compiler/ops/kernel/kernel.h"
#include "compiler/ops/testing/kernel_check.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/visitor.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::driver {
namespace {

using graph::ChainStep;
using graph::Graph;
using graph::KernelAttrs;
using graph::Node;
using graph::OpKind;

// Counts statements and nodes of expressions, as often as passes visit them.
class NodeCounter : public tir::StmtVisitor {
 public:
  using StmtVisitor::Visit;
  int64_t count = 0;

  void Visit(const expr::Expr& e) override {
    ++count;
    StmtVisitor::Visit(e);
  }
  void Visit(const tir::Stmt& s) override {
    ++count;
    StmtVisitor::Visit(s);
  }
};

std::unique_ptr<Graph> Fused(std::unique_ptr<Graph> graph) {
  DumpDir no_dump("");
  const absl::Status status = OptimizeGraph(
      *graph, ops::CheckTarget(ops::kCheckTargets[0]), {}, no_dump);
  CHECK(status.ok()) << status;
  return graph;
}

// Returns the size of the loop programs of all kernels before code generation.
int64_t SizeOf(const Graph& graph) {
  const target::Target target = ops::CheckTarget(ops::kCheckTargets[0]);
  NodeCounter counter;
  for (const Node* node : graph.Nodes()) {
    if (node->kind() != OpKind::kKernel) continue;
    const auto kernel =
        ops::BuildKernel(*node->attrs_as<KernelAttrs>().body, target);
    CHECK(kernel.ok()) << kernel.status();
    const auto function =
        lower::Lower(kernel->schedule, "f", kernel->inputs, kernel->outputs);
    CHECK(function.ok()) << function.status();
    counter.Visit(tir::LowerLoops(*function).body);
  }
  return counter.count;
}

// Returns the result of the first kernel that is wrong.
std::string WrongKernel(const Graph& graph) {
  ops::CheckOptions options;
  options.absolute = 1e-4;
  options.relative = 1e-4;
  for (const Node* node : graph.Nodes()) {
    if (node->kind() != OpKind::kKernel) continue;
    std::string wrong = ops::CheckKernel(*node->attrs_as<KernelAttrs>().body,
                                         ops::kCheckTargets[0], options);
    if (!wrong.empty()) return absl::StrCat(node->Label(), ": ", wrong);
  }
  return "";
}

// Expects that a chain of twice the length has not much more than twice the
// size.
void ExpectLinear(const Graph& chain, const Graph& longer) {
  EXPECT_LE(SizeOf(longer), 2.5 * static_cast<double>(SizeOf(chain)) + 200)
      << chain.name();
}

TEST(ChainsTest, SizeOfEveryPairIsLinear) {
  for (const ChainStep& a : graph::ChainSteps()) {
    for (const ChainStep& b : graph::ChainSteps()) {
      ExpectLinear(*Fused(graph::AlternatingChain(a, b, 20)),
                   *Fused(graph::AlternatingChain(a, b, 40)));
    }
  }
}

TEST(ChainsTest, SizeOfGathersIsLinear) {
  for (const bool collect : {false, true}) {
    ExpectLinear(*Fused(graph::GatherChain(16, collect)),
                 *Fused(graph::GatherChain(32, collect)));
  }
}

TEST(ChainsTest, KernelsOfChainsAreRight) {
  for (const ChainStep& step : graph::ChainSteps()) {
    const auto chain = Fused(graph::AlternatingChain(step, step, 16));
    EXPECT_EQ(WrongKernel(*chain), "") << step.name;
  }
  EXPECT_EQ(WrongKernel(*Fused(graph::GatherChain(12, false))), "");
  EXPECT_EQ(WrongKernel(*Fused(graph::GatherChain(12, true))), "");
}

// Elementwise operators stay in one kernel, which stores nothing in between.
TEST(ChainsTest, ElementwiseChainIsOneKernel) {
  for (const ChainStep& step : graph::ChainSteps().subspan(0, 6)) {
    const auto chain = Fused(graph::AlternatingChain(step, step, 60));
    int kernels = 0;
    for (const Node* node : chain->Nodes()) {
      kernels += node->kind() == OpKind::kKernel ? 1 : 0;
    }
    EXPECT_EQ(kernels, 1) << step.name;
  }
}

}  // namespace
}  // namespace assay::driver
