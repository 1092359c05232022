#include "compiler/graph/passes/assign_encodings.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/testing/fixed_encodings.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

using ::testing::ElementsAre;

// Assigns the same encodings to all convolutions.
class Assigned : public Pass {
 public:
  explicit Assigned(ChooseEncodings choose) : costs_(std::move(choose)) {}
  absl::string_view name() const override { return AssignEncodings::kName; }
  absl::StatusOr<bool> Run(Graph& graph) override {
    return AssignEncodings(&costs_).Run(graph);
  }

 private:
  const FixedEncodings costs_;
};

std::unique_ptr<Pass> Assigning(ChooseEncodings choose) {
  return std::make_unique<Assigned>(std::move(choose));
}

std::unique_ptr<Pass> Assigning(const EncodingChoice& choice) {
  return Assigning(
      [choice](OpKind kind, const Attrs&,
               absl::Span<const TensorType>) -> std::optional<EncodingChoice> {
        if (kind == OpKind::kDense || kind == OpKind::kMatmul)
          return std::nullopt;
        return choice;
      });
}

std::string Check(absl::string_view before, absl::string_view after) {
  return CheckPass(Assigning(InBlocks(2, 2)), before, after);
}

// Adds the attributes of a 1x1 convolution after each `CONV`.
std::string Text(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"CONV",
              "{strides=[1,1], padding=[0,0,0,0], dilations=[1,1], "
              "groups=1}"}});
}

TEST(AssignEncodingsTest, ConvertsNothingBetweenConvolutions) {
  EXPECT_EQ(Check(Text(R"(graph g(%x: float32[1,4,3,3]) -> (%9) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %2: float32[1,4,3,3] = conv2d(%x, %1) CONV
      %3: float32[4,1,1] = constant {fill=2}
      %4: float32[1,4,3,3] = add(%2, %3)
      %5: float32[1,4,3,3] = relu(%4)
      %6: float32[1,4,3,3] = conv2d(%5, %1) CONV
      %7: float32[1,4,3,3] = add(%6, %5)
      %8: float32[1,4,2,2] = max_pool2d(%7) {kernel=[2,2], strides=[1,1], padding=[0,0,0,0]}
      %9: float32[1,4,1,1] = global_avg_pool2d(%8)
    })"),
                  Text(R"(graph g(%x: float32[1,4,3,3]) -> (%12) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %10: float32[1,4,3,3]@blocks(2) = encode(%x)
      %11: float32[4,4,1,1]@filters(in=2,out=2) = encode(%1)
      %2: float32[1,4,3,3]@blocks(2) = conv2d(%10, %11) CONV
      %3: float32[4,1,1] = constant {fill=2}
      %4: float32[1,4,3,3]@blocks(2) = add(%2, %3)
      %5: float32[1,4,3,3]@blocks(2) = relu(%4)
      %6: float32[1,4,3,3]@blocks(2) = conv2d(%5, %11) CONV
      %7: float32[1,4,3,3]@blocks(2) = add(%6, %5)
      %8: float32[1,4,2,2]@blocks(2) = max_pool2d(%7) {kernel=[2,2], strides=[1,1], padding=[0,0,0,0]}
      %9: float32[1,4,1,1]@blocks(2) = global_avg_pool2d(%8)
      %12: float32[1,4,1,1] = encode(%9)
    })")),
            "");
}

TEST(AssignEncodingsTest, ConvertsOnceForAllPlainUsers) {
  EXPECT_EQ(Check(Text(R"(graph g(%x: float32[1,4,2,2]) -> (%2, %3, %4) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %2: float32[1,4,2,2] = conv2d(%x, %1) CONV
      %3: float32[1,16] = reshape(%2) {shape=[1,16]}
      %4: float32[4,1,2,2] = transpose(%2) {perm=[1,0,2,3]}
    })"),
                  Text(R"(graph g(%x: float32[1,4,2,2]) -> (%7, %3, %4) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %5: float32[1,4,2,2]@blocks(2) = encode(%x)
      %6: float32[4,4,1,1]@filters(in=2,out=2) = encode(%1)
      %2: float32[1,4,2,2]@blocks(2) = conv2d(%5, %6) CONV
      %7: float32[1,4,2,2] = encode(%2)
      %3: float32[1,16] = reshape(%7) {shape=[1,16]}
      %4: float32[4,1,2,2] = transpose(%7) {perm=[1,0,2,3]}
    })")),
            "");
}

TEST(AssignEncodingsTest, TakesTheEncodingsOfTheChoice) {
  EXPECT_EQ(CheckPass(Assigning({{ChannelBlocks{2}, WinogradFilters{2, 4}},
                                 ChannelBlocks{4}}),
                      R"(graph g(%x: float32[1,2,5,5]) -> (%2) {
      %1: float32[4,2,3,3] = constant {fill=0.5}
      %2: float32[1,4,5,5] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
    })",
                      R"(graph g(%x: float32[1,2,5,5]) -> (%5) {
      %1: float32[4,2,3,3] = constant {fill=0.5}
      %3: float32[1,2,5,5]@blocks(2) = encode(%x)
      %4: float32[4,2,3,3]@winograd(m=2,block=4) = encode(%1)
      %2: float32[1,4,5,5]@blocks(4) = conv2d(%3, %4) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
      %5: float32[1,4,5,5] = encode(%2)
    })"),
            "");
}

TEST(AssignEncodingsTest, ConvertsDirectlyBetweenBlocks) {
  const auto graph =
      GraphFromText(Text(R"(graph g(%x: float32[1,4,2,2]) -> (%3) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %2: float32[1,4,2,2] = conv2d(%x, %1) CONV
      %3: float32[1,4,2,2] = conv2d(%2, %1) CONV
    })"));
  ASSERT_TRUE(RunChecked(Assigning(InBlocks(2, 4)), *graph).ok());
  std::vector<std::string> conversions;
  for (const Node* node : graph->Nodes()) {
    if (node->kind() != OpKind::kEncode ||
        node->input(0).node->kind() == OpKind::kConstant) {
      continue;
    }
    conversions.push_back(absl::StrCat(ToString(node->input(0).type().encoding),
                                       " to ",
                                       ToString(node->type().encoding)));
  }
  EXPECT_THAT(conversions,
              ElementsAre("plain() to blocks(2)", "blocks(4) to blocks(2)",
                          "blocks(4) to plain()"));
}

TEST(AssignEncodingsTest, StoresWeightsOfProductsInPanels) {
  EXPECT_EQ(
      CheckPass(Assigning([](OpKind kind, const Attrs&,
                             absl::Span<const TensorType> operands)
                              -> std::optional<EncodingChoice> {
                  if (operands[0].shape[0] < 2) return std::nullopt;
                  Panels panels;
                  panels.width = panels.depth = 4;
                  panels.transposed = kind == OpKind::kDense;
                  return EncodingChoice{{Plain(), panels}, Plain()};
                }),
                R"(graph g(%x: float32[2,3], %v: float32[5,3]) -> (%4, %5, %6) {
            %1: float32[5,3] = constant {fill=0.5}
            %2: float32[3,7] = constant {fill=0.5}
            %4: float32[2,5] = dense(%x, %1)
            %5: float32[2,7] = matmul(%x, %2)
            %6: float32[2,5] = dense(%x, %v)
          })",
                R"(graph g(%x: float32[2,3], %v: float32[5,3]) -> (%4, %5, %6) {
            %1: float32[5,3] = constant {fill=0.5}
            %2: float32[3,7] = constant {fill=0.5}
            %7: float32[5,3]@panels(width=4,depth=4,transposed=true) = encode(%1)
            %4: float32[2,5] = dense(%x, %7)
            %8: float32[3,7]@panels(width=4,depth=4) = encode(%2)
            %5: float32[2,7] = matmul(%x, %8)
            %6: float32[2,5] = dense(%x, %v)
          })"),
      "");
}

TEST(AssignEncodingsTest, KeepsOtherBroadcastsPlain) {
  const auto graph = GraphFromText(
      Text(R"(graph g(%x: float32[1,4,2,2], %y: float32[2,2]) -> (%3) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %2: float32[1,4,2,2] = conv2d(%x, %1) CONV
      %3: float32[1,4,2,2] = add(%2, %y)
    })"));
  ASSERT_TRUE(RunChecked(Assigning(InBlocks(2, 2)), *graph).ok());
  const Node* sum = graph->outputs()[0].value.node;
  EXPECT_EQ(sum->kind(), OpKind::kAdd);
  EXPECT_EQ(sum->input(0).node->kind(), OpKind::kEncode);
}

TEST(AssignEncodingsTest, KeepsConvolutionsWithoutConstantWeightsPlain) {
  const std::string variable = Text(
      R"(graph g(%x: float32[1,4,2,2], %w: float32[4,4,1,1]) -> (%2) {
      %2: float32[1,4,2,2] = conv2d(%x, %w) CONV
    })");
  EXPECT_EQ(Check(variable, variable), "");
}

TEST(AssignEncodingsTest, KeepsConvolutionsWithoutChoicesPlain) {
  const std::string plain = Text(R"(graph g(%x: float32[1,4,2,2]) -> (%2) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %2: float32[1,4,2,2] = conv2d(%x, %1) CONV
    })");
  EXPECT_EQ(CheckPass(Assigning([](OpKind, const Attrs&,
                                   absl::Span<const TensorType>) {
                        return std::optional<EncodingChoice>();
                      }),
                      plain, plain),
            "");
}

TEST(AssignEncodingsTest, RejectsEncodingsThatDoNotFit) {
  const auto graph =
      GraphFromText(Text(R"(graph g(%x: float32[1,3,2,2]) -> (%2) {
      %1: float32[4,3,1,1] = constant {fill=1}
      %2: float32[1,4,2,2] = conv2d(%x, %1) CONV "Conv_0"
    })"));
  EXPECT_TRUE(ErrorHas(RunChecked(Assigning(InBlocks(2, 2)), *graph),
                       "blocks of 2 do not divide the channels, axis 1, of "
                       "[1,3,2,2]"));
}

// Different blocks for different convolutions, sometimes none.
std::optional<EncodingChoice> Mixed(OpKind, const Attrs& attrs,
                                    absl::Span<const TensorType> operands) {
  const auto* conv = std::get_if<Conv2dAttrs>(&attrs);
  const Shape &data = operands[0].shape, &weights = operands[1].shape;
  if (conv == nullptr || conv->dilations[0] == 2 || data[2] == 7) {
    return std::nullopt;
  }
  const auto divisor = [](int64_t n, int64_t most) {
    int64_t d = std::min(n, most);
    while (n % d != 0) --d;
    return d;
  };
  return InBlocks(divisor(weights[1], 4),
                  divisor(weights[0] / conv->groups, 3 + data[3] % 3));
}

TEST(AssignEncodingsTest, PreservesResultsOfRandomGraphs) {
  EXPECT_EQ(CheckOnRandomGraphs(
                [] {
                  PassList passes;
                  passes.push_back(Assigning(Mixed));
                  passes.push_back(std::make_unique<FoldConstants>());
                  return passes;
                },
                200),
            "");
}

TEST(AssignEncodingsTest, StoresConcatAndSliceOfWholeBlocksInBlocks) {
  EXPECT_EQ(Check(Text(R"(graph g(%x: float32[1,4,2,2]) -> (%4) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %2: float32[1,4,2,2] = conv2d(%x, %1) CONV
      %3: float32[1,8,2,2] = concat(%2, %2) {axis=1}
      %4: float32[1,2,2,2] = slice(%3) {begins=[0,4,0,0], steps=[1,1,1,1], sizes=[1,2,2,2]}
    })"),
                  Text(R"(graph g(%x: float32[1,4,2,2]) -> (%7) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %5: float32[1,4,2,2]@blocks(2) = encode(%x)
      %6: float32[4,4,1,1]@filters(in=2,out=2) = encode(%1)
      %2: float32[1,4,2,2]@blocks(2) = conv2d(%5, %6) CONV
      %3: float32[1,8,2,2]@blocks(2) = concat(%2, %2) {axis=1}
      %4: float32[1,2,2,2]@blocks(2) = slice(%3) {begins=[0,4,0,0], steps=[1,1,1,1], sizes=[1,2,2,2]}
      %7: float32[1,2,2,2] = encode(%4)
    })")),
            "");
}

// A slice of one channel cuts a block. Converting the operands of the concat is
// cheaper than converting its result.
TEST(AssignEncodingsTest, KeepsSliceThatCutsBlockPlain) {
  const auto graph =
      GraphFromText(Text(R"(graph g(%x: float32[1,4,2,2]) -> (%5) {
      %1: float32[4,4,1,1] = constant {fill=1}
      %2: float32[1,4,2,2] = conv2d(%x, %1) CONV
      %3: float32[1,8,2,2] = concat(%2, %x) {axis=1}
      %5: float32[1,1,2,2] = slice(%3) {begins=[0,3,0,0], steps=[1,1,1,1], sizes=[1,1,2,2]}
    })"));
  ASSERT_TRUE(RunChecked(Assigning(InBlocks(2, 2)), *graph).ok());
  const Node* slice = graph->outputs()[0].value.node;
  const Node* concat = slice->input(0).node;
  EXPECT_EQ(concat->type().ToString(), "float32[1,8,2,2]");
  EXPECT_EQ(concat->input(0).node->kind(), OpKind::kEncode);
}

}  // namespace
}  // namespace assay::graph
