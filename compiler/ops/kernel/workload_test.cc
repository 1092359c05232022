#include "compiler/ops/kernel/workload.h"

#include <memory>
#include <string>

#include "absl/strings/str_replace.h"
#include "compiler/graph/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

constexpr char kBody[] =
    R"(graph body(%p0: float32[1,64], %p1: float32[8,64]) -> (%4) {
  %2: float32[1,8] = dense(%p0, %p1) "fc"
  %3: float32[] = constant {value=[0.5]}
  %4: float32[1,8] = multiply(%2, %3) "scale" from ["scale", "fc"]
})";

std::unique_ptr<graph::Graph> Parse(const std::string& text) {
  auto graph = graph::ParseGraph(text);
  CHECK(graph.ok()) << graph.status();
  return *std::move(graph);
}

std::string Replaced(const std::string& from, const std::string& to) {
  const std::string text = absl::StrReplaceAll(kBody, {{from, to}});
  EXPECT_NE(text, kBody) << from;
  return text;
}

TEST(WorkloadTest, IsOneLine) {
  const std::string text = WorkloadText(*Parse(kBody));
  EXPECT_EQ(text,
            "p0: float32[1,64] p1: float32[8,64] v0: float32[1,8] = "
            "dense(p0, p1) v1: float32[] = constant() {value=[0.5]} v2: "
            "float32[1,8] = multiply(v0, v1) return v2");
  EXPECT_THAT(WorkloadKey(*Parse(kBody)), MatchesRegex("[0-9a-f]{16}"));
}

TEST(WorkloadTest, NamesAndNumbersOfNodesDoNotMatter) {
  const std::string key = WorkloadKey(*Parse(kBody));
  for (const auto& [from, to] :
       {std::pair<const char*, const char*>{"\"fc\"", "\"layer4\""},
        {"graph body", "graph other"},
        {"%4", "%40"},
        {"p0", "data"}}) {
    EXPECT_EQ(WorkloadKey(*Parse(Replaced(from, to))), key) << from;
  }
}

TEST(WorkloadTest, OperatorsTypesAndConstantsMatter) {
  const std::string key = WorkloadKey(*Parse(kBody));
  for (const auto& [from, to] :
       {std::pair<const char*, const char*>{"[1,", "[2,"},
        {"multiply", "add"},
        {"value=[0.5]", "value=[0.25]"},
        {"multiply(%2, %3)", "multiply(%3, %2)"}}) {
    EXPECT_NE(WorkloadKey(*Parse(Replaced(from, to))), key) << from;
  }
}

TEST(WorkloadTest, WeightsAreOperands) {
  EXPECT_THAT(WorkloadText(*Parse(kBody)), Not(HasSubstr("digest")));
}

}  // namespace
}  // namespace assay::ops
