#include "compiler/graph/builder/bounded_dims.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/testing/graph_testing.h"

namespace assay::graph {
namespace {

// The bounded dimension that Derive() gives the last node of a graph whose
// input `%x` is bounded along `axis` by `%n` and `%z` along the same axis by
// another extent: `axis 1`, `none` or the error.
std::string Derived(const std::string& inputs, int axis,
                    const std::string& node) {
  const std::unique_ptr<Graph> graph =
      GraphFromText(absl::StrCat("graph g(", inputs,
                                 ", %n: int64[], %m: "
                                 "int64[]) -> (%9) { %9: ",
                                 node, " }"));
  BoundedDims dims;
  Value n, m;
  for (Node* input : graph->inputs()) {
    if (input->name() == "n") n = {input};
    if (input->name() == "m") m = {input};
  }
  for (Node* input : graph->inputs()) {
    if (input->name() == "x" || input->name() == "y") {
      dims.Set({input}, {axis, n});
    }
    if (input->name() == "z") dims.Set({input}, {axis, m});
  }
  const Value result = graph->outputs()[0].value;
  const absl::Status status = dims.Derive(*result.node);
  if (!status.ok()) return std::string(status.message());
  if (!dims.IsBounded(result)) return "none";
  EXPECT_EQ(dims.Find(result).size(), 1u);
  const BoundedDim dim = dims.Find(result)[0];
  EXPECT_EQ(dim.extent, n);
  EXPECT_EQ(*dims.Find(result, dim.axis), dim);
  return absl::StrCat("axis ", dim.axis);
}

TEST(BoundedDimsTest, OperatorsThatKeepTheAxis) {
  const char* x = "%x: float32[6,3]";
  EXPECT_EQ(Derived(x, 0, "float32[6,3] = relu(%x)"), "axis 0");
  EXPECT_EQ(Derived(x, 1, "float32[3,6] = transpose(%x) {perm=[1,0]}"),
            "axis 0");
  EXPECT_EQ(Derived(x, 0, "float32[1,6,3,1] = reshape(%x) {shape=[1,6,3,1]}"),
            "axis 1");
  EXPECT_EQ(Derived(x, 0,
                    "float32[6,1] = slice(%x) {begins=[0,2], steps=[1,1], "
                    "sizes=[6,1]}"),
            "axis 0");
  EXPECT_EQ(Derived(x, 1, "float32[3] = reduce_max(%x) {axes=[0]}"), "axis 0");
  EXPECT_EQ(Derived(x, 0, "float32[6,3] = softmax(%x) {axis=1}"), "axis 0");
  EXPECT_EQ(Derived("%x: float32[6,3], %w: float32[4,3]", 0,
                    "float32[6,4] = dense(%x, %w)"),
            "axis 0");
  EXPECT_EQ(Derived("%x: float32[6,3], %w: float32[2,3,4]", 0,
                    "float32[2,6,4] = matmul(%x, %w)"),
            "axis 1");
  EXPECT_EQ(Derived("%x: float32[1,3]", 0,
                    "float32[2,1,3] = broadcast_to(%x) {shape=[2,1,3]}"),
            "axis 1");
  EXPECT_EQ(Derived("%x: float32[6,5], %i: float32[1,2,4,4]", 0,
                    "float32[6,2,1,1] = max_roi_pool(%i, %x) {output=[1,1], "
                    "scale=1}"),
            "axis 0");
  EXPECT_EQ(Derived("%x: int64[6], %t: float32[4,5]", 0,
                    "float32[4,6] = gather(%t, %x) {axis=1}"),
            "axis 1");
  EXPECT_EQ(Derived("%x: float32[6,3], %i: int64[]", 0,
                    "float32[6] = gather(%x, %i) {axis=1}"),
            "axis 0");
  EXPECT_EQ(Derived("%x: float32[6,3], %w: float32[3]", 0,
                    "float32[6,3] = add(%x, %w)"),
            "axis 0");
  EXPECT_EQ(Derived("%x: float32[6,3], %y: float32[6,3]", 0,
                    "float32[6,6] = concat(%x, %y) {axis=1}"),
            "axis 0");
  EXPECT_EQ(Derived("%w: float32[6,3]", 0, "float32[6,3] = relu(%w)"), "none");
  EXPECT_EQ(Derived("%w: float32[4,3], %x: float32[6,3]", 0,
                    "float32[4,6] = dense(%w, %x)"),
            "axis 1");
  EXPECT_EQ(Derived("%x: float32[6,2,3], %w: float32[3,4]", 0,
                    "float32[6,2,4] = matmul(%x, %w)"),
            "axis 0");
  EXPECT_EQ(Derived("%w: float32[2,3], %x: float32[3,6]", 1,
                    "float32[2,6] = matmul(%w, %x)"),
            "axis 1");
  EXPECT_EQ(Derived(x, 1, "float32[6,3] = cum_sum(%x) {axis=1}"), "axis 1");
  EXPECT_EQ(
      Derived(x, 0, "int64[6,2] = arg_sort(%x) {axis=1, k=2, descending=true}"),
      "axis 0");
  EXPECT_EQ(Derived(x, 0,
                    "float32[6,5] = pad(%x) {before=[0,2], after=[0,0], "
                    "value=0}"),
            "axis 0");
  EXPECT_EQ(Derived("%x: int64[6,1], %t: float32[4,5]", 0,
                    "float32[6,5] = gather_nd(%t, %x) {batch_dims=0}"),
            "axis 0");
  EXPECT_EQ(Derived("%x: float32[6,3], %i: int64[2,1], %u: float32[2,3]", 1,
                    "float32[6,3] = scatter_nd(%x, %i, %u)"),
            "axis 1");
  EXPECT_EQ(Derived("%x: float32[6,1,5,5], %w: float32[2,1,3,3]", 0,
                    "float32[6,2,3,3] = conv2d(%x, %w) {strides=[1,1], "
                    "padding=[0,0,0,0], dilations=[1,1], groups=1}"),
            "axis 0");
  // The indices alone say how many elements the result has.
  EXPECT_EQ(Derived("%x: float32[6,3], %i: int64[2,1]", 0,
                    "float32[2,1] = gather_elements(%x, %i) {axis=1}"),
            "none");
}

TEST(BoundedDimsTest, SeveralAxes) {
  const auto graph = GraphFromText(R"(
      graph g(%x: float32[6,3], %y: float32[3], %n: int64[], %m: int64[]) -> (%3) {
        %1: float32[6,3] = add(%x, %y)
        %2: float32[3,6] = transpose(%1) {perm=[1,0]}
        %3: float32[3] = reduce_sum(%2) {axes=[1]}
      })");
  const Value n = {graph->inputs()[2]}, m = {graph->inputs()[3]};
  BoundedDims dims;
  dims.Set({graph->inputs()[0]}, {1, m});
  dims.Set({graph->inputs()[0]}, {0, n});
  dims.Set({graph->inputs()[1]}, {0, m});
  const Value sum = graph->outputs()[0].value;
  const Value turned = sum.node->input(0), added = turned.node->input(0);
  ASSERT_TRUE(dims.Derive(*added.node).ok());
  EXPECT_EQ(dims.Find(added).size(), 2u);
  EXPECT_EQ(dims.Find(added)[0], (BoundedDim{0, n}));
  EXPECT_EQ(dims.Find(added)[1], (BoundedDim{1, m}));
  ASSERT_TRUE(dims.Derive(*turned.node).ok());
  EXPECT_EQ(dims.Find(turned)[0], (BoundedDim{0, m}));
  EXPECT_EQ(dims.Find(turned)[1], (BoundedDim{1, n}));
  EXPECT_FALSE(dims.Derive(*sum.node).ok());
  EXPECT_TRUE(dims.Derive(*sum.node, {OperandAxis{0, 1}}).ok());
  ASSERT_EQ(dims.Find(sum).size(), 1u);
  EXPECT_EQ(dims.Find(sum)[0], (BoundedDim{0, m}));
}

TEST(BoundedDimsTest, RejectsOperatorsThatMixTheAxis) {
  const char* x = "%x: float32[6,3]";
  EXPECT_EQ(Derived(x, 0, "float32[18] = reshape(%x) {shape=[18]}"),
            "the extent of axis 0 of operand 0, float32[6,3] at most, is known "
            "only when the model runs, and reshape does not keep that axis "
            "apart");
  for (const char* node :
       {"float32[3] = reduce_sum(%x) {axes=[0]}",
        "float32[6,3] = softmax(%x) {axis=0}",
        "float32[12,3] = concat(%x, %x) {axis=0}",
        "float32[5,3] = slice(%x) {begins=[1,0], steps=[1,1], sizes=[5,3]}"}) {
    EXPECT_EQ(Derived(x, 0, node).substr(0, 10), "the extent") << node;
  }
  // Axis 1 of the first operand is summed over, for any rank of the result.
  EXPECT_EQ(Derived("%x: float32[2,6], %w: float32[3,6,4]", 1,
                    "float32[3,2,4] = matmul(%x, %w)")
                .substr(0, 10),
            "the extent");
  // The extent 0 or 1 of the operand is not that of the result.
  EXPECT_EQ(Derived("%x: float32[1,3]", 0,
                    "float32[5,3] = broadcast_to(%x) {shape=[5,3]}")
                .substr(0, 10),
            "the extent");
  // Axis 1 of regions holds their corners.
  EXPECT_EQ(Derived("%x: float32[6,5], %i: float32[1,5,4,4]", 1,
                    "float32[6,5,1,1] = max_roi_pool(%i, %x) {output=[1,1], "
                    "scale=1}")
                .substr(0, 10),
            "the extent");
  EXPECT_EQ(Derived("%x: float32[6,3], %w: float32[6,3]", 0,
                    "float32[6,3] = add(%x, %w)"),
            "operand 1, float32[6,3], meets one whose extent is known only "
            "when the model runs");
  EXPECT_EQ(Derived("%x: float32[6,3], %z: float32[6,3]", 0,
                    "float32[6,3] = add(%x, %z)"),
            "operands have different extents that are known only when the "
            "model runs, which add cannot combine");
}

}  // namespace
}  // namespace assay::graph
