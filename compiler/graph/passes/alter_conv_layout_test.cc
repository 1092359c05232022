#include "compiler/graph/passes/alter_conv_layout.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "compiler/graph/passes/fold_constants.h"
#include "compiler/graph/testing/fixed_layouts.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

std::optional<ConvLayout> TwoAndTwo(const Conv2dAttrs&, const TensorType&,
                                    const TensorType&) {
  return ConvLayout{2, 2};
}

std::unique_ptr<AlterConvLayout> Altering(
    Conv2dLayoutChoice choose,
    TransposedLayoutChoice choose_transposed = nullptr) {
  return std::make_unique<AlterConvLayout>(
      FixedLayouts(std::move(choose), std::move(choose_transposed)));
}

std::string Check(absl::string_view before, absl::string_view after) {
  return CheckPass(Altering(TwoAndTwo), before, after);
}

constexpr char kPlain[] =
    "{strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}";
constexpr char kBlocked[] =
    "{strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1, "
    "in_block=2, out_block=2}";

std::string Text(absl::string_view signature, absl::string_view nodes) {
  return absl::StrCat("graph g", signature, " {\n", nodes, "}\n");
}

// The nodes that pack weights `from` into `to`, through `via`.
std::string Pack(absl::string_view from, absl::string_view via,
                 absl::string_view to) {
  return absl::StrCat(via, ": float32[2,2,2,2,1,1] = reshape(", from,
                      ") {shape=[2,2,2,2,1,1]}\n", to,
                      ": float32[2,2,1,1,2,2] = transpose(", via,
                      ") {perm=[0,2,4,5,3,1]}\n");
}

constexpr char kWeights[] = "%1: float32[4,4,1,1] = constant {fill=1}\n";

TEST(AlterConvLayoutTest, ConvertsNothingBetweenConvolutions) {
  EXPECT_EQ(
      Check(
          Text("(%x: float32[1,4,3,3]) -> (%9)",
               absl::StrCat(kWeights, "%2: float32[1,4,3,3] = conv2d(%x, %1) ",
                            kPlain, "\n",
                            "%3: float32[4,1,1] = constant {fill=2}\n"
                            "%4: float32[1,4,3,3] = add(%2, %3)\n"
                            "%5: float32[1,4,3,3] = relu(%4)\n"
                            "%6: float32[1,4,3,3] = conv2d(%5, %1) ",
                            kPlain, "\n",
                            "%7: float32[1,4,3,3] = add(%6, %5)\n"
                            "%8: float32[1,4,2,2] = max_pool2d(%7) "
                            "{kernel=[2,2], strides=[1,1], "
                            "padding=[0,0,0,0]}\n"
                            "%9: float32[1,4,1,1] = "
                            "global_avg_pool2d(%8)\n")),
          Text("(%x: float32[1,4,3,3]) -> (%9)",
               absl::StrCat(
                   "%20: float32[1,2,3,3,2] = layout_transform(%x) "
                   "{from_block=0, to_block=2}\n",
                   kWeights, Pack("%1", "%21", "%22"),
                   "%2: float32[1,2,3,3,2] = conv2d(%20, %22) ", kBlocked,
                   "\n"
                   "%3: float32[4,1,1] = constant {fill=2}\n"
                   "%23: float32[2,1,1,2] = reshape(%3) "
                   "{shape=[2,1,1,2]}\n"
                   "%4: float32[1,2,3,3,2] = add(%2, %23)\n"
                   "%5: float32[1,2,3,3,2] = relu(%4)\n",
                   Pack("%1", "%24", "%25"),
                   "%6: float32[1,2,3,3,2] = conv2d(%5, %25) ", kBlocked,
                   "\n"
                   "%7: float32[1,2,3,3,2] = add(%6, %5)\n"
                   "%8: float32[1,2,2,2,2] = max_pool2d(%7) "
                   "{kernel=[2,2], strides=[1,1], padding=[0,0,0,0], "
                   "block=2}\n"
                   "%26: float32[1,2,1,1,2] = global_avg_pool2d(%8) "
                   "{block=2}\n"
                   "%9: float32[1,4,1,1] = layout_transform(%26) "
                   "{from_block=2, to_block=0}\n"))),
      "");
}

TEST(AlterConvLayoutTest, ConvertsOnceForAllPlainUsers) {
  EXPECT_EQ(
      Check(
          Text("(%x: float32[1,4,2,2]) -> (%2, %3, %4)",
               absl::StrCat(kWeights, "%2: float32[1,4,2,2] = conv2d(%x, %1) ",
                            kPlain, "\n",
                            "%3: float32[1,16] = reshape(%2) "
                            "{shape=[1,16]}\n"
                            "%4: float32[4,1,2,2] = transpose(%2) "
                            "{perm=[1,0,2,3]}\n")),
          Text("(%x: float32[1,4,2,2]) -> (%2, %3, %4)",
               absl::StrCat("%20: float32[1,2,2,2,2] = layout_transform(%x) "
                            "{from_block=0, to_block=2}\n",
                            kWeights, Pack("%1", "%21", "%22"),
                            "%23: float32[1,2,2,2,2] = conv2d(%20, %22) ",
                            kBlocked,
                            "\n"
                            "%2: float32[1,4,2,2] = layout_transform(%23) "
                            "{from_block=2, to_block=0}\n"
                            "%3: float32[1,16] = reshape(%2) {shape=[1,16]}\n"
                            "%4: float32[4,1,2,2] = transpose(%2) "
                            "{perm=[1,0,2,3]}\n"))),
      "");
}

TEST(AlterConvLayoutTest, BlocksDepthwiseConvolutions) {
  EXPECT_EQ(CheckPass(Altering(TwoAndTwo),
                      R"(graph g(%x: float32[1,4,5,5]) -> (%2) {
            %1: float32[4,1,3,3] = constant {fill=0.5}
            %2: float32[1,4,3,3] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=4}
          })",
                      R"(graph g(%x: float32[1,4,5,5]) -> (%6) {
            %1: float32[4,1,3,3] = constant {fill=0.5}
            %2: float32[1,2,5,5,2] = layout_transform(%x) {from_block=0, to_block=2}
            %3: float32[2,2,1,1,3,3] = reshape(%1) {shape=[2,2,1,1,3,3]}
            %4: float32[2,1,3,3,1,2] = transpose(%3) {perm=[0,2,4,5,3,1]}
            %5: float32[1,2,3,3,2] = conv2d(%2, %4) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=4, in_block=2, out_block=2}
            %6: float32[1,4,3,3] = layout_transform(%5) {from_block=2, to_block=0}
          })"),
            "");
}

TEST(AlterConvLayoutTest, BlocksGroupedConvolutions) {
  const auto choose = [](const Conv2dAttrs&, const TensorType&,
                         const TensorType&) {
    return std::optional<ConvLayout>(ConvLayout{4, 3});
  };
  EXPECT_EQ(CheckPass(Altering(choose),
                      R"(graph g(%x: float32[1,4,5,5]) -> (%2) {
            %1: float32[12,2,3,3] = constant {fill=0.5}
            %2: float32[1,12,3,3] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=2}
          })",
                      R"(graph g(%x: float32[1,4,5,5]) -> (%6) {
            %2: float32[1,1,5,5,4] = layout_transform(%x) {from_block=0, to_block=4}
            %1: float32[12,2,3,3] = constant {fill=0.5}
            %3: float32[4,3,1,2,3,3] = reshape(%1) {shape=[4,3,1,2,3,3]}
            %4: float32[4,1,3,3,2,3] = transpose(%3) {perm=[0,2,4,5,3,1]}
            %5: float32[1,4,3,3,3] = conv2d(%2, %4) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=2, in_block=4, out_block=3}
            %6: float32[1,12,3,3] = layout_transform(%5) {from_block=3, to_block=0}
          })"),
            "");
}

TEST(AlterConvLayoutTest, BlocksTransposedConvolutions) {
  const auto choose = [](const Conv2dTransposeAttrs&, const TensorType&,
                         const TensorType&) {
    return std::optional<ConvLayout>(ConvLayout{2, 3});
  };
  EXPECT_EQ(CheckPass(Altering(TwoAndTwo, choose),
                      R"(graph g(%x: float32[1,4,2,2]) -> (%2) {
            %1: float32[4,3,2,2] = constant {fill=0.5}
            %2: float32[1,6,4,4] = conv2d_transpose(%x, %1) {strides=[2,2], padding=[0,0,0,0], dilations=[1,1], output_padding=[0,0], groups=2}
          })",
                      R"(graph g(%x: float32[1,4,2,2]) -> (%9) {
            %2: float32[1,2,2,2,2] = layout_transform(%x) {from_block=0, to_block=2}
            %1: float32[4,3,2,2] = constant {fill=0.5}
            %3: float32[2,2,3,2,2] = reshape(%1) {shape=[2,2,3,2,2]}
            %4: float32[2,3,2,2,2] = transpose(%3) {perm=[0,2,1,3,4]}
            %5: float32[6,2,2,2] = reshape(%4) {shape=[6,2,2,2]}
            %6: float32[2,3,1,2,2,2] = reshape(%5) {shape=[2,3,1,2,2,2]}
            %7: float32[2,1,2,2,2,3] = transpose(%6) {perm=[0,2,4,5,3,1]}
            %8: float32[1,2,4,4,3] = conv2d_transpose(%2, %7) {strides=[2,2], padding=[0,0,0,0], dilations=[1,1], output_padding=[0,0], groups=2, in_block=2, out_block=3}
            %9: float32[1,6,4,4] = layout_transform(%8) {from_block=3, to_block=0}
          })"),
            "");
}

TEST(AlterConvLayoutTest, TransformsWinogradWeights) {
  const auto choose = [](const Conv2dAttrs&, const TensorType&,
                         const TensorType&) {
    return std::optional<ConvLayout>(ConvLayout{2, 2, 2, 4});
  };
  EXPECT_EQ(CheckPass(Altering(choose),
                      R"(graph g(%x: float32[1,2,5,5]) -> (%2) {
            %1: float32[4,2,3,3] = constant {fill=0.5}
            %2: float32[1,4,5,5] = conv2d(%x, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1}
          })",
                      R"(graph g(%x: float32[1,2,5,5]) -> (%5) {
            %1: float32[4,2,3,3] = constant {fill=0.5}
            %2: float32[1,1,5,5,2] = layout_transform(%x) {from_block=0, to_block=2}
            %3: float32[4,4,1,2,4] = winograd_weights(%1) {m=2, block=4}
            %4: float32[1,2,5,5,2] = conv2d(%2, %3) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1, in_block=2, out_block=2, winograd=2}
            %5: float32[1,4,5,5] = layout_transform(%4) {from_block=2, to_block=0}
          })"),
            "");
}

std::optional<ConvLayout> SplitInEights(const Conv2dAttrs&, const TensorType&,
                                        const TensorType&) {
  ConvLayout layout{8, 16};
  layout.bfloat16_parts = 2;
  return layout;
}

// Channels are padded to the 32 of a tile.
TEST(AlterConvLayoutTest, SplitsWeights) {
  EXPECT_EQ(CheckPass(Altering(SplitInEights),
                      R"(graph g(%x: float32[1,8,5,5]) -> (%2) {
            %1: float32[32,8,3,2] = constant {fill=0.5}
            %2: float32[1,32,5,4] = conv2d(%x, %1) {strides=[1,1], padding=[1,0,1,0], dilations=[1,1], groups=1}
          })",
                      R"(graph g(%x: float32[1,8,5,5]) -> (%8) {
            %1: float32[32,8,3,2] = constant {fill=0.5}
            %2: float32[1,1,5,5,8] = layout_transform(%x) {from_block=0, to_block=8}
            %3: float32[32,32,3,2] = pad(%1) {before=[0,0,0,0], after=[0,24,0,0]}
            %4: bfloat16[2,32,32,3,2] = split_bfloat16(%3)
            %5: bfloat16[2,2,16,1,16,2,3,2] = reshape(%4) {shape=[2,2,16,1,16,2,3,2]}
            %6: bfloat16[2,1,3,2,2,16,16,2] = transpose(%5) {perm=[1,3,6,7,0,4,2,5]}
            %7: float32[1,2,5,4,16] = conv2d(%2, %6) {strides=[1,1], padding=[1,0,1,0], dilations=[1,1], groups=1, in_block=8, out_block=16, bfloat16_parts=2}
            %8: float32[1,32,5,4] = layout_transform(%7) {from_block=16, to_block=0}
          })"),
            "");
  EXPECT_EQ(CheckPass(Altering(SplitInEights),
                      R"(graph g(%x: float32[1,64,5,5]) -> (%2) {
            %1: float32[16,64,1,1] = constant {fill=0.5}
            %2: float32[1,16,5,5] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
          })",
                      R"(graph g(%x: float32[1,64,5,5]) -> (%8) {
            %1: float32[16,64,1,1] = constant {fill=0.5}
            %2: float32[1,8,5,5,8] = layout_transform(%x) {from_block=0, to_block=8}
            %4: bfloat16[2,16,64,1,1] = split_bfloat16(%1)
            %5: bfloat16[2,1,16,2,16,2,1,1] = reshape(%4) {shape=[2,1,16,2,16,2,1,1]}
            %6: bfloat16[1,2,1,1,2,16,16,2] = transpose(%5) {perm=[1,3,6,7,0,4,2,5]}
            %7: float32[1,1,5,5,16] = conv2d(%2, %6) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1, in_block=8, out_block=16, bfloat16_parts=2}
            %8: float32[1,16,5,5] = layout_transform(%7) {from_block=16, to_block=0}
          })"),
            "");
}

// The channels of all columns of a filter fill a tile together.
TEST(AlterConvLayoutTest, FoldsColumnsOfSplitWeights) {
  const auto fold = [](const Conv2dAttrs&, const TensorType&,
                       const TensorType& weights) {
    ConvLayout layout{3, 16};
    layout.bfloat16_parts = 2;
    layout.folded_columns = weights.shape[3];
    return std::optional<ConvLayout>(layout);
  };
  EXPECT_EQ(CheckPass(Altering(fold),
                      R"(graph g(%x: float32[1,3,8,8]) -> (%2) {
            %1: float32[16,3,5,7] = constant {fill=0.5}
            %2: float32[1,16,4,2] = conv2d(%x, %1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
          })",
                      R"(graph g(%x: float32[1,3,8,8]) -> (%10) {
            %1: float32[16,3,5,7] = constant {fill=0.5}
            %2: float32[1,1,8,8,3] = layout_transform(%x) {from_block=0, to_block=3}
            %3: float32[16,7,3,5] = transpose(%1) {perm=[0,3,1,2]}
            %4: float32[16,21,5,1] = reshape(%3) {shape=[16,21,5,1]}
            %5: float32[16,32,5,1] = pad(%4) {before=[0,0,0,0], after=[0,11,0,0]}
            %6: bfloat16[2,16,32,5,1] = split_bfloat16(%5)
            %7: bfloat16[2,1,16,1,16,2,5,1] = reshape(%6) {shape=[2,1,16,1,16,2,5,1]}
            %8: bfloat16[1,1,5,1,2,16,16,2] = transpose(%7) {perm=[1,3,6,7,0,4,2,5]}
            %9: float32[1,1,4,2,16] = conv2d(%2, %8) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1, in_block=3, out_block=16, bfloat16_parts=2, folded_columns=7}
            %10: float32[1,16,4,2] = layout_transform(%9) {from_block=16, to_block=0}
          })"),
            "");
}

TEST(AlterConvLayoutTest, ConvertsDirectlyBetweenBlocks) {
  // Filters in blocks of 4, channels in blocks of 2.
  const auto choose = [](const Conv2dAttrs&, const TensorType&,
                         const TensorType&) {
    return std::optional<ConvLayout>(ConvLayout{2, 4});
  };
  const auto graph = GraphFromText(Text(
      "(%x: float32[1,4,2,2]) -> (%3)",
      absl::StrCat(kWeights, "%2: float32[1,4,2,2] = conv2d(%x, %1) ", kPlain,
                   "\n%3: float32[1,4,2,2] = conv2d(%2, %1) ", kPlain, "\n")));
  ASSERT_TRUE(RunChecked(Altering(choose), *graph).ok());
  std::vector<std::string> transforms;
  for (const Node* node : graph->Nodes()) {
    if (node->kind() == OpKind::kLayoutTransform) {
      transforms.push_back(AttrsToString(node->attrs()));
    }
  }
  EXPECT_EQ(transforms,
            (std::vector<std::string>{"{from_block=0, to_block=2}",
                                      "{from_block=4, to_block=2}",
                                      "{from_block=4, to_block=0}"}));
}

TEST(AlterConvLayoutTest, KeepsOtherBroadcastsPlain) {
  const auto graph = GraphFromText(
      Text("(%x: float32[1,4,2,2], %y: float32[2,2]) -> (%3)",
           absl::StrCat(kWeights, "%2: float32[1,4,2,2] = conv2d(%x, %1) ",
                        kPlain, "\n%3: float32[1,4,2,2] = add(%2, %y)\n")));
  ASSERT_TRUE(RunChecked(Altering(TwoAndTwo), *graph).ok());
  const Node* sum = graph->outputs()[0].value.node;
  EXPECT_EQ(sum->kind(), OpKind::kAdd);
  EXPECT_EQ(sum->input(0).node->kind(), OpKind::kLayoutTransform);
}

TEST(AlterConvLayoutTest, KeepsConvolutionsWithoutConstantWeights) {
  const std::string transposed =
      Text("(%x: float32[1,4,2,2]) -> (%2)",
           "%1: float32[4,2,1,1] = constant {fill=1}\n"
           "%2: float32[1,2,2,2] = conv2d_transpose(%x, %1) {strides=[1,1], "
           "padding=[0,0,0,0], dilations=[1,1], output_padding=[0,0], "
           "groups=1}\n"
           "%3: float32[1,2,2,2] = relu(%2)\n");
  EXPECT_EQ(Check(transposed, transposed), "");
  const std::string variable = Text(
      "(%x: float32[1,4,2,2], %w: float32[4,4,1,1]) -> (%2)",
      absl::StrCat("%2: float32[1,4,2,2] = conv2d(%x, %w) ", kPlain, "\n"));
  EXPECT_EQ(Check(variable, variable), "");
  const std::string plain =
      Text("(%x: float32[1,4,2,2]) -> (%2)",
           absl::StrCat(kWeights, "%2: float32[1,4,2,2] = conv2d(%x, %1) ",
                        kPlain, "\n"));
  const auto nothing = [](const Conv2dAttrs&, const TensorType&,
                          const TensorType&) {
    return std::optional<ConvLayout>();
  };
  EXPECT_EQ(CheckPass(Altering(nothing), plain, plain), "");
}

TEST(AlterConvLayoutTest, RejectsBlocksThatDoNotDivide) {
  const auto graph = GraphFromText(
      Text("(%x: float32[1,3,2,2]) -> (%2)",
           absl::StrCat("%1: float32[4,3,1,1] = constant {fill=1}\n"
                        "%2: float32[1,4,2,2] = conv2d(%x, %1) ",
                        kPlain, " \"Conv_0\"\n")));
  EXPECT_TRUE(ErrorHas(
      RunChecked(Altering(TwoAndTwo), *graph),
      "node `Conv_0` (conv2d): blocks 2 and 2 do not divide its 3 channels "
      "and 4 filters"));
}

// Different layouts for different convolutions, sometimes the plain one.
std::optional<ConvLayout> Mixed(const Conv2dAttrs& attrs,
                                const TensorType& data,
                                const TensorType& weights) {
  if (attrs.dilations[0] == 2 || data.shape[2] == 7) return std::nullopt;
  const auto divisor = [](int64_t n, int64_t most) {
    int64_t d = std::min(n, most);
    while (n % d != 0) --d;
    return d;
  };
  return ConvLayout{
      divisor(weights.shape[1], 4),
      divisor(weights.shape[0] / attrs.groups, 3 + data.shape[3] % 3)};
}

TEST(AlterConvLayoutTest, PreservesResultsOfRandomGraphs) {
  EXPECT_EQ(CheckOnRandomGraphs(
                [] {
                  PassList passes;
                  passes.push_back(Altering(Mixed));
                  passes.push_back(std::make_unique<FoldConstants>());
                  return passes;
                },
                200),
            "");
}

TEST(AlterConvLayoutTest, BlocksConcatAndSliceOfWholeBlocks) {
  EXPECT_EQ(
      Check(Text("(%x: float32[1,4,2,2]) -> (%4)",
                 absl::StrCat(
                     kWeights, "%2: float32[1,4,2,2] = conv2d(%x, %1) ", kPlain,
                     "\n%3: float32[1,8,2,2] = concat(%2, %2) {axis=1}\n"
                     "%4: float32[1,2,2,2] = slice(%3) {begins=[0,4,0,0], "
                     "steps=[1,1,1,1], sizes=[1,2,2,2]}\n")),
            Text("(%x: float32[1,4,2,2]) -> (%4)",
                 absl::StrCat(
                     "%20: float32[1,2,2,2,2] = layout_transform(%x) "
                     "{from_block=0, to_block=2}\n",
                     kWeights, Pack("%1", "%21", "%22"),
                     "%2: float32[1,2,2,2,2] = conv2d(%20, %22) ", kBlocked,
                     "\n%3: float32[1,4,2,2,2] = concat(%2, %2) {axis=1}\n"
                     "%24: float32[1,1,2,2,2] = slice(%3) {begins=[0,2,0,0,0], "
                     "steps=[1,1,1,1,1], sizes=[1,1,2,2,2]}\n"
                     "%4: float32[1,2,2,2] = layout_transform(%24) "
                     "{from_block=2, to_block=0}\n"))),
      "");
}

// A slice of one channel cuts a block. Converting the operands of the concat is
// cheaper than converting its result.
TEST(AlterConvLayoutTest, KeepsSliceThatCutsBlockPlain) {
  const auto graph = GraphFromText(Text(
      "(%x: float32[1,4,2,2]) -> (%5)",
      absl::StrCat(kWeights, "%2: float32[1,4,2,2] = conv2d(%x, %1) ", kPlain,
                   "\n%3: float32[1,8,2,2] = concat(%2, %x) {axis=1}\n"
                   "%5: float32[1,1,2,2] = slice(%3) {begins=[0,3,0,0], "
                   "steps=[1,1,1,1], sizes=[1,1,2,2]}\n")));
  ASSERT_TRUE(RunChecked(Altering(TwoAndTwo), *graph).ok());
  const Node* slice = graph->outputs()[0].value.node;
  const Node* concat = slice->input(0).node;
  EXPECT_EQ(concat->type().ToString(), "float32[1,8,2,2]");
  EXPECT_EQ(concat->input(0).node->kind(), OpKind::kLayoutTransform);
}

}  // namespace
}  // namespace assay::graph
