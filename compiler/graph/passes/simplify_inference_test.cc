#include "compiler/graph/passes/simplify_inference.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// scale / sqrt(variance + 1) is [1,3], bias - mean * that is [8,17].
constexpr char kParameters[] = R"(
    %10: float32[2] = constant {value=[2,9]}
    %11: float32[2] = constant {value=[10,20]}
    %12: float32[2] = constant {value=[2,1]}
    %13: float32[2] = constant {value=[3,8]}
)";
constexpr char kConvAttrs[] =
    "{strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}";

std::string Net(absl::string_view signature, absl::string_view before,
                absl::string_view after) {
  return absl::StrCat("graph g(%x: float32[1,2,1,1]) -> (", signature, ") {",
                      kParameters, "%1: float32[2,2,1,1] = constant ",
                      "{value=[1,2,3,4]} \"w\"\n", before, after, "}");
}

std::string Check(const std::string& before, const std::string& after) {
  return CheckPass(std::make_unique<SimplifyInference>(), before, after);
}

TEST(SimplifyInferenceTest, FoldsIntoConvolution) {
  const auto graph = GraphFromText(
      Net("%20",
          absl::StrCat("%2: float32[1,2,1,1] = conv2d(%x, %1) ", kConvAttrs,
                       " \"Conv_0\"\n"),
          "%20: float32[1,2,1,1] = batch_norm(%2, %10, %11, %12, %13) "
          "{epsilon=1} \"BN_1\"\n"));
  ASSERT_TRUE(RunChecked(std::make_unique<SimplifyInference>(), *graph).ok());
  EXPECT_EQ(DiffAgainstText(*graph, absl::StrCat(R"(
      graph g(%x: float32[1,2,1,1]) -> (%4) {
        %1: float32[2,2,1,1] = constant {value=[1,2,9,12]}
        %2: float32[1,2,1,1] = conv2d(%x, %1) )",
                                                 kConvAttrs, R"(
        %3: float32[2,1,1] = constant {value=[8,17]}
        %4: float32[1,2,1,1] = add(%2, %3)
      })")),
            "");
  const Node* sum = graph->outputs()[0].value.node;
  EXPECT_EQ(sum->name(), "BN_1");
  EXPECT_EQ(sum->input(0).node->sources(),
            (std::vector<std::string>{"Conv_0", "BN_1"}));
  EXPECT_EQ(sum->input(0).node->input(1).node->name(), "w");
}

TEST(SimplifyInferenceTest, FoldsIntoBiasOfConvolution) {
  const std::string conv =
      absl::StrCat("%2: float32[1,2,1,1] = conv2d(%x, %1) ", kConvAttrs, "\n");
  const std::string batch_norm =
      "%20: float32[1,2,1,1] = batch_norm(%4, %10, %11, %12, %13) "
      "{epsilon=1}\n";
  const std::string after = absl::StrCat(R"(
      graph g(%x: float32[1,2,1,1]) -> (%4) {
        %1: float32[2,2,1,1] = constant {value=[1,2,9,12]}
        %2: float32[1,2,1,1] = conv2d(%x, %1) )",
                                         kConvAttrs, R"(
        %3: float32[2,1,1] = constant {value=[13,23]}
        %4: float32[1,2,1,1] = add(%2, %3)
      })");
  for (const char* bias : {"%3: float32[2,1,1] = constant {value=[5,2]}\n"
                           "%4: float32[1,2,1,1] = add(%2, %3)\n",
                           "%3: float32[1,2,1,1] = constant {value=[5,2]}\n"
                           "%4: float32[1,2,1,1] = add(%3, %2)\n"}) {
    EXPECT_EQ(Check(Net("%20", conv + bias, batch_norm), after), "") << bias;
  }
}

// The weights would overflow.
TEST(SimplifyInferenceTest, KeepsWeightsThatWouldNotBeFinite) {
  const auto net = [](absl::string_view nodes) {
    return absl::StrCat(R"(
      graph g(%x: float32[1,2,1,1]) -> (%9) {
        %1: float32[2,2,1,1] = constant {value=[1,2,3e38,4]}
        %2: float32[1,2,1,1] = conv2d(%x, %1) )",
                        kConvAttrs, nodes, "}");
  };
  EXPECT_EQ(Check(net(R"(
        %3: float32[2] = constant {value=[1,2]}
        %4: float32[2] = constant {fill=0}
        %5: float32[2] = constant {fill=1}
        %9: float32[1,2,1,1] = batch_norm(%2, %3, %4, %4, %5) {epsilon=0} )"),
                  net(R"(
        %3: float32[2,1,1] = constant {value=[1,2]}
        %6: float32[1,2,1,1] = multiply(%2, %3)
        %4: float32[2,1,1] = constant {fill=0}
        %9: float32[1,2,1,1] = add(%6, %4) )")),
            "");
}

// (x - 5) / 0 is infinite, but x * inf - 5 * inf is not a number.
TEST(SimplifyInferenceTest, DividesByVarianceOfZero) {
  const std::string head = "graph g(%x: float32[1,1,1,1]) -> (%9) {";
  EXPECT_EQ(Check(absl::StrCat(head, R"(
        %1: float32[1] = constant {value=[2]}
        %2: float32[1] = constant {value=[3]}
        %3: float32[1] = constant {value=[5]}
        %4: float32[1] = constant {value=[0]}
        %9: float32[1,1,1,1] = batch_norm(%x, %1, %2, %3, %4) {epsilon=0} })"),
                  absl::StrCat(head, R"(
        %3: float32[1,1,1] = constant {value=[5]}
        %5: float32[1,1,1,1] = subtract(%x, %3)
        %4: float32[1,1,1] = constant {value=[0]}
        %6: float32[1,1,1,1] = divide(%5, %4)
        %1: float32[1,1,1] = constant {value=[2]}
        %7: float32[1,1,1,1] = multiply(%6, %1)
        %2: float32[1,1,1] = constant {value=[3]}
        %9: float32[1,1,1,1] = add(%7, %2) })")),
            "");
}

// The replacement of a batch_norm of `operand` that cannot be folded.
std::string Expanded(absl::string_view operand) {
  return absl::StrCat("%21: float32[2,1,1] = constant {value=[1,3]}\n",
                      "%22: float32[1,2,1,1] = multiply(", operand, ", %21)\n",
                      "%23: float32[2,1,1] = constant {value=[8,17]}\n",
                      "%20: float32[1,2,1,1] = add(%22, %23)\n");
}

std::string Plain(absl::string_view signature, absl::string_view nodes) {
  return absl::StrCat("graph g(%x: float32[1,2,1,1]) -> (", signature, ") {",
                      nodes, "}");
}

TEST(SimplifyInferenceTest, BecomesMultiplyAndAddElsewhere) {
  EXPECT_EQ(
      Check(Plain("%20",
                  absl::StrCat(kParameters,
                               "%20: float32[1,2,1,1] = batch_norm(%x, %10, "
                               "%11, %12, %13) {epsilon=1}\n")),
            Plain("%20", Expanded("%x"))),
      "");
}

TEST(SimplifyInferenceTest, DoesNotScaleSharedConvolution) {
  const std::string conv = absl::StrCat(
      "%1: float32[2,2,1,1] = constant {value=[1,2,3,4]}\n"
      "%2: float32[1,2,1,1] = conv2d(%x, %1) ",
      kConvAttrs, "\n");
  const std::string batch_norm =
      "%20: float32[1,2,1,1] = batch_norm(%2, %10, %11, %12, %13) "
      "{epsilon=1}\n";
  // A second user, and the graph's output.
  EXPECT_EQ(Check(Plain("%20, %30",
                        absl::StrCat(kParameters, conv, batch_norm,
                                     "%30: float32[1,2,1,1] = relu(%2)\n")),
                  Plain("%20, %30",
                        absl::StrCat(conv, Expanded("%2"),
                                     "%30: float32[1,2,1,1] = relu(%2)\n"))),
            "");
  EXPECT_EQ(Check(Plain("%20, %2", absl::StrCat(kParameters, conv, batch_norm)),
                  Plain("%20, %2", absl::StrCat(conv, Expanded("%2")))),
            "");
}

TEST(SimplifyInferenceTest, DoesNotScaleVariableWeights) {
  const auto text = [](absl::string_view nodes) {
    return absl::StrCat("graph g(%x: float32[1,2,1,1], %w: ",
                        "float32[2,2,1,1]) -> (%20) {", nodes, "}");
  };
  const std::string conv =
      absl::StrCat("%2: float32[1,2,1,1] = conv2d(%x, %w) ", kConvAttrs, "\n");
  EXPECT_EQ(Check(text(absl::StrCat(kParameters, conv,
                                    "%20: float32[1,2,1,1] = batch_norm(%2, "
                                    "%10, %11, %12, %13) {epsilon=1}\n")),
                  text(absl::StrCat(conv, Expanded("%2")))),
            "");
}

TEST(SimplifyInferenceTest, RejectsVariableParameters) {
  const auto graph = GraphFromText(
      "graph g(%x: float32[1,2], %m: float32[2]) -> (%2) { %1: float32[2] = "
      "constant {value=[1,2]} %2: float32[1,2] = batch_norm(%x, %1, %1, %m, "
      "%1) {epsilon=0} \"BN_4\" }");
  EXPECT_TRUE(
      ErrorHas(RunChecked(std::make_unique<SimplifyInference>(), *graph),
               "node `BN_4` (batch_norm): mean is not a constant"));
}

TEST(SimplifyInferenceTest, KeepsOtherGraphs) {
  constexpr char kText[] =
      "graph g(%x: float32[2]) -> (%1) { %1: float32[2] = relu(%x) }";
  EXPECT_EQ(Check(kText, kText), "");
}

TEST(SimplifyInferenceTest, PreservesResultsOfRandomGraphs) {
  EXPECT_EQ(CheckOnRandomGraphs(
                [] {
                  PassList passes;
                  passes.push_back(std::make_unique<SimplifyInference>());
                  return passes;
                },
                120),
            "");
}

}  // namespace
}  // namespace assay::graph
