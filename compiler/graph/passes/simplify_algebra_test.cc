#include "compiler/graph/passes/simplify_algebra.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/pass_testing.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

// A graph of %x and %y, whose only output is %9.
std::string Net(absl::string_view nodes,
                absl::string_view inputs = "%x: float32[1,4,2,3]") {
  return absl::StrCat("graph g(", inputs, ") -> (%9) {", nodes, "}");
}

std::string Check(const std::string& before, const std::string& after) {
  return CheckPass(std::make_unique<SimplifyAlgebra>(), before, after);
}

std::string Unchanged(const std::string& net) { return Check(net, net); }

constexpr char kT[] = "float32[1,4,2,3]";

std::string Becomes(absl::string_view before, absl::string_view after) {
  // Both operands are used, so the output is always computed.
  const std::string head = absl::StrCat("%1: ", kT, " = exp(%x)\n");
  return Check(Net(absl::StrCat(head, before)), Net(absl::StrCat(head, after)));
}

TEST(SimplifyAlgebraTest, RemovesNeutralOperands) {
  const std::string after = absl::StrCat("%9: ", kT, " = tanh(%1)");
  for (const char* op : {"add(%1, %2)", "add(%2, %1)", "subtract(%1, %2)"}) {
    EXPECT_EQ(Becomes(absl::StrCat("%2: float32[] = constant {value=[0]}\n",
                                   "%3: ", kT, " = ", op, "\n", "%9: ", kT,
                                   " = tanh(%3)"),
                      after),
              "")
        << op;
  }
  for (const char* op : {"multiply(%1, %2)", "multiply(%2, %1)",
                         "divide(%1, %2)", "power(%1, %2)"}) {
    EXPECT_EQ(Becomes(absl::StrCat("%2: float32[4,1,1] = constant {fill=1}\n",
                                   "%3: ", kT, " = ", op, "\n", "%9: ", kT,
                                   " = tanh(%3)"),
                      after),
              "")
        << op;
  }
}

TEST(SimplifyAlgebraTest, KeepsNeutralOperandThatBroadcasts) {
  EXPECT_EQ(Unchanged(Net("%1: float32[2,3] = constant {fill=0}\n"
                          "%9: float32[2,3] = add(%x, %1)",
                          "%x: float32[3]")),
            "");
}

// x + 0 turns -0 into 0, and x - (-0) as well.
TEST(SimplifyAlgebraTest, KeepsSignOfZero) {
  for (const char* node : {"add(%x, %1)", "add(%1, %x)"}) {
    const auto net = [&](const char* zero) {
      return Net(absl::StrCat("%1: float32[] = constant {value=[", zero,
                              "]}\n%2: ", kT, " = ", node, "\n%9: ", kT,
                              " = reciprocal(%2)"));
    };
    EXPECT_EQ(Unchanged(net("0")), "");
    EXPECT_EQ(
        Check(net("-0"), Net(absl::StrCat("%9: ", kT, " = reciprocal(%x)"))),
        "");
  }
  // A constant that holds zeros of both signs has no single value.
  EXPECT_EQ(Unchanged(Net("%1: float32[2] = constant {value=[-0, 0]}\n"
                          "%9: float32[2] = add(%x, %1)",
                          "%x: float32[2]")),
            "");
  // A sum with another constant is never -0.
  EXPECT_EQ(
      Check(
          Net(absl::StrCat("%1: float32[] = constant {value=[3]}\n",
                           "%2: float32[] = constant {value=[0]}\n", "%3: ", kT,
                           " = add(%x, %1)\n", "%4: ", kT, " = add(%3, %2)\n",
                           "%9: ", kT, " = tanh(%4)")),
          Net(absl::StrCat("%1: float32[] = constant {value=[3]}\n", "%3: ", kT,
                           " = add(%x, %1)\n", "%9: ", kT, " = tanh(%3)"))),
      "");
}

TEST(SimplifyAlgebraTest, JoinsConstantsOfIntegers) {
  const auto check = [](const char* op, const char* before, const char* after) {
    return Check(absl::StrCat("graph g(%x: int32[4]) -> (%9) {\n",
                              "%2: int32[4] = constant {value=[1,2,3,4]}\n",
                              "%3: int32[] = constant {value=[", before, "]}\n",
                              "%4: int32[4] = ", op, "(%2, %x)\n",
                              "%9: int32[4] = ", op, "(%4, %3) }"),
                 absl::StrCat("graph g(%x: int32[4]) -> (%9) {\n",
                              "%2: int32[4] = constant {value=[", after, "]}\n",
                              "%9: int32[4] = ", op, "(%x, %2) }"));
  };
  EXPECT_EQ(check("add", "2", "3,4,5,6"), "");
  // Wraps around.
  EXPECT_EQ(check("add", "2147483647",
                  "-2147483648,-2147483647,-2147483646,-2147483645"),
            "");
  EXPECT_EQ(
      check("multiply", "1073741824", "1073741824,-2147483648,-1073741824,0"),
      "");
  // The joined constant would be larger than both.
  const std::string outer = absl::StrCat(
      "%2: int32[4,1,1] = constant {value=[1,2,3,4]}\n"
      "%3: int32[2,1] = constant {value=[2,3]}\n",
      "%4: int32[1,4,2,3] = multiply(%x, %2)\n",
      "%9: int32[1,4,2,3] = multiply(%4, %3)");
  EXPECT_EQ(Unchanged(Net(outer, "%x: int32[1,4,2,3]")), "");
}

// Every sum and product of floats is rounded: (x + 12582912) - 12582912 is the
// integer nearest to x.
TEST(SimplifyAlgebraTest, KeepsRoundingOfFloats) {
  const auto chain = [](const char* op, const char* c, const char* d) {
    return Net(absl::StrCat("%1: float32[] = constant {value=[", c, "]}\n",
                            "%2: float32[] = constant {value=[", d, "]}\n",
                            "%3: ", kT, " = ", op, "(%x, %1)\n", "%9: ", kT,
                            " = ", op, "(%3, %2)"));
  };
  EXPECT_EQ(Unchanged(chain("add", "12582912", "-12582912")), "");
  EXPECT_EQ(Unchanged(chain("add", "1", "2")), "");
  EXPECT_EQ(Unchanged(chain("multiply", "0.1", "10")), "");
  // The inner product may overflow, or be subnormal.
  EXPECT_EQ(Unchanged(chain("multiply", "16", "0.0625")), "");
  EXPECT_EQ(Unchanged(chain("multiply", "0.5", "0.25")), "");
  EXPECT_EQ(Unchanged(chain("divide", "3", "3")), "");
  // x * (1 / c) is not x / c if 1 / c is rounded or subnormal.
  for (const char* c : {"3", "10", "0.1", "1.7014118e38", "inf", "0"}) {
    EXPECT_EQ(
        Unchanged(Net(absl::StrCat("%1: float32[] = constant {value=[", c,
                                   "]}\n", "%9: ", kT, " = divide(%x, %1)"))),
        "")
        << c;
  }
}

TEST(SimplifyAlgebraTest, JoinsExactProducts) {
  const auto check = [](const char* c, const char* d, const char* product) {
    return Check(
        Net(absl::StrCat("%1: float32[] = constant {value=[", c, "]}\n",
                         "%2: float32[] = constant {value=[", d, "]}\n",
                         "%3: ", kT, " = multiply(%x, %1)\n", "%9: ", kT,
                         " = multiply(%3, %2)")),
        Net(absl::StrCat("%1: float32[] = constant {value=[", product, "]}\n",
                         "%9: ", kT, " = multiply(%x, %1)")));
  };
  EXPECT_EQ(check("-1", "0.1", "-0.1"), "");
  EXPECT_EQ(check("0.1", "-1", "-0.1"), "");
  EXPECT_EQ(check("2", "-8", "-16"), "");
}

TEST(SimplifyAlgebraTest, TurnsSubtractionAndDivisionIntoSumAndProduct) {
  EXPECT_EQ(Becomes(absl::StrCat("%2: float32[] = constant {value=[4]}\n",
                                 "%3: ", kT, " = subtract(%1, %2)\n",
                                 "%9: ", kT, " = divide(%3, %2)"),
                    absl::StrCat("%2: float32[] = constant {value=[-4]}\n",
                                 "%3: ", kT, " = add(%1, %2)\n",
                                 "%4: float32[] = constant {value=[0.25]}\n",
                                 "%9: ", kT, " = multiply(%3, %4)")),
            "");
}

TEST(SimplifyAlgebraTest, MergesRanges) {
  EXPECT_EQ(Becomes(absl::StrCat("%2: ", kT, " = relu(%1)\n", "%9: ", kT,
                                 " = clip(%2) {max=6}"),
                    absl::StrCat("%9: ", kT, " = clip(%1) {min=0, max=6}")),
            "");
  EXPECT_EQ(Becomes(absl::StrCat("%2: float32[] = constant {value=[0]}\n",
                                 "%9: ", kT, " = maximum(%2, %1)"),
                    absl::StrCat("%9: ", kT, " = relu(%1)")),
            "");
  // Disjoint ranges: the second one determines the result.
  EXPECT_EQ(Becomes(absl::StrCat("%2: ", kT, " = clip(%1) {min=0, max=1}\n",
                                 "%9: ", kT, " = clip(%2) {min=3, max=5}"),
                    absl::StrCat("%9: ", kT, " = clip(%1) {min=3, max=3}")),
            "");
}

TEST(SimplifyAlgebraTest, MergesInfiniteRanges) {
  EXPECT_EQ(Becomes(absl::StrCat("%2: float32[] = constant {value=[inf]}\n",
                                 "%9: ", kT, " = maximum(%2, %1)"),
                    absl::StrCat("%9: ", kT, " = clip(%1) {min=inf}")),
            "");
}

TEST(SimplifyAlgebraTest, SimplifiesSignsAndCasts) {
  EXPECT_EQ(Becomes(absl::StrCat("%2: ", kT, " = negate(%1)\n", "%3: ", kT,
                                 " = negate(%2)\n", "%4: ", kT, " = abs(%3)\n",
                                 "%9: ", kT, " = abs(%4)"),
                    absl::StrCat("%9: ", kT, " = abs(%1)")),
            "");
  EXPECT_EQ(Becomes(absl::StrCat("%2: float64[1,4,2,3] = cast(%1) "
                                 "{dtype=float64}\n",
                                 "%3: ", kT, " = cast(%2) {dtype=float32}\n",
                                 "%9: ", kT, " = tanh(%3)"),
                    absl::StrCat("%9: ", kT, " = tanh(%1)")),
            "");
  // The first cast loses bits.
  EXPECT_EQ(Unchanged(Net(absl::StrCat(
                "%2: float16[1,4,2,3] = cast(%x) {dtype=float16}\n", "%9: ", kT,
                " = cast(%2) {dtype=float32}"))),
            "");
}

TEST(SimplifyAlgebraTest, MergesReshapesAndTransposes) {
  EXPECT_EQ(Becomes("%2: float32[24] = reshape(%1) {shape=[24]}\n"
                    "%9: float32[8,3] = reshape(%2) {shape=[8,3]}",
                    "%9: float32[8,3] = reshape(%1) {shape=[8,3]}"),
            "");
  EXPECT_EQ(Becomes("%2: float32[1,2,3,4] = transpose(%1) {perm=[0,2,3,1]}\n"
                    "%9: float32[1,3,4,2] = transpose(%2) {perm=[0,2,3,1]}",
                    "%9: float32[1,3,4,2] = transpose(%1) {perm=[0,3,1,2]}"),
            "");
  EXPECT_EQ(Becomes(absl::StrCat("%2: float32[1,2,3,4] = transpose(%1) "
                                 "{perm=[0,2,3,1]}\n%3: ",
                                 kT, " = transpose(%2) {perm=[0,3,1,2]}\n%9: ",
                                 kT, " = tanh(%3)"),
                    absl::StrCat("%9: ", kT, " = tanh(%1)")),
            "");
  EXPECT_EQ(Becomes("%9: float32[4,1,2,3] = transpose(%1) {perm=[1,0,2,3]}",
                    "%9: float32[4,1,2,3] = reshape(%1) {shape=[4,1,2,3]}"),
            "");
}

TEST(SimplifyAlgebraTest, SimplifiesSlicesAndConcats) {
  EXPECT_EQ(Becomes("%2: float32[1,3,2,3] = slice(%1) {begins=[0,1,0,0], "
                    "steps=[1,1,1,1], sizes=[1,3,2,3]}\n"
                    "%9: float32[1,1,2,3] = slice(%2) {begins=[0,2,0,0], "
                    "steps=[1,1,1,1], sizes=[1,1,2,3]}",
                    "%9: float32[1,1,2,3] = slice(%1) {begins=[0,3,0,0], "
                    "steps=[1,1,1,1], sizes=[1,1,2,3]}"),
            "");
  // Adjacent parts are joined again.
  EXPECT_EQ(Becomes(absl::StrCat("%2: float32[1,1,2,3] = slice(%1) "
                                 "{begins=[0,0,0,0], steps=[1,1,1,1], "
                                 "sizes=[1,1,2,3]}\n"
                                 "%3: float32[1,1,2,3] = slice(%1) "
                                 "{begins=[0,1,0,0], steps=[1,1,1,1], "
                                 "sizes=[1,1,2,3]}\n"
                                 "%4: float32[1,2,2,3] = slice(%1) "
                                 "{begins=[0,2,0,0], steps=[1,1,1,1], "
                                 "sizes=[1,2,2,3]}\n%5: ",
                                 kT, " = concat(%2, %3, %4) {axis=1}\n%9: ", kT,
                                 " = tanh(%5)"),
                    absl::StrCat("%9: ", kT, " = tanh(%1)")),
            "");
  // A part of one operand, and nested concats.
  EXPECT_EQ(Becomes("%2: float32[1,4,2,3] = tanh(%1)\n"
                    "%3: float32[1,8,2,3] = concat(%1, %2) {axis=1}\n"
                    "%4: float32[1,2,2,3] = slice(%3) {begins=[0,5,0,0], "
                    "steps=[1,1,1,1], sizes=[1,2,2,3]}\n"
                    "%9: float32[1,10,2,3] = concat(%3, %4) {axis=1}",
                    "%2: float32[1,4,2,3] = tanh(%1)\n"
                    "%4: float32[1,2,2,3] = slice(%2) {begins=[0,1,0,0], "
                    "steps=[1,1,1,1], sizes=[1,2,2,3]}\n"
                    "%9: float32[1,10,2,3] = concat(%1, %2, %4) {axis=1}"),
            "");
}

TEST(SimplifyAlgebraTest, MergesPads) {
  EXPECT_EQ(Becomes("%2: float32[1,4,3,3] = pad(%1) {before=[0,0,1,0], "
                    "after=[0,0,0,0]}\n"
                    "%9: float32[1,4,3,6] = pad(%2) {before=[0,0,0,1], "
                    "after=[0,0,0,2]}",
                    "%9: float32[1,4,3,6] = pad(%1) {before=[0,0,1,1], "
                    "after=[0,0,0,2]}"),
            "");
}

TEST(SimplifyAlgebraTest, CancelsConversions) {
  EXPECT_EQ(Becomes(absl::StrCat(
                        "%2: ", kT, "@blocks(2) = encode(%1)\n%3: ", kT,
                        " = encode(%2)\n%9: ", kT, "@blocks(4) = encode(%3)"),
                    absl::StrCat("%9: ", kT, "@blocks(4) = encode(%1)")),
            "");
  EXPECT_EQ(Becomes(absl::StrCat("%2: ", kT, "@blocks(2) = encode(%1)\n%3: ",
                                 kT, " = encode(%2)\n%9: ", kT, " = tanh(%3)"),
                    absl::StrCat("%9: ", kT, " = tanh(%1)")),
            "");
}

TEST(SimplifyAlgebraTest, ReshapesImageOfOnePixelInBlocks) {
  EXPECT_EQ(Check(R"(graph g(%x: float32[1,8,1,1]@blocks(4)) -> (%2) {
      %1: float32[1,8,1,1] = encode(%x)
      %2: float32[1,8] = reshape(%1) {shape=[1,8]} })",
                  R"(graph g(%x: float32[1,8,1,1]@blocks(4)) -> (%2) {
      %2: float32[1,8] = reshape(%x) {shape=[1,8]} })"),
            "");
  EXPECT_EQ(Unchanged(R"(graph g(%x: float32[1,8,1,3]@blocks(4)) -> (%2) {
      %1: float32[1,8,1,3] = encode(%x)
      %2: float32[1,24] = reshape(%1) {shape=[1,24]} })"),
            "");
}

// The rules compute plain results.
TEST(SimplifyAlgebraTest, KeepsTheEncodingOfTheResult) {
  EXPECT_EQ(Check(R"(graph g(%x: float32[1,8,2,2]) -> (%3) {
      %1: float32[] = constant {value=[2]}
      %2: float32[1,8,2,2]@blocks(4) = divide(%x, %1)
      %3: float32[1,8,2,2]@blocks(4) = exp(%2) })",
                  R"(graph g(%x: float32[1,8,2,2]) -> (%3) {
      %4: float32[] = constant {value=[0.5]}
      %5: float32[1,8,2,2] = multiply(%x, %4)
      %6: float32[1,8,2,2]@blocks(4) = encode(%5)
      %3: float32[1,8,2,2]@blocks(4) = exp(%6) })"),
            "");
}

TEST(SimplifyAlgebraTest, SinksTransposesUntilTheyCancel) {
  // NHWC arithmetic between two transposes becomes NCHW.
  EXPECT_EQ(
      Becomes(
          absl::StrCat("%2: float32[1,2,3,4] = transpose(%1) {perm=[0,2,3,1]}\n"
                       "%3: float32[4] = constant {value=[1,2,3,4]}\n"
                       "%4: float32[1,2,3,4] = add(%2, %3)\n"
                       "%5: float32[1,2,3,4] = tanh(%4)\n"
                       "%6: float32[1,4,3,4] = pad(%5) {before=[0,1,0,0], "
                       "after=[0,1,0,0]}\n"
                       "%9: float32[1,4,4,3] = transpose(%6) {perm=[0,3,1,2]}"),
          "%3: float32[1,4,1,1] = constant {value=[1,2,3,4]}\n"
          "%4: float32[1,4,2,3] = add(%1, %3)\n"
          "%5: float32[1,4,2,3] = tanh(%4)\n"
          "%9: float32[1,4,4,3] = pad(%5) {before=[0,0,1,0], "
          "after=[0,0,1,0]}"),
      "");
}

TEST(SimplifyAlgebraTest, SinksTransposesBelowReductionsAndConcat) {
  EXPECT_EQ(Becomes("%2: float32[1,2,3,4] = transpose(%1) {perm=[0,2,3,1]}\n"
                    "%9: float32[1,4] = reduce_mean(%2) {axes=[1,2]}",
                    "%9: float32[1,4] = reduce_mean(%1) {axes=[2,3]}"),
            "");
  EXPECT_EQ(Becomes("%2: float32[1,3,4,2] = transpose(%1) {perm=[0,3,1,2]}\n"
                    "%9: float32[3,4,2] = reduce_max(%2) {axes=[0]}",
                    "%2: float32[4,2,3] = reduce_max(%1) {axes=[0]}\n"
                    "%9: float32[3,4,2] = transpose(%2) {perm=[2,0,1]}"),
            "");
  EXPECT_EQ(Becomes("%2: float32[1,2,3,4] = transpose(%1) {perm=[0,2,3,1]}\n"
                    "%3: float32[1,4,2,3] = tanh(%1)\n"
                    "%4: float32[1,2,3,4] = transpose(%3) {perm=[0,2,3,1]}\n"
                    "%9: float32[1,2,3,8] = concat(%2, %4) {axis=3}",
                    "%3: float32[1,4,2,3] = tanh(%1)\n"
                    "%4: float32[1,8,2,3] = concat(%1, %3) {axis=1}\n"
                    "%9: float32[1,2,3,8] = transpose(%4) {perm=[0,2,3,1]}"),
            "");
  EXPECT_EQ(Becomes("%2: float32[1,2,3,4] = transpose(%1) {perm=[0,2,3,1]}\n"
                    "%9: float32[1,2,3,4] = softmax(%2) {axis=3}",
                    "%2: float32[1,4,2,3] = softmax(%1) {axis=1}\n"
                    "%9: float32[1,2,3,4] = transpose(%2) {perm=[0,2,3,1]}"),
            "");
}

TEST(SimplifyAlgebraTest, KeepsOutputsComputed) {
  EXPECT_EQ(Unchanged(Net("%9: float32[2] = reshape(%x) {shape=[2]}",
                          "%x: float32[2]")),
            "");
}

TEST(SimplifyAlgebraTest, PreservesResultsOfRandomGraphs) {
  EXPECT_EQ(CheckOnRandomGraphs(
                [] {
                  PassList passes;
                  passes.push_back(std::make_unique<SimplifyAlgebra>());
                  return passes;
                },
                150),
            "");
}

}  // namespace
}  // namespace assay::graph
