#include "compiler/ops/kernel/workload.h"

#include <memory>
#include <string>
#include <vector>

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

TEST(WorkloadTest, IsParsedBack) {
  std::vector<std::string> texts = {WorkloadText(*Parse(kBody))};
  // Several results, and a result that is an operand of its own.
  texts.push_back(WorkloadText(*Parse(
      R"(graph body(%p0: float32[1,8]) -> (%1.1, %2) {
  %1: (int64[2,8], int64[]) = non_zero(%p0)
  %2: int64[2,8] = add(%1, %1.1)
})")));
  // Attributes with lists.
  texts.push_back(WorkloadText(*Parse(
      R"(graph body(%p0: float32[1,16,6,56]@blocks(16), %p1: float32[16,16,1,1]@filters(in=16,out=16)) -> (%2) {
  %1: float32[1,16,6,56]@blocks(16) = conv2d(%p0, %p1) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], groups=1}
  %2: float32[1,16,6,56]@blocks(16) = clip(%1) {min=0, max=6}
})")));
  for (const std::string& text : texts) {
    const auto body = ParseWorkload(text);
    ASSERT_TRUE(body.ok()) << body.status() << text;
    EXPECT_EQ(WorkloadText(**body), text);
  }
}

TEST(WorkloadTest, ErrorsQuoteWhatIsWrong) {
  const auto error = [](const std::string& text) {
    return std::string(ParseWorkload(text).status().message());
  };
  const std::string text = WorkloadText(*Parse(kBody));
  EXPECT_THAT(error(absl::StrReplaceAll(text, {{"dense", "tense"}})),
              HasSubstr("`tense`"));
  EXPECT_THAT(error(absl::StrReplaceAll(text, {{"return v2", "return v7"}})),
              HasSubstr("`%7`"));
  EXPECT_THAT(error(absl::StrReplaceAll(text, {{"return v2", ""}})), Not(""));
  EXPECT_THAT(error(text + " v3: float32[] = relu(v1)"), HasSubstr("`v3:"));
  EXPECT_THAT(error("w0: float32[1]"), HasSubstr("`w0:"));
  EXPECT_THAT(error(""), Not(""));
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_FALSE(ParseWorkload(text.substr(0, length)).ok()) << length;
  }
}

TEST(WorkloadTest, WeightsAreOperands) {
  EXPECT_THAT(WorkloadText(*Parse(kBody)), Not(HasSubstr("digest")));
}

}  // namespace
}  // namespace assay::ops
