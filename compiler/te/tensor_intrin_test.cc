#include "compiler/te/tensor_intrin.h"

#include <gtest/gtest.h>

#include <sstream>

namespace assay::te {
namespace {

using Indices = std::vector<Expr>;

TensorIntrin Negate() {
  const Tensor a = Placeholder({4}, DType::Float32(), "a");
  TensorIntrin intrin;
  intrin.name = "negate";
  intrin.compute = Compute({4}, "b", [&](const Indices& i) { return -a(i); });
  intrin.body = [](const IntrinOperand& b,
                   const std::vector<IntrinOperand>& in) {
    return std::vector<IntrinStore>{
        {expr::Ramp::Make(b.At({0}), 1, 4), -in[0].LoadAt({0}, 4)}};
  };
  return intrin;
}

TEST(TensorIntrinTest, OperandsAddressTheirBuffers) {
  const expr::Buffer buffer =
      expr::MakeBuffer("x", DType::Float32(), {4, 8, 2});
  const IntrinOperand operand = {buffer, 3, {16, 2}};
  std::ostringstream os;
  os << operand.At({2, 1}) << " " << operand.LoadAt({1, 0}) << " "
     << operand.LoadAt({0, 1}, 4);
  EXPECT_EQ(os.str(), "37 %x[19] %x[ramp(5, 1, 4)]");
}

TEST(TensorIntrinTest, RowsMayBeApart) {
  const expr::Buffer buffer = expr::MakeBuffer("x", DType::Float32(), {100});
  std::ostringstream os;
  os << IntrinOperand{buffer, 3, {10, 1}}.RowsAt(2, 4) << "\n"
     << IntrinOperand{buffer, 3, {4, 1}}.RowsAt(2, 4);
  EXPECT_EQ(os.str(),
            "ramp(3, 1, 8) + ramp(0, 1, 8) / broadcast(4, 8) * "
            "broadcast(6, 8)\nramp(3, 1, 8)");
}

TEST(TensorIntrinTest, CheckAcceptsValidDeclaration) { Negate().Check(); }

TEST(TensorIntrinDeathTest, CheckRejectsIncompleteDeclaration) {
  TensorIntrin intrin = Negate();
  intrin.body = nullptr;
  EXPECT_DEATH(intrin.Check(), "`negate` has no implementation");
  intrin = Negate();
  intrin.strides = {{1}};
  EXPECT_DEATH(intrin.Check(), "number of stride lists of intrinsic `negate`");
  const Tensor a = Placeholder({8}, DType::Float32(), "a");
  intrin.compute =
      Compute({4}, "b", [&](const Indices& i) { return a(i[0] * 2); });
  EXPECT_DEATH(intrin.Check(), "of `a` is not an axis");
  intrin.compute =
      Compute({8}, "b", [&](const Indices& i) { return a(i) + a(i); });
  EXPECT_DEATH(intrin.Check(), "reads `a` twice");
}

}  // namespace
}  // namespace assay::te
