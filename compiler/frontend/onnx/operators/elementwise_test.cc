// Arithmetic and activation functions: imports one ONNX node and compares the
// text of the graph.
#include "compiler/frontend/onnx/testing/one_node.h"
#include "gtest/gtest.h"

namespace assay::frontend {
namespace {

NDArray Scalar(float value) { return NDArray::FromVector<float>({}, {value}); }

TEST(ElementwiseTest, OperatorsOfTheSameMeaning) {
  EXPECT_EQ(OneNode("Neg", 13).Data({2, 3}).Text(),
            "%1: float32[2,3] = negate(%x0) \"n\"");
  EXPECT_EQ(OneNode("Erf", 9).Data({2}).Text(),
            "%1: float32[2] = erf(%x0) \"n\"");
  EXPECT_EQ(OneNode("Erf", 8).Data({2}).Text(),
            "error: node `n` (Erf): operator `Erf` does not exist in opset 8; "
            "opset 9 introduced it");
  EXPECT_EQ(OneNode("Div", 7).Data({2, 3}).Data({3}).Text(),
            "%2: float32[2,3] = divide(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Sub", 14).Data({2, 3}).Data({3}).Text(),
            "%2: float32[2,3] = subtract(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Abs", 13).Data({2}).Int("axis", 1).Text(),
            "error: node `n` (Abs): attribute `axis` is not supported for Abs "
            "in opset 13");
}

TEST(ElementwiseTest, AnyNumberOfOperands) {
  EXPECT_EQ(OneNode("Max", 13).Data({2}).Data({3, 1}).Data({2}).Text(),
            "%3: float32[3,2] = maximum(%x0, %x1) \"n\"\n"
            "%4: float32[3,2] = maximum(%3, %x2) \"n\"");
  EXPECT_EQ(OneNode("Sum", 8).Data({2}).Data({2}).Text(),
            "%2: float32[2] = add(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Mean", 13).Data({2}).Data({2}).Text(),
            "%2: float32[2] = add(%x0, %x1) \"n\"\n"
            "%4: float32[2] = divide(%2, %3) \"n\"");
}

TEST(ElementwiseTest, PowersThatAreProductsAndRoots) {
  EXPECT_EQ(OneNode("Pow", 13).Data({2}).Constant(Scalar(2)).Text(),
            "%2: float32[2] = multiply(%x0, %x0) \"n\"");
  EXPECT_EQ(OneNode("Pow", 13).Data({2}).Constant(Scalar(0.5f)).Text(),
            "%2: float32[2] = sqrt(%x0) \"n\"\n"
            "%3: float32[2] = abs(%2) \"n\"\n"
            "%6: bool[2] = equal(%x0, %5) \"n\"\n"
            "%7: float32[2] = select(%6, %4, %3) \"n\"");
  EXPECT_EQ(OneNode("Pow", 13).Data({2}).Constant(Scalar(3)).Text(),
            "%2: float32[2] = multiply(%x0, %x0) \"n\"\n"
            "%3: float32[2] = multiply(%2, %x0) \"n\"");
  EXPECT_EQ(OneNode("Pow", 13).Data({2}).Constant(Scalar(4)).Text(),
            "%2: float32[2] = power(%x0, %0) \"n\"");
  EXPECT_EQ(OneNode("Pow", 12)
                .Data({2})
                .Constant(NDArray::FromVector<int64_t>({}, {4}))
                .Text(),
            "%4: float32[2] = power(%x0, %3) \"n\"");
  // Integers with an exponent of another type are computed in int64, a float
  // base with an integer exponent in float64.
  EXPECT_EQ(
      OneNode("Pow", 13).Data({2}, onnx::TensorProto::INT32).Data({2}).Text(),
      "%2: float64[2] = cast(%x0) {dtype=float64} \"n\"\n"
      "%3: float64[2] = cast(%x1) {dtype=float64} \"n\"\n"
      "%4: float64[2] = power(%2, %3) \"n\"\n"
      "%5: int32[2] = cast(%4) {dtype=int32} \"n\"");
}

TEST(ElementwiseTest, ClipByOpset) {
  EXPECT_EQ(OneNode("Clip", 7).Data({2}).Float("min", 0).Float("max", 6).Text(),
            "%1: float32[2] = clip(%x0) {min=0, max=6} \"n\"");
  EXPECT_EQ(OneNode("Clip", 11).Data({2}).LeaveOut().Constant(Scalar(6)).Text(),
            "%2: float32[2] = clip(%x0) {max=6} \"n\"");
  EXPECT_EQ(OneNode("Clip", 13).Data({2}).Data({}).Text(),
            "%2: float32[2] = maximum(%x0, %x1) \"n\"");
  EXPECT_EQ(OneNode("Clip", 13).Data({2}).Data({2}).Text(),
            "error: node `n` (Clip): input 1 is float32[2] but a scalar is "
            "needed");
}

TEST(ElementwiseTest, SlopeOfPRelu) {
  EXPECT_EQ(OneNode("PRelu", 9).Data({1, 4, 2, 2}).Weights({4, 1, 1}).Text(),
            "%2: float32[1,4,2,2] = prelu(%x0, %0) \"n\"");
  EXPECT_EQ(OneNode("PRelu", 9).Data({4, 1}).Weights({4}).Text(),
            "error: node `n` (PRelu): the slope is float32[4], which does not "
            "broadcast to the data float32[4,1]");
}

TEST(ActivationTest, Parameters) {
  EXPECT_EQ(OneNode("LeakyRelu", 7).Data({2}).Text(),
            "%1: float32[2] = leaky_relu(%x0) {alpha=0.01} \"n\"");
  EXPECT_EQ(OneNode("Elu", 7).Data({2}).Float("alpha", 2).Text(),
            "%1: float32[2] = elu(%x0) {alpha=2} \"n\"");
  EXPECT_EQ(OneNode("HardSigmoid", 7).Data({2}).Float("beta", 0.25f).Text(),
            "%1: float32[2] = hard_sigmoid(%x0) {alpha=0.2, beta=0.25} \"n\"");
  EXPECT_EQ(OneNode("Selu", 7).Data({2}).Text(),
            "%1: float32[2] = elu(%x0) {alpha=1.6732632} \"n\"\n"
            "%3: float32[2] = multiply(%1, %2) \"n\"");
  EXPECT_EQ(OneNode("Celu", 12).Data({2}).Text(),
            "%1: float32[2] = elu(%x0) {alpha=1} \"n\"");
  EXPECT_EQ(OneNode("Celu", 12).Data({2}).Float("alpha", 0).Text(),
            "error: node `n` (Celu): attribute `alpha` is 0, which is not "
            "positive");
  EXPECT_EQ(OneNode("Gelu", 20).Data({2}).Text(),
            "%1: float32[2] = gelu(%x0) \"n\"");
  EXPECT_EQ(OneNode("Gelu", 20).Data({2}).String("approximate", "fast").Text(),
            "error: node `n` (Gelu): attribute `approximate` is `fast` but "
            "none or tanh is needed");
  EXPECT_EQ(OneNode("Mish", 18).Data({2}).Text(),
            "%1: float32[2] = softplus(%x0) \"n\"\n"
            "%2: float32[2] = tanh(%1) \"n\"\n"
            "%3: float32[2] = multiply(%x0, %2) \"n\"");
}

}  // namespace
}  // namespace assay::frontend
