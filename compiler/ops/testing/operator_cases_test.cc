#include "compiler/ops/testing/operator_cases.h"

#include <memory>
#include <set>
#include <string>

#include "compiler/graph/graph.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

TEST(OperatorCasesTest, CoversEveryOperatorWithAKernel) {
  std::set<graph::OpKind> seen;
  std::set<std::string> names;
  for (const OperatorCase& c : OperatorCases()) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    const std::unique_ptr<graph::Graph> graph = graph::GraphFromText(c.graph);
    for (const graph::Node* node : graph->Nodes()) seen.insert(node->kind());
  }
  // Kernels exist only during compilation; batch_norm is removed.
  const std::set<std::string> without = {"constant", "batch_norm", "kernel"};
#define ASSAY_EXPECT_SEEN(kind, op, pattern, attrs, rule) \
  EXPECT_TRUE(seen.count(graph::OpKind::kind) + without.count(op) == 1) << op;
  ASSAY_FOR_EACH_GRAPH_OP(ASSAY_EXPECT_SEEN)
#undef ASSAY_EXPECT_SEEN
}

}  // namespace
}  // namespace assay::ops
