#include "compiler/graph/parser.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/digest.h"
#include "compiler/graph/printer.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/graph/testing/random_graph.h"
#include "compiler/graph/verifier.h"
#include "gtest/gtest.h"

namespace assay::graph {
namespace {

void ExpectRoundTrip(absl::string_view text,
                     const ConstantStore* store = nullptr) {
  const auto graph = ParseGraph(text, store);
  ASSERT_TRUE(graph.ok()) << graph.status() << "\n" << text;
  EXPECT_EQ(ToString(**graph), text);
}

TEST(ParserTest, RoundTripsEveryOperator) {
  ExpectRoundTrip(
      R"(graph net(%data: float32[1,4,4,4], %i: int64[2]) -> (probs=%30, %4) {
  %1: float32[8,4,3,3] = constant {fill=0.5} "w"
  %2: float32[1,8,4,4] = conv2d(%data, %1) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], groups=1} "Conv_0"
  %3: float32[8] = constant {value=[1,2,3,4,5,6.5,-7,1e-10]}
  %4: float32[1,8,4,4] = batch_norm(%2, %3, %3, %3, %3) {epsilon=0.001} "BN" from ["BN", "x \"y\""]
  %5: float32[1,8,4,4] = relu(%4)
  %6: float32[1,8,4,4] = add(%5, %2)
  %7: float32[1,8,4,4] = multiply(%6, %6)
  %8: float32[1,8,2,2] = max_pool2d(%7) {kernel=[3,3], strides=[2,2], padding=[0,0,0,0], ceil_mode=true}
  %9: float32[1,8,2,2]@blocks(4) = encode(%8)
  %10: float32[1,8,1,1]@blocks(4) = global_avg_pool2d(%9)
  %11: float32[1,8] = reshape(%10) {shape=[1,8]}
  %12: float32[8,1] = transpose(%11) {perm=[1,0]}
  %13: float32[8,2] = concat(%12, %12) {axis=1}
  %14: float32[2,2] = gather(%13, %i) {axis=0}
  %15: float32[3,2] = constant {value=[1,2,3,4,5,6]}
  %30: float32[2,3] = dense(%14, %15) "fc"
}
)");
}

TEST(ParserTest, RoundTripsKernelsWithSeveralResults) {
  ExpectRoundTrip(R"(graph net(%x: float32[2]) -> (%2.1, %2) {
  %2: (float32[2], float32[2]) = kernel(%x, %x) {
    graph fused_add_relu(%p0: float32[2], %p1: float32[2]) -> (%3, %2) {
      %2: float32[2] = add(%p0, %p1) "Add_0"
      %3: float32[2] = relu(%2)
    }
  } "Add_0" from ["Add_0", "Relu_0"]
}
)");
}

TEST(ParserTest, RoundTripsBoundedOutputs) {
  ExpectRoundTrip(
      R"(graph net(%b: float32[1,5,4], %s: float32[1,2,5]) -> (%2 {axis=0, extent=%2.1}, kept=%3 {axis=1, extent=%2.1}, %s) {
  %2: (int64[6,3], int64[]) = non_max_suppression(%b, %s) {most=3, iou_threshold=0.5}
  %3: int64[3,6] = transpose(%2) {perm=[1,0]}
}
)");
}

TEST(ParserTest, RoundTripsNamesThatNeedQuotes) {
  ExpectRoundTrip(
      R"(graph "my net"(%"1": float32[2], %a.b/c: float32[2], %"x:0": float32[2]) -> ("2"=%1, y_0=%"1") {
  %1: float32[2] = add(%"1", %"x:0") "Add\n0"
}
)");
}

TEST(ParserTest, RoundTripsConstantsOfEveryElementType) {
  ExpectRoundTrip(R"(graph c() -> (%9) {
  %1: float64[2] = constant {value=[0.10000000000000001,-inf]}
  %2: int8[2] = constant {value=[-128,127]}
  %3: int16[1] = constant {value=[-3]}
  %4: int32[1] = constant {value=[7]}
  %5: uint8[2] = constant {value=[0,255]}
  %6: uint64[1] = constant {value=[18446744073709551615]}
  %7: bool[2] = constant {value=[0,1]}
  %8: int64[0] = constant {value=[]}
  %9: int64[] = constant {value=[-9223372036854775808]}
  %10: float32[3] = constant {value=[nan,inf,-0]}
  %11: uint32[2,3] = constant {fill=4000000000}
}
)");
}

TEST(ParserTest, LooksUpElidedConstantsInStore) {
  Graph graph("g");
  NDArray value(DType::Float32(), {3, 7});
  for (int i = 0; i < 21; ++i) value.data<float>()[i] = i * 0.1f;
  Node* big = graph.AddConstant(value, "w");
  graph.AddOutput("", {big});
  const NDArray half(DType::Float16(), {2});
  graph.AddOutput("", {graph.AddConstant(half)});
  const std::string text = ToString(graph);
  EXPECT_NE(text.find(absl::StrCat("{elements=21, digest=",
                                   absl::Hex(DigestOf(value), absl::kZeroPad16),
                                   "} \"w\"")),
            std::string::npos)
      << text;
  const ConstantStore store = CollectConstants(graph);
  ExpectRoundTrip(text, &store);
  EXPECT_TRUE(ErrorHas(ParseGraph(text).status(),
                       "a constant store is needed to read it"));
  const ConstantStore empty;
  EXPECT_TRUE(ErrorHas(ParseGraph(text, &empty).status(),
                       "the constant store has no float32[3,7]"));
}

TEST(ParserTest, PrintsUpToSixteenElements) {
  for (int n : {16, 17}) {
    Graph graph("g");
    NDArray value(DType::Int32(), {n});
    value.data<int32_t>()[1] = 1;
    graph.AddOutput("", {graph.AddConstant(value)});
    EXPECT_EQ(ParseGraph(ToString(graph)).ok(), n == 16);
  }
}

TEST(ParserTest, IgnoresCommentsAndSpaces) {
  const auto graph = ParseGraph(
      "// a comment\ngraph g ( %x:float32[2] )->( %1 ){ // more\n"
      "%1:float32[2]=relu( %x )\n\n}\n");
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ((*graph)->num_nodes(), 2);
}

TEST(ParserTest, InputsGetUnusedIds) {
  const auto graph = GraphFromText(
      "graph g(%x: float32[2]) -> (%0) { %0: float32[2] = relu(%x) }");
  EXPECT_EQ(graph->inputs()[0]->id(), 1);
  auto next = graph->AddNode(OpKind::kRelu, NoAttrs(), {{graph->inputs()[0]}});
  EXPECT_EQ((*next)->id(), 2);
}

struct BadText {
  const char* nodes;
  const char* error;
};

TEST(ParserTest, ErrorsNameTheLine) {
  const BadText cases[] = {
      {"%1: float32[2] = relu(%y)",
       "line 2: `%y` is not defined before it is used"},
      {"%1: float32[2] = relu(%1)",
       "line 2: `%1` is not defined before it is used"},
      {"%1: float32[2] = relu(%x.1)",
       "line 2: `%x.1` is not defined before it is used"},
      {"%1: float32[2] = soft_max(%x)",
       "line 2: `soft_max` is not an operator"},
      {"%1: float32[2] = input(%x)", "line 2: `input` is not an operator"},
      {"%1: float32[3] = relu(%x)",
       "line 2: `%1` is declared float32[3] but is float32[2]"},
      {"%1: float32[2] = add(%x)",
       "line 2: node `%1` (add): takes 2 operands, not 1"},
      {"%1: float32[2] = concat(%x)",
       "line 2: concat lacks the attribute `axis`"},
      {"%1: float32[2] = relu(%x) {slope=1}",
       "line 2: relu has an unknown or repeated attribute `slope`"},
      {"%1: float32[2] = relu(%x)\n%1: float32[2] = relu(%x)",
       "line 3: `%1` is defined twice"},
      {"%1: float31[2] = relu(%x)", "line 2: `float31` is not a data type"},
      {"%1: float32[a] = relu(%x)",
       "line 2: `float32[a]` is not a tensor type"},
      {"%1: float32[-1] = relu(%x)", "line 2: shape [-1] has a negative"},
      {"%1: float32[2] relu(%x)", "line 2: expected `=` but found `relu`"},
      {"%1: () = relu(%x)", "line 2: a node has no type"},
      {"%99999999999: float32[2] = relu(%x)",
       "line 2: `%99999999999` is not a node id"},
      {"%1: float32[2] = relu(%x) \"a",
       "line 2: a quoted name does not end on its line"},
      {"%1: float32[2] = constant {value=[1]}",
       "line 2: 1 elements are given for float32[2]"},
      {"%1: float32[2] = constant {value=[1,b]}",
       "line 2: `b` is not an element of float32[2]"},
      {"%1: int8[1] = constant {value=[128]}",
       "line 2: `128` is not an element of int8[1]"},
      {"%1: float32[1000000,1000000] = constant {fill=0}",
       "a constant of float32[1000000,1000000] is too large"},
      {"%1: float32[2] = constant {}", "a constant needs `value`, `fill`"},
      {"%1: float16[1] = constant {value=[1]}",
       "constants of float16 have no decimal text"},
  };
  for (const BadText& bad : cases) {
    const std::string text =
        absl::StrCat("graph g(%x: float32[2]) -> (%1) {\n", bad.nodes, "\n}\n");
    EXPECT_TRUE(ErrorHas(ParseGraph(text).status(), bad.error)) << text;
  }
}

TEST(ParserTest, ErrorsOutsideNodes) {
  EXPECT_TRUE(ErrorHas(ParseGraph("").status(),
                       "line 1: expected `graph` but found the end"));
  EXPECT_TRUE(ErrorHas(ParseGraph("graph g() -> () {} x").status(),
                       "text follows the graph"));
  EXPECT_TRUE(ErrorHas(ParseGraph("graph g() -> (%3) {}").status(),
                       "`%3` is not defined"));
  EXPECT_TRUE(ErrorHas(
      ParseGraph("graph g(%x: float32[1], %x: float32[1]) -> () {}").status(),
      "two graph inputs are named `x`"));
  EXPECT_TRUE(ErrorHas(
      ParseGraph("graph g() -> () { %1: float32[1] = kernel() { graph h() -> "
                 "() { %1: float32[1] = kernel() {} } } }")
          .status(),
      "a kernel is inside a kernel"));
}

TEST(ParserTest, RejectsEveryPrefixOfAGraph) {
  const std::string text = ToString(*GraphFromText(
      "graph g(%x: float32[2]) -> (y=%3) { %1: float32[2] = constant "
      "{value=[1,2]} \"w\" from [\"a\", \"b\"] %3: float32[2] = kernel(%x, "
      "%1) { graph k(%p: float32[2], %q: float32[2]) -> (%1) { %1: float32[2] "
      "= add(%p, %q) } } }"));
  for (size_t n = 0; n + 2 < text.size(); ++n) {
    EXPECT_FALSE(ParseGraph(text.substr(0, n)).ok()) << n;
  }
}

TEST(ParserTest, CorruptedTextDoesNotCrash) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const auto graph = RandomGraph(seed);
    const ConstantStore store = CollectConstants(*graph);
    const std::string text = ToString(*graph);
    TestRandom random(seed);
    for (int i = 0; i < 400; ++i) {
      std::string damaged = text;
      for (int64_t k = random.In(1, 3); k > 0; --k) {
        // Mostly characters with a meaning in the text form.
        constexpr char kBytes[] = "%0123456789.,:=-(){}[]\"\\ \nax\xff";
        const int64_t at = random.In(0, damaged.size() - 1);
        damaged[at] = kBytes[random.In(0, sizeof(kBytes) - 1)];
        if (random.OneIn(4)) damaged.erase(at, random.In(1, 20));
      }
      const auto result = ParseGraph(damaged, &store);
      if (result.ok()) {
        EXPECT_TRUE(Verify(**result).ok() || (*result)->outputs().empty())
            << "seed " << seed << "\n"
            << damaged;
      }
    }
  }
}

}  // namespace
}  // namespace assay::graph
