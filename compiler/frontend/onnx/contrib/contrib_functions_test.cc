// The bodies of operators of other domains as text, and the errors of nodes
// that are not expanded. quantized_test.cc has the quantized operators.
#include "compiler/frontend/onnx/contrib/contrib_functions.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/contrib/testing/contrib_call_text.h"
#include "gtest/gtest.h"
#include "runtime/base/file.h"

namespace assay::frontend {
namespace {

using Call = ContribCallText;

TEST(ActivationTest, FormulasOfGelu) {
  EXPECT_EQ(Call("Gelu").In("float32[2]").Text(), "%0 = Gelu(%in0)\n-> %0");
  EXPECT_EQ(Call("BiasGelu").In("float32[2,3]").In("float32[3]").Text(),
            "%0 = Add(%in0, %in1)\n"
            "%1 = Gelu(%0)\n"
            "-> %1");
  EXPECT_EQ(Call("FastGelu").In("float32[2]").Text(),
            "%0 = Gelu(%in0) {approximate=tanh}\n-> %0");
  EXPECT_EQ(Call("FastGelu").In("float32[2]").In("float32[2]").Text(),
            "%0 = Add(%in0, %in1)\n"
            "%1 = Gelu(%0) {approximate=tanh}\n"
            "-> %1");
  EXPECT_EQ(Call("QuickGelu").In("float32[2]").Text(),
            "%0 = Mul(%in0, 1.702)\n"
            "%1 = Sigmoid(%0)\n"
            "%2 = Mul(%in0, %1)\n"
            "-> %2");
}

TEST(ActivationTest, AddsBiasAndSkip) {
  EXPECT_EQ(Call("BiasAdd")
                .In("float32[1,2,4]")
                .In("float32[4]")
                .In("float32[1,2,4]")
                .Text(),
            "%0 = Add(%in0, %in1)\n"
            "%1 = Add(%0, %in2)\n"
            "-> %1");
  EXPECT_EQ(Call("BiasSplitGelu").In("float32[1,2,6]").In("float32[6]").Text(),
            "%0 = Add(%in0, %in1)\n"
            "%1, %2 = Split(%0, [3,3]) {axis=-1}\n"
            "%3 = Gelu(%2)\n"
            "%4 = Mul(%1, %3)\n"
            "-> %4");
  EXPECT_EQ(Call("BiasSplitGelu").In("float32[1,5]").In("float32[5]").Text(),
            "error: input 0 is float32[1,5], whose last axis has no two "
            "halves");
}

Call FusedConv(const char* activation, const std::vector<float>& parameters) {
  Call call("FusedConv");
  call.In("float32[1,2,4,4]").In("float32[3,2,1,1]");
  call.String("activation", activation);
  if (!parameters.empty()) call.Floats("activation_params", parameters);
  return call;
}

TEST(FusedTest, ConvWithSumAndActivation) {
  EXPECT_EQ(FusedConv("Clip", {0, 6})
                .LeaveOut()
                .In("float32[1,3,4,4]")
                .Ints("pads", {0, 0, 0, 0})
                .Text(),
            "%0 = Conv(%in0, %in1, _) {pads=[0,0,0,0]}\n"
            "%1 = Add(%0, %in3)\n"
            "%2 = Clip(%1, 0, 6)\n"
            "-> %2");
  EXPECT_EQ(FusedConv("LeakyRelu", {0.1f}).In("float32[3]").Text(),
            "%0 = Conv(%in0, %in1, %in2)\n"
            "%1 = LeakyRelu(%0) {alpha=0.1}\n"
            "-> %1");
  EXPECT_EQ(FusedConv("HardSigmoid", {0.2f, 0.5f}).Text(),
            "%0 = Conv(%in0, %in1, _)\n"
            "%1 = HardSigmoid(%0) {alpha=0.2, beta=0.5}\n"
            "-> %1");
  for (const char* name : {"Relu", "Sigmoid", "Tanh"}) {
    EXPECT_EQ(
        FusedConv(name, {}).Text(),
        absl::StrCat("%0 = Conv(%in0, %in1, _)\n%1 = ", name, "(%0)\n-> %1"));
  }
  EXPECT_EQ(FusedConv("", {}).Text(), "%0 = Conv(%in0, %in1, _)\n-> %0");
}

TEST(FusedTest, RefusesOtherActivations) {
  EXPECT_EQ(FusedConv("Softmax", {}).Text(),
            "error: attribute `activation` is `Softmax`, which is not "
            "supported");
  EXPECT_EQ(FusedConv("Clip", {1}).Text(),
            "error: attribute `activation_params` has 1 numbers but Clip needs "
            "2");
  EXPECT_EQ(FusedConv("Relu", {}).Int("pads", 1).Text(),
            "error: attribute `pads` is INT but INTS is needed");
  EXPECT_EQ(Call("FusedGemm").In("float32[2,3]").In("float32[3,4]").Text(),
            "error: attribute `activation` is ``, which is not supported");
  EXPECT_EQ(Call("FusedGemm")
                .In("float32[2,3]")
                .In("float32[3,4]")
                .String("activation", "Relu")
                .Float("activation_alpha", 1)
                .Text(),
            "error: attribute `activation_alpha` is not supported for "
            "FusedGemm in opset 1");
}

TEST(FusedTest, GemmWithActivation) {
  EXPECT_EQ(Call("FusedGemm")
                .In("float32[2,3]")
                .In("float32[4,3]")
                .In("float32[4]")
                .Int("transB", 1)
                .String("activation", "LeakyRelu")
                .Float("activation_alpha", 0.1f)
                .Text(),
            "%0 = Gemm(%in0, %in1, %in2) {transB=1}\n"
            "%1 = LeakyRelu(%0) {alpha=0.1}\n"
            "-> %1");
}

TEST(FusedTest, MatMulOfTransposedOperands) {
  EXPECT_EQ(Call("FusedMatMul")
                .In("float32[2,4,3]")
                .In("float32[2,4,5]")
                .Int("transA", 1)
                .Float("alpha", 0.5f)
                .Text(),
            "%0 = Transpose(%in0) {perm=[0,2,1]}\n"
            "%1 = MatMul(%0, %in1)\n"
            "%2 = Mul(%1, 0.5)\n"
            "-> %2");
  EXPECT_EQ(Call("FusedMatMul")
                .In("float32[3,2,2,4]")
                .In("float32[5,2,2,4]")
                .Int("transBatchA", 1)
                .Int("transBatchB", 1)
                .Int("transB", 1)
                .Text(),
            "%0 = Transpose(%in0) {perm=[1,2,0,3]}\n"
            "%1 = Transpose(%in1) {perm=[1,2,3,0]}\n"
            "%2 = MatMul(%0, %1)\n"
            "-> %2");
  // A vector is not transposed.
  EXPECT_EQ(Call("TransposeMatMul")
                .In("float32[3]")
                .In("float32[3,4]")
                .Int("transA", 1)
                .Text(),
            "%0 = MatMul(%in0, %in1)\n-> %0");
  EXPECT_EQ(Call("TransposeMatMul")
                .In("float32[3,3]")
                .In("float32[3,4]")
                .Int("transBatchA", 0)
                .Text(),
            "error: attribute `transBatchA` is not supported for "
            "TransposeMatMul in opset 1");
}

TEST(NormalizationTest, SkipLayerNormalization) {
  EXPECT_EQ(Call("SkipLayerNormalization")
                .In("float32[2,3,4]")
                .In("float32[3,4]")
                .In("float32[4]")
                .LeaveOut()
                .In("float32[4]")
                .Out("")
                .Out("")
                .Out("sum")
                .Text(),
            "%0 = Add(%in0, %in1)\n"
            "%1 = Add(%0, %in4)\n"
            "%2 = LayerNormalization(%1, %in2, _) {axis=-1, epsilon=1e-12}\n"
            "-> %2, _, _, %1");
  EXPECT_EQ(Call("SkipLayerNormalization")
                .In("float32[2,4]")
                .In("float32[3,2,4]")
                .In("float32[4]")
                .Text(),
            "error: input 1 is float32[3,2,4], which does not broadcast to "
            "[2,4]");
}

TEST(NormalizationTest, SimplifiedSumsShortFloatsInFloat32) {
  constexpr char kBody[] =
      "%0 = Cast(%in0) {to=1}\n"
      "%1 = Mul(%0, %0)\n"
      "%2 = ReduceMean(%1, [1])\n"
      "%3 = Add(%2, 1e-05)\n"
      "%4 = Sqrt(%3)\n"
      "%5 = Div(%0, %4)\n"
      "%6 = Cast(%in1) {to=1}\n"
      "%7 = Mul(%5, %6)\n"
      "%8 = Cast(%7) {to=10}\n";
  for (const char* domain : {"com.microsoft", "ai.onnx", ""}) {
    Call call("SimplifiedLayerNormalization", domain);
    call.In("float16[2,4]").In("float16[4]");
    EXPECT_EQ(call.Text(), absl::StrCat(kBody, "-> %8, _"));
    EXPECT_EQ(call.Out("inverse").Text(),
              absl::StrCat(kBody, "%9 = Reciprocal(%4)\n-> %8, %9"));
  }
  EXPECT_EQ(Call("SkipSimplifiedLayerNormalization")
                .In("float32[2,4]")
                .In("float32[2,4]")
                .In("float32[4]")
                .Float("epsilon", 0.5f)
                .Text(),
            "%0 = Add(%in0, %in1)\n"
            "%1 = Mul(%0, %0)\n"
            "%2 = ReduceMean(%1, [1])\n"
            "%3 = Add(%2, 0.5)\n"
            "%4 = Sqrt(%3)\n"
            "%5 = Div(%0, %4)\n"
            "%6 = Mul(%5, %in2)\n"
            "-> %6, _, _, %0");
}

TEST(NormalizationTest, EmbedLayerNormalization) {
  Call call("EmbedLayerNormalization");
  call.In("int32[2,3]").In("int32[2,3]").In("float32[10,4]");
  call.In("float32[5,4]").In("float32[2,4]").In("float32[4]").In("float32[4]");
  EXPECT_EQ(Call(call).In("int32[2,3]").Out("index").Out("sum").Text(),
            "%0 = Gather(%in2, %in0)\n"
            "%1 = Slice(%in3, [0], [3], [0])\n"
            "%2 = Add(%0, %1)\n"
            "%3 = Gather(%in4, %in1)\n"
            "%4 = Add(%2, %3)\n"
            "%5 = LayerNormalization(%4, %in5, %in6) "
            "{axis=-1, epsilon=1e-12}\n"
            "%6 = Equal(%in7, 1)\n"
            "%7 = Cast(%6) {to=6}\n"
            "%8 = ReduceSum(%7, [1]) {keepdims=0}\n"
            "-> %5, %8, %4");
  // Without a mask, the index is 0.
  EXPECT_TRUE(
      absl::EndsWith(Call(call).Out("index").Text(), "\n-> %5, [0,0], %4"));
  EXPECT_TRUE(absl::EndsWith(call.Text(), "\n-> %5, _, %4"));
}

TEST(AttentionTest, ProjectsAndSplitsHeads) {
  EXPECT_EQ(Call("Attention")
                .In("float32[2,3,4]")
                .In("float32[4,12]")
                .In("float32[12]")
                .Int("num_heads", 2)
                .Text(),
            "%0 = MatMul(%in0, %in1)\n"
            "%1 = Add(%0, %in2)\n"
            "%2, %3, %4 = Split(%1, [4,4,4]) {axis=-1}\n"
            "%5 = Mul(%2, 0.707107)\n"
            "%6 = Reshape(%5, [2,3,2,2]) {allowzero=1}\n"
            "%7 = Transpose(%6) {perm=[0,2,1,3]}\n"
            "%8 = Reshape(%3, [2,3,2,2]) {allowzero=1}\n"
            "%9 = Transpose(%8) {perm=[0,2,3,1]}\n"
            "%10 = Reshape(%4, [2,3,2,2]) {allowzero=1}\n"
            "%11 = Transpose(%10) {perm=[0,2,1,3]}\n"
            "%12 = MatMul(%7, %9)\n"
            "%13 = Softmax(%12) {axis=-1}\n"
            "%14 = MatMul(%13, %11)\n"
            "%15 = Transpose(%14) {perm=[0,2,1,3]}\n"
            "%16 = Reshape(%15, [2,3,4]) {allowzero=1}\n"
            "-> %16, _");
}

TEST(AttentionTest, RefusesWhatIsNotSupported) {
  Call call("Attention");
  call.In("float32[2,3,4]").In("float32[4,12]").In("float32[12]");
  EXPECT_EQ(call.Text(), "error: attribute `num_heads` is missing");
  EXPECT_EQ(Call(call).Int("num_heads", 3).Text(),
            "error: attribute `num_heads` is 3, which does not divide queries "
            "of 4 and values of 4 columns");
  call.Int("num_heads", 2);
  EXPECT_EQ(Call(call).Int("do_rotary", 1).Text(),
            "error: attribute `do_rotary` is 1; only 0 is supported");
  EXPECT_EQ(Call(call).Ints("qkv_hidden_sizes", {4, 2, 4}).Text(),
            "error: attribute `qkv_hidden_sizes` is [4,2,4] but weights have "
            "12 columns");
  EXPECT_EQ(Call(call).In("int32[2,1,3,3]").Text(),
            "error: input 3 (the mask) is int32[2,1,3,3]; masks of shape "
            "[2,3], [2,3,3], [2] and [4] are supported");
  EXPECT_EQ(Call(call).LeaveOut().In("float32[2,2,2,5,2]").Text(),
            "error: input 4 (past) is given, which is not supported");
  EXPECT_EQ(Call("MultiHeadAttention")
                .In("float32[2,3,2,3,4]")
                .Int("num_heads", 2)
                .Text(),
            "error: queries, keys and values are supported as three operands "
            "of rank 3; packed ones are not");
}

TEST(StandardTest, OperatorsWithOtherAttributes) {
  EXPECT_EQ(Call("CDist")
                .In("float32[2,3]")
                .In("float32[4,3]")
                .String("metric", "euclidean")
                .Text(),
            "%0 = Reshape(%in0, [2,1,3]) {allowzero=1}\n"
            "%1 = Reshape(%in1, [1,4,3]) {allowzero=1}\n"
            "%2 = Sub(%0, %1)\n"
            "%3 = Mul(%2, %2)\n"
            "%4 = ReduceSum(%3, [2]) {keepdims=0}\n"
            "%5 = Sqrt(%4)\n"
            "-> %5");
  EXPECT_EQ(Call("CDist")
                .In("float32[2,3]")
                .In("float32[4,3]")
                .String("metric", "cosine")
                .Text(),
            "error: attribute `metric` is `cosine`; only euclidean and "
            "sqeuclidean are supported");
  EXPECT_EQ(Call("GridSample")
                .In("float32[1,1,4,4]")
                .In("float32[1,2,2,2]")
                .Int("align_corners", 1)
                .Text(),
            "%0 = GridSample(%in0, %in1) {mode=linear, align_corners=1}\n"
            "-> %0");
  EXPECT_EQ(Call("Pad")
                .In("float32[2,3]")
                .In("int64[1,4]")
                .String("mode", "edge")
                .Text(),
            "%0 = Reshape(%in1, [4]) {allowzero=1}\n"
            "%1 = Pad(%in0, %0, _) {mode=edge}\n"
            "-> %1");
  EXPECT_EQ(Call("Range").In("int32[]").In("int32[]").Text(),
            "%0 = Range(%in0, %in1, 1)\n-> %0");
  EXPECT_EQ(Call("Trilu").In("float32[2,3]").Int("upper", 0).Text(),
            "%0 = Trilu(%in0, _) {upper=0}\n-> %0");
}

TEST(TrainingTest, Momentum) {
  Call call("Momentum", "ai.onnx.preview.training");
  call.In("float32[]").In("int64[]").In("float32[2]").In("float32[2]");
  call.Float("alpha", 0.9f).Float("beta", 0.5f).Float("norm_coefficient", 0.1f);
  EXPECT_EQ(Call(call).In("float32[2]").Text(),
            "error: attribute `mode` is `` but standard or nesterov is needed");
  call.String("mode", "standard");
  EXPECT_EQ(Call(call).In("float32[2]").In("float32[2]").Text(),
            "error: has 4 tensors, which are not 3 for each tensor that is "
            "updated");
  EXPECT_EQ(call.In("float32[2]").Out("v").Text(),
            "%0 = Squeeze(%in0)\n"
            "%1 = Squeeze(%in1)\n"
            "%2 = Greater(%1, 0)\n"
            "%3 = Mul(%in2, 0.1)\n"
            "%4 = Add(%3, %in3)\n"
            "%5 = Where(%2, 0.5, 1)\n"
            "%6 = Mul(%in4, 0.9)\n"
            "%7 = Mul(%5, %4)\n"
            "%8 = Add(%6, %7)\n"
            "%9 = Mul(%0, %8)\n"
            "%10 = Sub(%in2, %9)\n"
            "-> %10, %8");
}

TEST(ContribFunctionsTest, RefusesUnknownOperators) {
  EXPECT_EQ(Call("Normalizer", "ai.onnx.ml").In("float32[2]").Text(),
            "error: operators of the domain `ai.onnx.ml` are not supported");
  EXPECT_EQ(Call("Conv", "com.microsoft.nchwc").In("float32[2]").Text(),
            "error: operators of the domain `com.microsoft.nchwc` are not "
            "supported");
  EXPECT_EQ(Call("Inverse").In("float32[2,2]").Text(),
            "error: operator `Inverse` of the domain `com.microsoft` is not "
            "supported");
  EXPECT_EQ(Call("Gelu").In("float32[2]").Float("alpha", 1).Text(),
            "error: attribute `alpha` is not supported for Gelu in opset 1");
  EXPECT_EQ(Call("Gelu").Text(), "error: takes 1 inputs but the node has 0");
  EXPECT_EQ(Call("Gelu").LeaveOut().Text(),
            "error: input 0 is left out but is required");
  EXPECT_EQ(
      Call("FastGelu").In("float32[]").In("float32[]").In("bool[]").Text(),
      "error: takes 1 to 2 inputs but the node has 3");
  EXPECT_EQ(Call("Gelu").In("float32[2]").Out("z").Text(),
            "error: has 2 results but the operator has at most 1");
}

TEST(ContribFunctionsTest, RowsAreSorted) {
  const auto& rows = ContribTable();
  for (size_t i = 0; i < rows.size(); ++i) {
    const ContribRow& row = rows[i];
    EXPECT_GE(row.min_inputs, 1) << row.op_type;
    EXPECT_TRUE(row.max_inputs == kAnyInputs ||
                row.max_inputs >= row.min_inputs)
        << row.op_type;
    if (i == 0) continue;
    EXPECT_LT(std::string(rows[i - 1].domain) + " " + rows[i - 1].op_type,
              std::string(row.domain) + " " + row.op_type);
  }
}

// The rows of the document's table: operator and domain.
TEST(ContribFunctionsTest, DocumentHasTheSameRows) {
  const auto text = ReadFile("compiler/docs/onnx.md");
  ASSERT_TRUE(text.ok()) << text.status();
  const size_t begin = text->find("\n## Other domains\n");
  ASSERT_NE(begin, std::string::npos);
  const size_t end = text->find("\n## ", begin + 1);
  const auto section = absl::string_view(*text).substr(begin, end - begin);
  std::vector<std::string> documented, expected;
  for (const absl::string_view line : absl::StrSplit(section, '\n')) {
    if (!absl::StartsWith(line, "| ") || absl::StartsWith(line, "| Operator")) {
      continue;
    }
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    ASSERT_GE(cells.size(), 2u) << line;
    documented.push_back(absl::StrCat(cells[0].substr(2), " ", cells[1]));
  }
  for (const ContribRow& row : ContribTable()) {
    const std::string domain = row.domain;
    expected.push_back(
        absl::StrCat(row.op_type, " ", domain.empty() ? "ai.onnx" : domain));
  }
  EXPECT_EQ(documented, expected);
}

}  // namespace
}  // namespace assay::frontend
