#include "compiler/te/tensor.h"

#include <gtest/gtest.h>

namespace assay::te {
namespace {

using expr::SelectOf;

struct Matmul {
  Tensor a, b, c;
};

Matmul MakeMatmul(int64_t n, int64_t k, int64_t m) {
  Matmul p;
  p.a = Placeholder({n, k}, DType::Float32(), "a");
  p.b = Placeholder({k, m}, DType::Float32(), "b");
  ReduceAxis r = MakeReduceAxis(k, "r");
  p.c = Compute({n, m}, "c", [&](const std::vector<Expr>& i) {
    return Sum(p.a(i[0], r.var) * p.b(r.var, i[1]), {r});
  });
  return p;
}

Tensor Relu(const Tensor& x) {
  return Compute(x.shape(), "relu", [&](const std::vector<Expr>& i) {
    return expr::Max(x(i), 0);
  });
}

TEST(TensorTest, PrintsProducersFirst) {
  const Matmul p = MakeMatmul(4, 16, 8);
  EXPECT_EQ(ToString({Relu(p.c)}),
            "a: float32[4,16]\n"
            "b: float32[16,8]\n"
            "c[i0, i1]: float32[4,8] = sum(a[i0, r] * b[r, i1], r < 16)\n"
            "relu[i0, i1]: float32[4,8] = max(c[i0, i1], 0f)\n");
}

TEST(TensorTest, AxisNamesAndOtherReductionsPrint) {
  const Tensor x = Placeholder({6, 6}, DType::Int32(), "x");
  const ReduceAxis h = MakeReduceAxis(6, "h"), w = MakeReduceAxis(6, "w");
  const Tensor best = Compute(
      {}, "best",
      [&](const std::vector<Expr>&) {
        return MaxOver(x(h.var, w.var), {h, w});
      },
      "pool");
  const Tensor pad =
      Compute({8, 8}, "pad",
              [&](const std::vector<Expr>& i) {
                return SelectOf(i[0] >= 1 && i[0] < 7, x(i[0] - 1, i[1]),
                                best(std::vector<Expr>{}));
              },
              "pad", {"y", "x"});
  EXPECT_EQ(best->tag, "pool");
  EXPECT_EQ(best.dtype(), DType::Int32());
  EXPECT_EQ(ToString({pad}),
            "x: int32[6,6]\n"
            "best[]: int32[] = max_over(x[h, w], h < 6, w < 6)\n"
            "pad[y, x]: int32[8,8] = "
            "select(1 <= y && y < 7, x[y - 1, x], best[])\n");
}

TEST(TensorTest, InputsAreDistinctAndInReadOrder) {
  const Matmul p = MakeMatmul(2, 3, 2);
  const Tensor d = Compute({2, 2}, "d", [&](const std::vector<Expr>& i) {
    return p.c(i) * p.c(i[1], i[0]) + p.a(i[0], 0);
  });
  const std::vector<Tensor> inputs = InputsOf(d);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_TRUE(inputs[0].same_as(p.c));
  EXPECT_TRUE(inputs[1].same_as(p.a));
  EXPECT_TRUE(InputsOf(p.a).empty());
}

TEST(TensorTest, TopologicalOrderListsEachTensorOnceAfterItsProducers) {
  const Matmul p = MakeMatmul(2, 3, 2);
  const Tensor left = Relu(p.c), right = Relu(p.c);
  const Tensor sum = Compute({2, 2}, "sum", [&](const std::vector<Expr>& i) {
    return left(i) + right(i);
  });
  const std::vector<Tensor> order = TopologicalOrder({sum, right, sum});
  std::vector<std::string> names;
  for (const Tensor& t : order) names.push_back(t.name());
  EXPECT_EQ(names,
            (std::vector<std::string>{"a", "b", "c", "relu", "relu", "sum"}));
  EXPECT_TRUE(order[3].same_as(left));
}

TEST(TensorTest, TopologicalOrderHandlesDeepChains) {
  Tensor t = Placeholder({1}, DType::Float32(), "x");
  for (int i = 0; i < 20000; ++i) t = Relu(t);
  EXPECT_EQ(TopologicalOrder({t}).size(), 20001u);
}

TEST(TensorTest, EqualityIgnoresNames) {
  const Tensor x = Relu(MakeMatmul(4, 5, 6).c);
  EXPECT_TRUE(StructurallyEqual({x}, {Relu(MakeMatmul(4, 5, 6).c)}));
  EXPECT_FALSE(StructurallyEqual({x}, {Relu(MakeMatmul(4, 5, 7).c)}));
  EXPECT_FALSE(StructurallyEqual({x}, {MakeMatmul(4, 5, 6).c}));
  EXPECT_FALSE(StructurallyEqual({x}, {x, x}));
}

TEST(TensorTest, EqualityDistinguishesTensorsRead) {
  const Tensor a = Placeholder({4}, DType::Float32(), "a");
  const Tensor b = Placeholder({4}, DType::Float32(), "b");
  auto difference = [](const Tensor& x, const Tensor& y) {
    return Compute({4}, "d",
                   [&](const std::vector<Expr>& i) { return x(i) - y(i); });
  };
  EXPECT_TRUE(StructurallyEqual({difference(a, b)}, {difference(b, a)}));
  EXPECT_FALSE(StructurallyEqual({difference(a, b)}, {difference(a, a)}));
  // The same two tensors in another order.
  EXPECT_FALSE(StructurallyEqual({difference(a, b), a}, {difference(a, b), b}));
}

TEST(TensorDeathTest, RejectsMisuse) {
  const Matmul p = MakeMatmul(2, 3, 2);
  EXPECT_DEATH(p.a(0), "indices into `a`");
  const ReduceAxis r = MakeReduceAxis(3, "r");
  EXPECT_DEATH(Compute({2}, "d",
                       [&](const std::vector<Expr>& i) {
                         return Sum(p.a(i[0], r.var), {r}) + 1;
                       }),
               "a reduction must be the whole body of `d`");
  EXPECT_DEATH(MakeReduceAxis(0, "r"), "extent of reduction axis `r`");
}

}  // namespace
}  // namespace assay::te
