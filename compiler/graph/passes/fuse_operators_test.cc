#include "compiler/graph/passes/fuse_operators.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

constexpr char kBefore[] = R"(
    graph g(%x: float32[2,3]) -> (%6) {
      %1: float32[4,3] = constant {fill=2} "w"
      %2: float32[2,4] = dense(%x, %1) "Gemm_0"
      %3: float32[4] = constant {value=[1,2,3,4]}
      %4: float32[2,4] = add(%2, %3) "Add_1"
      %5: float32[] = constant {value=[0.5]}
      %6: float32[2,4] = multiply(%4, %5) "Mul_2"
    })";

TEST(FuseOperatorsTest, TensorsBecomeInputsAndScalarsStayInBody) {
  EXPECT_EQ(CheckPass(std::make_unique<FuseOperators>(), kBefore, R"(
      graph g(%x: float32[2,3]) -> (%6) {
        %1: float32[4,3] = constant {fill=2}
        %3: float32[4] = constant {value=[1,2,3,4]}
        %6: float32[2,4] = kernel(%x, %1, %3) {
          graph fused(%p0: float32[2,3], %p1: float32[4,3],
                      %p2: float32[4]) -> (%4) {
            %1: float32[2,4] = dense(%p0, %p1)
            %2: float32[2,4] = add(%1, %p2)
            %3: float32[] = constant {value=[0.5]}
            %4: float32[2,4] = multiply(%2, %3)
          }
        }
      })"),
            "");
}

// The result of requantize has another element type than the product.
TEST(FuseOperatorsTest, ProductsOfIntegersAbsorbTheirRequantization) {
  EXPECT_EQ(CheckPass(std::make_unique<FuseOperators>(), R"(
      graph g(%x: uint8[2,3], %w: int8[4,3]) -> (%4) {
        %1: int32[2,4] = dense(%x, %w)
        %2: float32[] = constant {value=[0.5]}
        %3: uint8[] = constant {value=[7]}
        %4: uint8[2,4] = requantize(%1, %2, %3) {axis=0, dtype=uint8}
      })",
                      R"(
      graph g(%x: uint8[2,3], %w: int8[4,3]) -> (%4) {
        %4: uint8[2,4] = kernel(%x, %w) {
          graph fused(%p0: uint8[2,3], %p1: int8[4,3]) -> (%4) {
            %1: int32[2,4] = dense(%p0, %p1)
            %2: float32[] = constant {value=[0.5]}
            %3: uint8[] = constant {value=[7]}
            %4: uint8[2,4] = requantize(%1, %2, %3) {axis=0, dtype=uint8}
          }
        }
      })"),
            "");
}

TEST(FuseOperatorsTest, ConcatsOfManyOperandsAreKernelsOfTheirOwn) {
  for (const auto& [operands, kernels] :
       {std::pair<int, int>{32, 1}, std::pair<int, int>{33, 34}}) {
    Graph graph("g");
    std::vector<Value> parts;
    for (int i = 0; i < operands; ++i) {
      Node* x =
          graph.AddInput(absl::StrCat("x", i), {DType::Float32(), {2}}).value();
      parts.push_back({graph.AddNode(OpKind::kRelu, NoAttrs(), {{x}}).value()});
    }
    graph.AddOutput(
        "y", {graph.AddNode(OpKind::kConcat, ConcatAttrs{0}, parts).value()});
    ASSERT_TRUE(RunChecked(std::make_unique<FuseOperators>(), graph).ok());
    EXPECT_EQ(graph.num_nodes(), operands + kernels) << operands;
  }
}

TEST(FuseOperatorsTest, TakesNameOfAnchorAndSourcesOfAll) {
  const auto graph = GraphFromText(kBefore);
  ASSERT_TRUE(RunChecked(std::make_unique<FuseOperators>(), *graph).ok());
  const Node* kernel = graph->outputs()[0].value.node;
  EXPECT_EQ(kernel->name(), "Gemm_0");
  EXPECT_EQ(kernel->sources(),
            (std::vector<std::string>{"Gemm_0", "Add_1", "Mul_2"}));
  EXPECT_EQ(kernel->attrs_as<KernelAttrs>().body->name(),
            "fused_dense_add_multiply");
}

TEST(FuseOperatorsTest, DisabledMakesOneKernelPerOperator) {
  FusionOptions off;
  off.enabled = false;
  EXPECT_EQ(CheckPass(std::make_unique<FuseOperators>(off), kBefore, R"(
      graph g(%x: float32[2,3]) -> (%6) {
        %1: float32[4,3] = constant {fill=2}
        %2: float32[2,4] = kernel(%x, %1) {
          graph dense(%p0: float32[2,3], %p1: float32[4,3]) -> (%1) {
            %1: float32[2,4] = dense(%p0, %p1)
          }
        }
        %3: float32[4] = constant {value=[1,2,3,4]}
        %4: float32[2,4] = kernel(%2, %3) {
          graph add(%p0: float32[2,4], %p1: float32[4]) -> (%1) {
            %1: float32[2,4] = add(%p0, %p1)
          }
        }
        %6: float32[2,4] = kernel(%4) {
          graph multiply(%p0: float32[2,4]) -> (%2) {
            %1: float32[] = constant {value=[0.5]}
            %2: float32[2,4] = multiply(%p0, %1)
          }
        }
      })"),
            "");
}

TEST(FuseOperatorsTest, ValueUsedTwiceIsOneInput) {
  EXPECT_EQ(CheckPass(std::make_unique<FuseOperators>(), R"(
      graph g(%x: float32[2]) -> (%2) {
        %1: float32[2] = add(%x, %x)
        %2: float32[2] = multiply(%1, %x)
      })",
                      R"(
      graph g(%x: float32[2]) -> (%2) {
        %2: float32[2] = kernel(%x) {
          graph k(%p0: float32[2]) -> (%2) {
            %1: float32[2] = add(%p0, %p0)
            %2: float32[2] = multiply(%1, %p0)
          }
        }
      })"),
            "");
}

TEST(FuseOperatorsTest, ReportsNoChangeForKernels) {
  constexpr char kText[] = R"(
      graph g(%x: float32[2]) -> (%x, %1, %2) {
        %1: float32[] = constant {value=[1]}
        %2: float32[2] = kernel(%x) {
          graph k(%p0: float32[2]) -> (%1) {
            %1: float32[2] = relu(%p0)
          }
        }
      })";
  EXPECT_EQ(CheckPass(std::make_unique<FuseOperators>(), kText, kText), "");
}

TEST(FuseOperatorsTest, ShortensLongNames) {
  Graph graph("g");
  Value x = {*graph.AddInput("x", {DType::Float32(), {2}})};
  for (int i = 0; i < 300; ++i) {
    x = {*graph.AddNode(OpKind::kRelu, NoAttrs(), {x})};
  }
  graph.AddOutput("", x);
  ASSERT_TRUE(RunChecked(std::make_unique<FuseOperators>(), graph).ok());
  ASSERT_EQ(graph.num_nodes(), 3);  // the limit of 256 makes two kernels
  EXPECT_EQ(graph.Nodes()[1]->attrs_as<KernelAttrs>().body->name(),
            "fused_relu_relu_relu_relu_relu_relu_relu_relu_and_248");
}

TEST(FuseOperatorsTest, PreservesResultsOfRandomGraphs) {
  for (int max_group_size : {0, 2, 256}) {
    EXPECT_EQ(CheckOnRandomGraphs(
                  [=] {
                    FusionOptions options;
                    options.enabled = max_group_size > 0;
                    options.max_group_size = max_group_size;
                    PassList passes;
                    passes.push_back(std::make_unique<FuseOperators>(options));
                    return passes;
                  },
                  80),
              "");
  }
}

}  // namespace
}  // namespace assay::graph
