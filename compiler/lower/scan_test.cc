// Scans: the generated loops, and results compared with plain C++ loops under
// several schedules.
#include "compiler/te/scan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/lower/schedule_check.h"
#include "compiler/lower/test_programs.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "runtime/base/ndarray.h"

namespace assay::lower {
namespace {

using expr::Expr;
using schedule::Schedule;
using te::Tensor;
using Indices = std::vector<Expr>;

// sums[t, i] = sums[t - 1, i] + x[t, i].
TestProgram RunningSums(int64_t steps, int64_t n) {
  const Tensor x = te::Placeholder({steps, n}, DType::Float32(), "x");
  const Tensor state = te::ScanState(x.shape(), x.dtype(), "s");
  const Tensor first = te::Compute(
      {1, n}, "first", [&](const Indices& i) { return x(0, i[1]); });
  const Tensor next = te::Compute(x.shape(), "next", [&](const Indices& i) {
    return state(i[0] - 1, i[1]) + x(i);
  });
  return {{x}, {te::Scan("sums", first, next, state)}};
}

// A recurrent cell: h[t] = max(w h[t - 1] + x[t], 0), c[t] = c[t - 1] + h[t -
// 1].
TestProgram Cell(int64_t steps, int64_t n) {
  const Shape shape = {steps, n};
  const Tensor x = te::Placeholder(shape, DType::Float32(), "x");
  const Tensor w = te::Placeholder({n, n}, DType::Float32(), "w");
  const Tensor h = te::ScanState(shape, x.dtype(), "h");
  const Tensor c = te::ScanState(shape, x.dtype(), "c");
  const Tensor zero = te::Compute({1, n}, "zero", [&](const Indices&) {
    return expr::Const(x.dtype(), 0);
  });
  const te::ReduceAxis r = te::MakeReduceAxis(n, "r");
  const Tensor product = te::Compute(shape, "product", [&](const Indices& i) {
    return te::Sum(w(i[1], r.var) * h(i[0] - 1, r.var), {r});
  });
  const Tensor next_h = te::Compute(shape, "next_h", [&](const Indices& i) {
    return expr::Max(product(i) + x(i), 0);
  });
  const Tensor next_c = te::Compute(shape, "next_c", [&](const Indices& i) {
    return c(i[0] - 1, i[1]) + h(i[0] - 1, i[1]);
  });
  return {{x, w}, te::Scan("cell", {zero, zero}, {next_h, next_c}, {h, c})};
}

TEST(ScanTest, PrintsInitAndUpdate) {
  EXPECT_EQ(te::ToString(RunningSums(5, 3).outputs),
            "x: float32[5,3]\n"
            "first[i0, i1]: float32[1,3] = x[0, i1]\n"
            "state s: float32[5,3]\n"
            "next[i0, i1]: float32[5,3] = s[i0 - 1, i1] + x[i0, i1]\n"
            "sums[t, i1]: float32[5,3] = "
            "s <- select(t < 1, first[t, i1], next[t, i1])\n");
}

TEST(ScanTest, EqualityComparesState) {
  EXPECT_TRUE(te::StructurallyEqual(Cell(4, 3).outputs, Cell(4, 3).outputs));
  TestProgram swapped = Cell(4, 3);
  std::swap(swapped.outputs[0], swapped.outputs[1]);
  EXPECT_FALSE(te::StructurallyEqual(Cell(4, 3).outputs, swapped.outputs));
}

TEST(ScanTest, ComputesUpdatesInsideTimeLoop) {
  EXPECT_EQ(Lowered(RunningSums(5, 3), ""), R"(
alloc %first: global float32[1,3]
for i1 in [0, 3) {
  %first[0, i1] = %x[0, i1]
}
for t in [0, 5) {
  if t < 1 {
    for i1 in [0, 3) {
      %sums[0, i1] = %first[0, i1]
    }
  } else {
    alloc %next: global float32[1,3]
    for i1 in [0, 3) {
      %next[0, i1] = %sums[t - 1, i1] + %x[t, i1]
    }
    for i1 in [0, 3) {
      %sums[t, i1] = %next[0, i1]
    }
  }
}
)");
}

TEST(ScanTest, MatchesPlainLoops) {
  for (const auto& [steps, n] : {std::pair<int, int>{5, 3}, {1, 4}, {2, 1}}) {
    const TestProgram program = Cell(steps, n);
    const std::vector<NDArray> in = MakeInputs(program);
    const auto x = in[0].data<float>(), w = in[1].data<float>();
    std::vector<float> h(steps * n, 0.0f), c(steps * n, 0.0f);
    for (int t = 1; t < steps; ++t) {
      for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int r = 0; r < n; ++r) sum += w[i * n + r] * h[(t - 1) * n + r];
        h[t * n + i] = std::max(sum + x[t * n + i], 0.0f);
        c[t * n + i] = c[(t - 1) * n + i] + h[(t - 1) * n + i];
      }
    }
    const auto function = LowerWith(program, "");
    ASSERT_TRUE(function.ok()) << function.status();
    const std::vector<NDArray> got =
        RunFunction(tir::LowerLoops(*function), in);
    for (int i = 0; i < steps * n; ++i) {
      EXPECT_EQ(got[0].data<float>()[i], h[i]);
      EXPECT_EQ(got[1].data<float>()[i], c[i]);
    }
  }
}

TEST(ScanTest, SchedulesKeepResults) {
  const TestProgram sums = RunningSums(6, 9);
  ExpectSameResults(sums,
                    "next.compute_inline()\nsums.split(i1, 4)\n"
                    "sums.parallel(i1.o)\nsums.vectorize(i1.i)");
  ExpectSameResults(sums,
                    "next.compute_inline()\nsums.unroll(t)\n"
                    "sums.split(i1, 4, shift_inwards)");
  ExpectSameResults(sums,
                    "next.compute_at(sums, i1)\nnext.set_scope(local)\n"
                    "x.cache_read(global, next)");
  const TestProgram cell = Cell(5, 6);
  ExpectSameResults(cell,
                    "next_h.compute_inline()\n"
                    "next_c.compute_inline()\ncell.vectorize(i1)");
  ExpectSameResults(cell,
                    "product.split(r, 4)\nproduct.rfactor(r.i, 0)\n"
                    "product.rf.unroll(i1)");
  ExpectSameResults(cell,
                    "product.cache_write(local)\n"
                    "product.local.compute_at(product, i1)\n"
                    "product.parallel(i1)");
  ExpectSameResults(cell,
                    "product.compute_at(next_h, i1)\nproduct.compute_root()");
}

TEST(ScanTest, IllegalStepsNameTheReason) {
  const TestProgram sums = RunningSums(6, 9);
  const char* time =
      ": `t` is the time of a scan, whose iterations run in order around "
      "everything else";
  for (const char* step :
       {"sums.split(t, 2)", "sums.fuse(t, i1)", "sums.parallel(t)",
        "sums.vectorize(t)", "sums.reorder(i1, t)", "sums.bind(t, vthread)"}) {
    const std::string error = Lowered(sums, step);
    if (std::string(step) == "sums.vectorize(t)") {
      EXPECT_EQ(error, "illegal `sums.vectorize(t)`: `t` is not innermost");
    } else {
      EXPECT_EQ(error, absl::StrCat("illegal `", step, "`", time));
    }
  }
  EXPECT_EQ(Lowered(sums, "sums.cache_write(local)"),
            "illegal `sums.cache_write(local)`: a scan keeps its state in "
            "place");
  EXPECT_EQ(Lowered(sums, "first.compute_at(sums, t)"),
            "illegal `first.compute_at(sums, t)`: stage `first`: it gives the "
            "first times of scan `sums`, so it cannot be computed inside of "
            "it");
  EXPECT_EQ(Lowered(sums, "next.double_buffer()"),
            "illegal `next.double_buffer()`: stage `next`: axis `t` of `sums` "
            "where it is computed is the time of a scan, which skips "
            "iterations");
}

TEST(ScanDeathTest, RejectsMisuse) {
  const Tensor x = te::Placeholder({4, 3}, DType::Float32(), "x");
  const Tensor s = te::ScanState({4, 3}, DType::Float32(), "s");
  const Tensor first =
      te::Compute({1, 3}, "first", [&](const Indices& i) { return s(i); });
  EXPECT_DEATH(te::Scan("scan", first, x, s), "depends on the state");
  EXPECT_DEATH(te::Scan("scan", x, first, s), "update `first`");
  EXPECT_DEATH(te::Scan("scan", x, x, x), "is not a state");
  EXPECT_DEATH(Schedule({first}), "state `s` belongs to no scan");
}

}  // namespace
}  // namespace assay::lower
