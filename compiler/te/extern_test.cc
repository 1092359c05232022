#include "compiler/te/extern.h"

#include <gtest/gtest.h>

#include "compiler/expr/expr_ops.h"

namespace assay::te {
namespace {

// Computes the index of the first element greater than `limit` in each row, or
// n.
std::vector<Tensor> FirstBeyond(const Tensor& x, int limit) {
  const int n = static_cast<int>(x.shape()[1]);
  Extern e("beyond");
  const Array in = e.Input(x);
  const Array out = e.Output(DType::Int32(), {x.shape()[0]});
  e.Parallel("row", static_cast<int>(x.shape()[0]), [&](const Expr& row) {
    const Array i = e.Local(DType::Int32(), {1}, "i");
    i.Set({0}, 0);
    e.While(
        n, [&] { return i(0) < n && in(row, expr::Min(i(0), n - 1)) <= limit; },
        [&] { i.Set({0}, i(0) + 1); });
    out.Set({row}, i(0));
  });
  return e.Build();
}

TEST(ExternTest, PrintsItsStatements) {
  const Tensor x = Placeholder({3, 4}, DType::Float32(), "x");
  EXPECT_EQ(ToString(FirstBeyond(x, 2)),
            "x: float32[3,4]\n"
            "beyond: int32[3] = extern(x)\n"
            "  parallel row in [0, 3) {\n"
            "    alloc %i: local int32[1]\n"
            "    %i[0] = 0\n"
            "    for trip in [0, 4) {\n"
            "      if %i[0] < 4 && %x[row, min(%i[0], 3)] <= 2f {\n"
            "        %i[0] = %i[0] + 1\n"
            "      }\n"
            "    }\n"
            "    %beyond.0[row] = %i[0]\n"
            "  }\n");
}

TEST(ExternTest, EqualityComparesStatementsAndInputs) {
  const Tensor x = Placeholder({3, 4}, DType::Float32(), "x");
  const Tensor y = Placeholder({3, 4}, DType::Float32(), "y");
  EXPECT_TRUE(StructurallyEqual(FirstBeyond(x, 2), FirstBeyond(y, 2)));
  EXPECT_FALSE(StructurallyEqual(FirstBeyond(x, 2), FirstBeyond(x, 3)));
  const auto two = [](const Tensor& a, const Tensor& b) {
    return std::vector<Tensor>{FirstBeyond(a, 2)[0], FirstBeyond(b, 2)[0]};
  };
  EXPECT_FALSE(StructurallyEqual(two(x, y), two(x, x)));
}

TEST(ExternTest, OutputsCanDifferInShape) {
  const Tensor x = Placeholder({4}, DType::Float32(), "x");
  Extern e("both");
  const Array in = e.Input(x);
  const Array copy = e.Output(DType::Float32(), {4});
  const Array first = e.Output(DType::Float32(), {});
  e.For("i", 0, 4, [&](const Expr& i) {
    e.If(
        expr::Eq(i, 0), [&] { first.Set({}, in(i)); },
        [&] { copy.Set({i - 1}, in(i)); });
  });
  copy.Set({3}, expr::Const(DType::Float32(), 0));
  const std::vector<Tensor> outputs = e.Build();
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].name(), "both.0");
  EXPECT_EQ(outputs[1].shape(), Shape{});
  EXPECT_TRUE(InputsOf(outputs[1])[0].same_as(x));
}

TEST(ExternDeathTest, RejectsMisuse) {
  const Tensor x = Placeholder({4}, DType::Float32(), "x");
  Extern e("bad");
  const Array in = e.Input(x);
  EXPECT_DEATH(in.Set({0}, in(0)), "`x` is an input");
  EXPECT_DEATH(in(0, 0), "indices into `x`");
  EXPECT_DEATH(e.Build(), "extern `bad` has no output");
  const Array out = e.Output(DType::Int32(), {4});
  EXPECT_DEATH(out.Set({0}, in(0)), "stored to `bad.0`");
}

}  // namespace
}  // namespace assay::te
