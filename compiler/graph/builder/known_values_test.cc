#include "compiler/graph/builder/known_values.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "gtest/gtest.h"
#include "runtime/base/element.h"
#include "runtime/base/memory_limit.h"

namespace assay::graph {
namespace {

class KnownValuesTest : public testing::Test {
 protected:
  // Returns the elements of the first output of a graph, or `unknown`.
  std::string Find(const std::string& text) {
    graph_ = GraphFromText(text);
    const NDArray* value = known_.Find(graph_->outputs()[0].value);
    if (value == nullptr) return "unknown";
    std::string elements;
    for (int64_t i = 0; i < value->num_elements(); ++i) {
      absl::StrAppend(&elements, i == 0 ? "" : " ",
                      value->dtype().is_float()
                          ? LoadFloat(*value, i)
                          : static_cast<double>(LoadInt(*value, i)));
    }
    return elements;
  }

  MemoryBudget memory_{kDefaultMaxMemory};
  std::unique_ptr<Graph> graph_;
  KnownValues known_{&memory_};
};

TEST_F(KnownValuesTest, EvaluatesFloatsAndReductions) {
  EXPECT_EQ(Find(R"(
      graph g(%x: float32[2]) -> (%6) {
        %1: float32[3] = constant {value=[1,2.5,4]}
        %2: float32[] = constant {value=[1.5]}
        %3: float32[3] = multiply(%1, %2)
        %4: float32[3] = ceil(%3)
        %5: float32[1] = reduce_max(%4) {axes=[0], keepdims=true}
        %6: int64[1] = cast(%5) {dtype=int64}
      })"),
            "6");
  EXPECT_LT(memory_.left(), kDefaultMaxMemory);
}

TEST_F(KnownValuesTest, ReturnsConstants) {
  EXPECT_EQ(Find(R"(
      graph g(%x: float32[2]) -> (%1) {
        %1: int64[2] = constant {value=[3,4]}
      })"),
            "3 4");
}

TEST_F(KnownValuesTest, FindsResultsAfterTheFirst) {
  EXPECT_EQ(Find(R"(
      graph g(%x: float32[2]) -> (%2.1) {
        %1: bool[4] = constant {value=[1,0,1,1]}
        %2: (int64[1,4], int64[]) = non_zero(%1)
      })"),
            "3");
}

TEST_F(KnownValuesTest, NothingIsKnownOfInputsAndOfConvolutions) {
  EXPECT_EQ(Find(R"(
      graph g(%x: float32[1]) -> (%2) {
        %1: float32[1] = constant {value=[1]}
        %2: float32[1] = add(%1, %x)
      })"),
            "unknown");
  EXPECT_EQ(Find(R"(
      graph g(%x: float32[1]) -> (%3) {
        %1: float32[1,1,1,1] = constant {value=[1]}
        %2: float32[1,1,1,1] = conv2d(%1, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
        %3: float32[1,1,1,1] = relu(%2)
      })"),
            "unknown");
}

TEST_F(KnownValuesTest, LargeResultsAreUnknown) {
  EXPECT_EQ(Find(R"(
      graph g(%x: float32[1]) -> (%2) {
        %1: float32[] = constant {value=[1]}
        %2: float32[300000] = broadcast_to(%1) {shape=[300000]}
      })"),
            "unknown");
}

// A chain of operands that is longer than the stack of recursive calls.
TEST_F(KnownValuesTest, EvaluatesLongChains) {
  Graph graph("g");
  Value value = {graph.AddConstant(NDArray::FromVector<int64_t>({}, {0}))};
  const Value one = {graph.AddConstant(NDArray::FromVector<int64_t>({}, {1}))};
  for (int i = 0; i < 100000; ++i) {
    value = {graph.AddNode(OpKind::kAdd, NoAttrs(), {value, one}).value()};
  }
  const NDArray* known = known_.Find(value);
  ASSERT_NE(known, nullptr);
  EXPECT_EQ(LoadInt(*known, 0), 100000);
}

}  // namespace
}  // namespace assay::graph
