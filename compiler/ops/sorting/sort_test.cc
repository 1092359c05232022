// Compares sorting with plain C++: interpreted before and after the passes, and
// compiled.
#include "compiler/ops/sorting/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "compiler/codegen/codegen.h"
#include "compiler/codegen/llvm/testing/run_kernel.h"
#include "compiler/lower/lower.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::ops {
namespace {

using te::Tensor;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Expects the outputs `expected` from the interpreter and from compiled code.
void ExpectComputes(const std::vector<Tensor>& inputs,
                    const std::vector<Tensor>& outputs,
                    const std::vector<NDArray>& values,
                    const std::vector<NDArray>& expected) {
  const auto function =
      lower::Lower(schedule::Schedule(outputs), "f", inputs, outputs);
  ASSERT_TRUE(function.ok()) << function.status();
  const tir::Function ready = tir::LowerLoops(*function);
  for (const tir::Function& f : {*function, ready}) {
    tir::InterpretOptions options;
    options.seed = 5;
    const auto results = tir::Interpret(f, values, options);
    ASSERT_TRUE(results.ok()) << results.status() << tir::ToString(f);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(BitwiseEqual((*results)[i], expected[i]))
          << "output " << i << " of " << tir::ToString(f);
    }
  }
  const auto host = codegen::ResolveTarget("llvm -mcpu=native");
  ASSERT_TRUE(host.ok()) << host.status();
  const auto module = codegen::Generate({ready}, *host, {});
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<NDArray> buffers = values;
  for (const NDArray& output : expected) {
    buffers.emplace_back(output.dtype(), output.shape());
  }
  codegen::RuntimeLog log;
  const auto returned = codegen::RunKernel(module->code, "f", buffers, log);
  ASSERT_TRUE(returned.ok()) << returned.status();
  EXPECT_EQ(*returned, 0);
  EXPECT_EQ(log.allocations, log.frees);
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(BitwiseEqual(buffers[values.size() + i], expected[i]))
        << "output " << i << ", compiled";
  }
}

template <typename T>
bool IsNan(T x) {
  return x != x;
}

// Returns the sorted indices of `n` elements that are `stride` apart.
template <typename T>
std::vector<int> Sorted(const T* x, int64_t n, int64_t stride,
                        SortOrder order) {
  std::vector<int> indices(n);
  std::iota(indices.begin(), indices.end(), 0);
  std::sort(indices.begin(), indices.end(), [&](int i, int j) {
    const T a = x[i * stride], b = x[j * stride];
    const bool ascending = order == SortOrder::kAscending;
    if (IsNan(a) != IsNan(b)) return ascending ? IsNan(b) : IsNan(a);
    if (a < b) return ascending;
    if (b < a) return !ascending;
    return i < j;
  });
  return indices;
}

// Few distinct values, so that there are ties, and occasional NaNs.
template <typename T>
NDArray RandomValues(const Shape& shape, uint64_t seed) {
  Rng rng(seed);
  std::vector<T> values(NumElements(shape));
  for (T& x : values) {
    x = static_cast<T>(rng.UniformInt(-4, 4));
    if (std::is_same_v<T, float> && rng.UniformInt(0, 9) == 0) {
      x = static_cast<T>(kNan);
    }
  }
  return NDArray::FromVector<T>(shape, values);
}

struct SortCase {
  Shape shape;
  int axis;
  int64_t k;
};

const SortCase kSortCases[] = {
    {{1}, 0, 1},
    {{2}, 0, 1},
    {{7}, 0, 7},
    {{3, 16}, 1, 5},
    {{2, 33}, 1, 32},
    {{5, 4}, 0, 3},
    {{2, 9, 3}, 1, 2},
    {{2, 3, 1, 6}, 3, 6},
    // The first elements of many.
    {{2, 600}, 1, 1},
    {{1000, 2}, 0, 100},
    {{1300}, 0, 40},
};

template <typename T>
void ExpectSorts(const SortCase& c, SortOrder order, const NDArray& x) {
  const T* data = x.data<T>().data();
  const int64_t n = c.shape[c.axis];
  const int64_t stride = RowMajorStrides(c.shape)[c.axis];
  Shape cut = c.shape;
  cut[c.axis] = c.k;
  NDArray indices(DType::Int32(), c.shape), top(DType::Int32(), cut);
  NDArray values(x.dtype(), cut);
  for (int64_t row = 0; row < NumElements(c.shape) / n; ++row) {
    const int64_t outer = row / stride, inner = row % stride;
    const int64_t base = outer * n * stride + inner;
    const std::vector<int> order_of_row = Sorted(data + base, n, stride, order);
    for (int64_t i = 0; i < n; ++i) {
      indices.data<int32_t>()[base + i * stride] = order_of_row[i];
      if (i >= c.k) continue;
      const int64_t at = outer * c.k * stride + inner + i * stride;
      top.data<int32_t>()[at] = order_of_row[i];
      values.data<T>()[at] = data[base + order_of_row[i] * stride];
    }
  }
  const Tensor in = te::Placeholder(c.shape, x.dtype(), "x");
  ExpectComputes({in}, {ArgSort(in, c.axis, in.shape()[c.axis], order)}, {x},
                 {indices});
  const SortedElements best = TopK(in, c.axis, c.k, order);
  ExpectComputes({in}, {best.values, best.indices}, {x}, {values, top});
}

TEST(SortTest, MatchesReference) {
  for (const SortCase& c : kSortCases) {
    SCOPED_TRACE(ShapeToString(c.shape));
    for (SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
      ExpectSorts<float>(c, order, RandomValues<float>(c.shape, 11));
    }
    ExpectSorts<int32_t>(c, SortOrder::kAscending,
                         RandomValues<int32_t>(c.shape, 11));
  }
}

// In one of the orders, every element precedes all those before it.
TEST(SortTest, SelectsFromSortedElements) {
  const SortCase c = {{1400}, 0, 100};
  std::vector<int32_t> values(1400);
  std::iota(values.begin(), values.end(), -700);
  const NDArray x = NDArray::FromVector<int32_t>(c.shape, values);
  for (SortOrder order : {SortOrder::kAscending, SortOrder::kDescending}) {
    ExpectSorts<int32_t>(c, order, x);
  }
}

TEST(SortTest, SortsComputedTensor) {
  const Tensor x = te::Placeholder({2, 5}, DType::Float32(), "x");
  const Tensor negative =
      te::Compute({2, 5}, "negative",
                  [&](const std::vector<expr::Expr>& i) { return -x(i); });
  const SortedElements sorted = Sort(negative, 1, SortOrder::kAscending);
  const Tensor twice =
      te::Compute({2, 5}, "twice", [&](const std::vector<expr::Expr>& i) {
        return sorted.values(i) + sorted.values(i);
      });
  const NDArray in =
      NDArray::FromVector<float>({2, 5}, {1, 3, 2, 5, 4, -1, 3, 1, -2, 2});
  ExpectComputes({x}, {twice}, {in},
                 {NDArray::FromVector<float>(
                     {2, 5}, {-10, -8, -6, -4, -2, -6, -4, -2, 2, 4})});
  const auto error = [&](const char* steps) {
    schedule::Schedule s({twice});
    return std::string(s.Replay(*schedule::ParseSteps(steps)).message());
  };
  EXPECT_EQ(error("negative.compute_inline()"),
            "illegal `negative.compute_inline()`: `sort`, an extern, reads "
            "it and needs a tensor");
  EXPECT_EQ(error("sort.compute_at(twice, i0)"),
            "illegal `sort.compute_at(twice, i0)`: an extern is computed at "
            "the root");
  EXPECT_EQ(error("sort.split(i0, 2)"),
            "illegal `sort.split(i0, 2)`: `i0` is not an axis of the stage");
  EXPECT_EQ(
      error("negative.compute_at(sort, row)"),
      "illegal `negative.compute_at(sort, row)`: `row` is not a leaf axis "
      "of `sort`");
  schedule::Schedule s({twice});
  ASSERT_TRUE(
      s.Replay(*schedule::ParseSteps("negative.transform_layout(i1, i0)\n"
                                     "sort.0.cache_read(local, twice)\n"
                                     "sort.0.local.compute_at(twice, i0)"))
          .ok());
  const auto function = lower::Lower(s, "f", {x}, {twice});
  ASSERT_TRUE(function.ok()) << function.status();
  const auto results = tir::Interpret(tir::LowerLoops(*function), {in});
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ((*results)[0].data<float>()[0], -10);
}

}  // namespace
}  // namespace assay::ops
