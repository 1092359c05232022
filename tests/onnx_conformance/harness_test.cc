// Tests of the components of the conformance test.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "onnx/onnx.pb.h"
#include "runtime/base/check.h"
#include "runtime/base/ndarray.h"
#include "tests/onnx_conformance/bound_inputs.h"
#include "tests/onnx_conformance/compare.h"
#include "tests/onnx_conformance/exception_list.h"
#include "tests/onnx_conformance/isolate.h"
#include "tests/onnx_conformance/known_differences.h"
#include "tests/onnx_conformance/op_status.h"

namespace assay::conformance {
namespace {

TEST(CompareTest, ComparesFloatsWithTolerance) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto of = [](float x) { return NDArray::FromVector<float>({1}, {x}); };
  EXPECT_TRUE(CompareTensors(of(1000.9f), of(1000)).ok());
  EXPECT_FALSE(CompareTensors(of(1001.1f), of(1000)).ok());
  EXPECT_TRUE(CompareTensors(of(nan), of(nan)).ok());
  EXPECT_FALSE(CompareTensors(of(nan), of(1)).ok());
  EXPECT_FALSE(CompareTensors(of(1), of(nan)).ok());
  EXPECT_TRUE(CompareTensors(of(inf), of(inf)).ok());
  EXPECT_FALSE(CompareTensors(of(-inf), of(inf)).ok());
  EXPECT_FALSE(CompareTensors(of(1e30f), of(inf)).ok());
}

TEST(CompareTest, ComparesIntegersTypesAndShapesExactly) {
  const auto a = NDArray::FromVector<int32_t>({2}, {5000, 5000});
  const auto b = NDArray::FromVector<int32_t>({2}, {5000, 5001});
  EXPECT_TRUE(CompareTensors(a, a).ok());
  EXPECT_EQ(CompareTensors(a, b).message(),
            "element 1 is 5000 instead of 5001");
  EXPECT_EQ(CompareTensors(a, a.Reshaped({2, 1})).message(),
            "is int32[2] instead of int32[2,1]");
  EXPECT_EQ(CompareTensors(a, NDArray(DType::Int64(), {2})).message(),
            "is int32[2] instead of int64[2]");
}

TEST(CompareTest, RoundingDependsOnTheTypeAndTheLargestElement) {
  const auto same = [](const NDArray& a, const NDArray& b) {
    return CompareTensors(a, b, Tolerance::kRounding).ok();
  };
  const auto floats = [](std::vector<float> x) {
    return NDArray::FromVector<float>({static_cast<int64_t>(x.size())}, x);
  };
  const auto doubles = [](double x) {
    return NDArray::FromVector<double>({1}, {x});
  };
  EXPECT_TRUE(same(floats({1.00002f}), floats({1})));
  EXPECT_FALSE(same(floats({1.0001f}), floats({1})));
  EXPECT_FALSE(same(doubles(1.00002), doubles(1)));
  EXPECT_TRUE(same(floats({0.001f, 100}), floats({0, 100})));
  EXPECT_FALSE(same(floats({0.001f, 1}), floats({0, 1})));
  EXPECT_FALSE(same(floats({-0.0f}), floats({0.0f})));
  EXPECT_TRUE(CompareTensors(floats({-0.0f}), floats({0.0f})).ok());
}

TEST(KnownDifferencesTest, ParsesSortedLines) {
  const auto parsed =
      ParseKnownDifferences("# comment\nAdd | * is 1 | why\nSub | x | y z\n");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  ASSERT_EQ(parsed->size(), 2u);
  EXPECT_EQ((*parsed)[0].op_type, "Add");
  EXPECT_EQ((*parsed)[0].error, "* is 1");
  EXPECT_EQ((*parsed)[1].decision, "y z");
  EXPECT_FALSE(ParseKnownDifferences("Add | no decision\n").ok());
  EXPECT_FALSE(ParseKnownDifferences("Sub | x | y\nAdd | x | y\n").ok());
}

TEST(KnownDifferencesTest, StarsStandForAnyText) {
  EXPECT_TRUE(MatchesPattern("element 3 is 1", "element * is 1"));
  EXPECT_TRUE(MatchesPattern("element 3 is 1", "*"));
  EXPECT_TRUE(MatchesPattern("element 3 is 1", "element 3 is 1"));
  EXPECT_TRUE(MatchesPattern("a b a b", "a*b"));
  EXPECT_FALSE(MatchesPattern("element 3 is 12", "element * is 1"));
  EXPECT_FALSE(MatchesPattern("an element", "element*"));
  EXPECT_FALSE(MatchesPattern("ab", "ab*b"));
}

TEST(ExceptionsTest, RoundTrips) {
  const Exceptions exceptions = {{"node/b", "too: hard\nmore"},
                                 {"node/a", "no"}};
  const auto parsed = ParseExceptions(PrintExceptions(exceptions, "make\nit"));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, (Exceptions{{"node/a", "no"}, {"node/b", "too: hard"}}));
  EXPECT_EQ(ReasonOf("too: hard\nmore"), "too: hard");
  EXPECT_EQ(ReasonOf("no"), "no");
  EXPECT_FALSE(ParseExceptions("node/a\n").ok());
  EXPECT_FALSE(ParseExceptions("node/a: x\nnode/a: y\n").ok());
}

TEST(IsolateTest, ReportsCrashesAsErrors) {
  const auto results = RunIsolated(5, 2, [](int i) {
    if (i == 1) return absl::NotFoundError("nothing");
    if (i == 2) {
      std::fputs("why\nwhere\n", stderr);
      std::raise(SIGKILL);
    }
    if (i == 3) _exit(1);
    if (i == 4) CHECK_EQ(i, 0) << "why";
    return absl::OkStatus();
  });
  EXPECT_TRUE(results[0].ok());
  EXPECT_EQ(results[1], absl::NotFoundError("nothing"));
  EXPECT_EQ(results[2].message(), "crashed by signal 9: why");
  EXPECT_EQ(results[3].message(), "crashed");
  EXPECT_FALSE(IsCrash(results[0]));
  EXPECT_FALSE(IsCrash(results[1]));
  EXPECT_TRUE(IsCrash(results[2]));
  EXPECT_TRUE(IsCrash(results[3]));
  EXPECT_TRUE(IsCrash(results[4]));
  EXPECT_NE(results[4].message().find("check failed: "),
            absl::string_view::npos)
      << results[4];
}

onnx::ModelProto ReshapeModel() {
  onnx::ModelProto model;
  onnx::GraphProto& graph = *model.mutable_graph();
  for (const char* name : {"x", "shape", "weights"}) {
    graph.add_input()->set_name(name);
  }
  graph.add_initializer()->set_name("weights");
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type("Reshape");
  node.add_input("x");
  node.add_input("shape");
  return model;
}

TEST(BoundInputsTest, BindsOnlyOperandsOfTheTable) {
  onnx::ModelProto model = ReshapeModel();
  EXPECT_EQ(InputsToBind(model), (std::vector<std::string>{"shape"}));
  model.mutable_graph()->mutable_node(0)->set_input(1, "weights");
  EXPECT_TRUE(InputsToBind(model).empty());
}

// The shape is computed from the elements of one input and the extents of
// another.
TEST(BoundInputsTest, BindsSourcesOfComputedOperands) {
  onnx::ModelProto model = ReshapeModel();
  onnx::GraphProto& graph = *model.mutable_graph();
  const auto add = [&](const char* op, const char* input, const char* output) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type(op);
    node.add_input(input);
    node.add_output(output);
    return &node;
  };
  add("Shape", "x", "extents");
  add("Cast", "shape", "numbers");
  add("Concat", "extents", "both")->add_input("numbers");
  graph.mutable_node(0)->set_input(1, "both");
  EXPECT_EQ(InputsToBind(model), (std::vector<std::string>{"shape"}));
  graph.mutable_input(1)->mutable_type()->mutable_sequence_type();
  EXPECT_TRUE(InputsToBind(model).empty());
}

TEST(OpStatusTest, CountsPerFolderAndOperator) {
  const std::string text =
      PrintOpStatus({{"node/a", {"Add", "Mul"}, false, {}},
                     {"node/b", {"Add"}, true, {}},
                     {"simple/c", {"Reshape"}, false, {"shape"}}});
  for (const char* row : {"\n| `node` | 2 | 1 | 1 |\n",
                          "\n| `simple` | 1 | 1 | |\n", "\n| Add | 1 | 1 | |\n",
                          "\n| Mul | 1 | | |\n", "\n| Reshape | 1 | | 1 |\n"}) {
    EXPECT_NE(text.find(row), std::string::npos) << row << text;
  }
}

TEST(OpStatusTest, CountsOperatorsOfSubgraphs) {
  onnx::ModelProto model = ReshapeModel();
  onnx::AttributeProto& body =
      *model.mutable_graph()->mutable_node(0)->add_attribute();
  body.mutable_g()->add_node()->set_op_type("Add");
  EXPECT_EQ(OperatorsOf(model), (std::set<std::string>{"Add", "Reshape"}));
}

}  // namespace
}  // namespace assay::conformance
