#include "suites/tune/log/autotvm_hints.h"

#include <string>
#include <variant>

#include "absl/strings/str_replace.h"
#include "compiler/graph/testing/graph_testing.h"
#include "compiler/target/target.h"
#include "compiler/tune/space/search_space.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"

namespace assay::suites {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kLine[] =
    R"({"input": ["llvm -mcpu=skylake-avx512", "conv2d_NCHWc.x86", )"
    R"([["TENSOR", [1, 64, 56, 56], "float32"], )"
    R"(["TENSOR", [128, 64, 3, 3], "float32"], [2, 2], [1, 1, 1, 1], )"
    R"([1, 1], "NCHW", "NCHW", "float32"], {}], "config": {"index": 371, )"
    R"("code_hash": null, "entity": [["tile_ic", "sp", [-1, 16]], )"
    R"(["tile_oc", "sp", [-1, 32]], ["tile_ow", "sp", [-1, 7]], )"
    R"(["unroll_kw", "ot", true]]}, "result": [[0.0005], 0, 1.5, 1600.25], )"
    R"("version": 0.2, "tvm_version": "0.9.0"})";

std::string Replaced(const std::string& from, const std::string& to) {
  const std::string line = absl::StrReplaceAll(kLine, {{from, to}});
  EXPECT_NE(line, kLine) << from;
  return line;
}

// The convolution of the line in blocks of channels.
ops::OpInstance Convolution() {
  const auto graph = graph::GraphFromText(R"(
      graph g(%x: float32[1,64,56,56]@blocks(16), %w: float32[128,64,3,3]@filters(in=16,out=32)) -> (%1) {
        %1: float32[1,128,28,28]@blocks(32) = conv2d(%x, %w) {strides=[2,2], padding=[1,1,1,1], dilations=[1,1], groups=1}
      })");
  return ops::InstanceOf(*graph->outputs()[0].value.node);
}

AutoTvmConv2d Hint(const std::string& line = kLine) {
  const auto hint = ParseAutoTvmLine(line);
  CHECK(hint.ok()) << hint.status();
  return *hint;
}

TEST(AutoTvmHintsTest, LinesAreParsed) {
  const AutoTvmConv2d hint = Hint();
  EXPECT_THAT(hint.data, ElementsAre(1, 64, 56, 56));
  EXPECT_THAT(hint.weights, ElementsAre(128, 64, 3, 3));
  EXPECT_THAT(hint.strides, ElementsAre(2, 2));
  EXPECT_THAT(hint.padding, ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(hint.dilations, ElementsAre(1, 1));
  EXPECT_EQ(hint.tile_ic, 16);
  EXPECT_EQ(hint.tile_oc, 32);
  EXPECT_EQ(hint.tile_ow, 7);
  EXPECT_THAT(Hint(Replaced("[1, 1, 1, 1]", "[1, 0]")).padding,
              ElementsAre(1, 0, 1, 0));
}

// The point is in the space of the task, so it can be tried.
TEST(AutoTvmHintsTest, APointOfTheDirectTemplateCorresponds) {
  const auto point = HintedPoint(Hint(), Convolution());
  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->implementation, "conv2d.direct_nchwc");
  EXPECT_EQ(point->config.ToString(), "tile_ow=[-1,7] tile_oc=1 inline_pad=0");
  const auto target = target::Target::Parse(
      "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -num-cores=2");
  ASSERT_TRUE(target.ok()) << target.status();
  const auto space = tune::SpaceOf(Convolution(), *target);
  ASSERT_TRUE(space.ok()) << space.status();
  const auto index = space->IndexOf(point->implementation, point->config);
  EXPECT_TRUE(index.ok()) << index.status();
}

TEST(AutoTvmHintsTest, OtherConvolutionsAndLayoutsHaveNoPoint) {
  EXPECT_FALSE(HintedPoint(Hint(Replaced("[2, 2]", "[1, 1]")), Convolution()));
  EXPECT_FALSE(HintedPoint(Hint(Replaced("56, 56", "28, 56")), Convolution()));
  EXPECT_FALSE(
      HintedPoint(Hint(Replaced("[128, 64", "[64, 64")), Convolution()));
  EXPECT_FALSE(
      HintedPoint(Hint(Replaced("[-1, 16]", "[-1, 8]")), Convolution()));
  EXPECT_FALSE(
      HintedPoint(Hint(Replaced("[-1, 32]", "[-1, 16]")), Convolution()));
  ops::OpInstance padded = Convolution();
  std::get<graph::Conv2dAttrs>(padded.attrs).padding = {2, 0, 1, 1};
  EXPECT_FALSE(HintedPoint(Hint(), padded));
  ops::OpInstance other = Convolution();
  other.kind = graph::OpKind::kRelu;
  EXPECT_FALSE(HintedPoint(Hint(), other));
}

TEST(AutoTvmHintsTest, RecordsThatDoNotCorrespondAreNotFound) {
  const auto why = [](const std::string& from, const std::string& to) {
    const absl::Status status = ParseAutoTvmLine(Replaced(from, to)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kNotFound) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(why("conv2d_NCHWc.x86", "dense_pack.x86"),
              HasSubstr("\"dense_pack.x86\""));
  EXPECT_THAT(why("\"float32\"],", "\"int8\"],"), HasSubstr("float32"));
  EXPECT_THAT(why("[0.0005], 0", "[1e9], 4"), HasSubstr("failed"));
  EXPECT_THAT(why("[\"unroll_kw\", \"ot\", true]", "[\"tile_oh\", \"ot\", 2]"),
              HasSubstr("several rows"));
  EXPECT_TRUE(ParseAutoTvmLine(Replaced("[\"unroll_kw\", \"ot\", true]",
                                        "[\"tile_oh\", \"ot\", 1]"))
                  .ok());
}

TEST(AutoTvmHintsTest, ErrorsNameTheMember) {
  const auto error = [](const std::string& line) {
    const absl::Status status = ParseAutoTvmLine(line).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(error("hm"), HasSubstr("`text`"));
  EXPECT_THAT(error("[]"), HasSubstr("`text`"));
  EXPECT_THAT(error(Replaced("0.2", "0.1")), HasSubstr("`version`"));
  EXPECT_THAT(error(Replaced("\"input\"", "\"output\"")), HasSubstr("`input`"));
  EXPECT_THAT(error(Replaced("[1, 64, 56, 56]", "[1, 64, 56]")),
              HasSubstr("`input[2]`"));
  EXPECT_THAT(error(Replaced("[2, 2]", "[2, \"2\"]")), HasSubstr("`input[2]`"));
  EXPECT_THAT(error(Replaced("tile_ow", "tile_x")),
              HasSubstr("`config.entity`"));
  EXPECT_THAT(error(Replaced("[-1, 7]", "[-1, 0]")),
              HasSubstr("`config.entity`"));
  EXPECT_THAT(error(Replaced("\"result\"", "\"costs\"")),
              HasSubstr("`result`"));
  // Every prefix is an error, not a crash.
  const std::string line = kLine;
  for (size_t length = 0; length < line.size(); ++length) {
    EXPECT_FALSE(ParseAutoTvmLine(line.substr(0, length)).ok());
  }
}

}  // namespace
}  // namespace assay::suites
