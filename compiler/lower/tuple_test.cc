// Stages with several outputs: the generated loops, and results that are the
// same for all schedules, before and after the tir passes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compiler/expr/expr_ops.h"
#include "compiler/lower/schedule_check.h"
#include "compiler/lower/test_programs.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/reducers.h"
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

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// best.0[y], best.1[y] = index and value of the largest x[y, r].
TestProgram ArgOfRows(int64_t n, int64_t k, bool last = false) {
  const Tensor x = te::Placeholder({n, k}, DType::Float32(), "x");
  const te::ReduceAxis r = te::MakeReduceAxis(k, "r");
  const std::vector<Tensor> best =
      te::ComputeTuple({n}, "best",
                       [&](const Indices& i) {
                         return te::ReduceTuple(te::ArgMax(x.dtype(), last),
                                                {r.var, x(i[0], r.var)}, {r});
                       },
                       "", {"y"});
  return {{x}, best};
}

// p.0 + p.1 i = the product of all a[y, r] + b[y, r] i.
TestProgram ComplexProduct(int64_t n, int64_t k, bool reorderable = true) {
  const Tensor a = te::Placeholder({n, k}, DType::Float32(), "a");
  const Tensor b = te::Placeholder({n, k}, DType::Float32(), "b");
  const te::ReduceAxis r = te::MakeReduceAxis(k, "r");
  const expr::Reducer product = expr::MakeReducer(
      "complex_product", {expr::Const(a.dtype(), 1), expr::Const(a.dtype(), 0)},
      [](const Indices& x, const Indices& y) {
        return Indices{x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]};
      },
      reorderable);
  const std::vector<Tensor> p = te::ComputeTuple(
      {n}, "p",
      [&](const Indices& i) {
        return te::ReduceTuple(product, {a(i[0], r.var), b(i[0], r.var)}, {r});
      },
      "", {"y"});
  return {{a, b}, p};
}

// out = s.0 * s.1, where s is the sum and the difference of neighbours.
TestProgram SumAndDifference(int64_t n) {
  const Tensor x = te::Placeholder({n + 1}, DType::Float32(), "x");
  const std::vector<Tensor> s = te::ComputeTuple(
      {n}, "s",
      [&](const Indices& i) {
        return Indices{x(i[0]) + x(i[0] + 1), x(i[0]) - x(i[0] + 1)};
      },
      "", {"y"});
  const Tensor out = te::Compute(
      {n}, "out", [&](const Indices& i) { return s[0](i) * s[1](i); }, "",
      {"y"});
  return {{x}, {out}};
}

TEST(TupleTest, PrintsAllValues) {
  EXPECT_EQ(te::ToString(ArgOfRows(3, 4).outputs),
            "x: float32[3,4]\n"
            "best.0[y]: int32[3] = arg_max(r, x[y, r], r < 4).0\n"
            "best.1[y]: float32[3] = arg_max(r, x[y, r], r < 4).1\n");
}

TEST(TupleTest, StoresResultWhenOldValueIsNotNeeded) {
  EXPECT_EQ(Lowered(ArgOfRows(2, 3), "best.unroll(r)\nbest.parallel(y)"), R"(
parallel y in [0, 2) {
  %best.0[y] = 2147483647
  %best.1[y] = -inff
  unrolled r in [0, 3) {
    %best.0[y] = select(%best.1[y] < %x[y, r] || %x[y, r] != %x[y, r] && !(%best.1[y] != %best.1[y]) || (%best.1[y] == %x[y, r] || %x[y, r] != %x[y, r] && %best.1[y] != %best.1[y]) && r < %best.0[y], r, %best.0[y])
    %best.1[y] = select(%best.1[y] < %x[y, r] || %x[y, r] != %x[y, r] && !(%best.1[y] != %best.1[y]), %x[y, r], %best.1[y])
  }
}
)");
}

TEST(TupleTest, ComputesMutuallyDependentResultsFirst) {
  EXPECT_EQ(Lowered(ComplexProduct(2, 3), ""), R"(
for y in [0, 2) {
  %p.0[y] = 1f
  %p.1[y] = 0f
  for r in [0, 3) {
    alloc %p.0.new: local float32[1]
    alloc %p.1.new: local float32[1]
    %p.0.new[0] = %p.0[y] * %a[y, r] - %p.1[y] * %b[y, r]
    %p.1.new[0] = %p.0[y] * %b[y, r] + %p.1[y] * %a[y, r]
    %p.0[y] = %p.0.new[0]
    %p.1[y] = %p.1.new[0]
  }
}
)");
}

TEST(TupleTest, SchedulesKeepResults) {
  for (const TestProgram& program :
       {ArgOfRows(5, 7), ArgOfRows(4, 8), ArgOfRows(5, 7, true)}) {
    ExpectSameResults(program, "best.split(r, 3)\nbest.reorder(r.i, r.o)");
    ExpectSameResults(program, "best.reorder(r, y)\nbest.vectorize(y)");
    ExpectSameResults(program,
                      "best.split(y, 4)\nbest.parallel(y.o)\n"
                      "best.reorder(r, y.i)\nbest.vectorize(y.i)");
    ExpectSameResults(program,
                      "best.cache_write(local)\nbest.split(y, 2)\n"
                      "best.local.compute_at(best, y.o)\nbest.unroll(y.i)");
    ExpectSameResults(program,
                      "best.split(r, 4)\nbest.rfactor(r.i, 0)\n"
                      "best.rf.compute_at(best, y)\nbest.rf.reorder(r.o, r.i)\n"
                      "best.rf.vectorize(r.i)\nbest.rf.set_scope(local)");
  }
}

TEST(TupleTest, SchedulesOfUserReducersKeepResults) {
  const TestProgram program = ComplexProduct(6, 5);
  ExpectSameResults(program, "p.reorder(r, y)\np.vectorize(y)");
  ExpectSameResults(program,
                    "p.split(y, 4)\np.reorder(y.o, r, y.i)\n"
                    "p.vectorize(y.i)\np.unroll(r)");
  ExpectSameResults(program, "p.bind(y, vthread)");
  ExpectSameResults(ComplexProduct(4, 4), "p.rfactor(r, 1)");
}

TEST(TupleTest, InlinesAndCopiesOutputs) {
  const TestProgram program = SumAndDifference(7);
  ExpectSameResults(program, "s.compute_inline()");
  ExpectSameResults(program,
                    "out.split(y, 4)\ns.compute_at(out, y.o)\n"
                    "s.vectorize(y)\ns.set_scope(local)");
  ExpectSameResults(program,
                    "s.1.cache_read(local, out)\n"
                    "s.1.local.compute_at(out, y)\ns.parallel(y)");
}

TEST(TupleTest, IllegalStepsNameTheReason) {
  const TestProgram fixed = ComplexProduct(4, 6, /*reorderable=*/false);
  EXPECT_EQ(Lowered(fixed, "p.rfactor(r, 0)"),
            "illegal `p.rfactor(r, 0)`: the order in which `r` is combined "
            "must stay: reducer `complex_product` is not declared associative "
            "and commutative");
  EXPECT_EQ(Lowered(fixed, "p.split(r, 2)\np.reorder(r.i, r.o)"),
            "illegal `p.reorder(r.i, r.o)`: the order in which `r.o` is "
            "combined must stay: reducer `complex_product` is not declared "
            "associative and commutative");
  ExpectSameResults(fixed, "p.split(r, 4)\np.reorder(r.o, r.i, y)");
  EXPECT_EQ(Lowered(fixed, "p.parallel(r)"),
            "illegal `p.parallel(r)`: `r` is a reduce axis, whose iterations "
            "depend on one another");
  EXPECT_EQ(Lowered(fixed, "p.compute_inline()"),
            "illegal `p.compute_inline()`: an output cannot be inlined");
  EXPECT_EQ(Lowered(SumAndDifference(4), "s.cache_read(local, out)"),
            "illegal `s.cache_read(local, out)`: there is no stage or "
            "placeholder `s`");
}

TEST(TupleTest, BreaksTiesAndNansByIndex) {
  const struct {
    std::vector<float> row;
    int first, last;
  } cases[] = {
      {{1, 3, 3, 2}, 1, 2},          {{-kInf, -kInf, -kInf, -kInf}, 0, 3},
      {{1, kNan, kInf, kNan}, 1, 3}, {{kNan, kNan, kNan, kNan}, 0, 3},
      {{-0.0f, 0, -1, 0}, 0, 3},
  };
  for (const auto& c : cases) {
    NDArray x(DType::Float32(), {1, 4});
    std::copy(c.row.begin(), c.row.end(), x.data<float>().begin());
    for (const bool last : {false, true}) {
      const auto function = LowerWith(ArgOfRows(1, 4, last), "");
      ASSERT_TRUE(function.ok()) << function.status();
      const std::vector<NDArray> best =
          RunFunction(tir::LowerLoops(*function), {x});
      const int where = last ? c.last : c.first;
      EXPECT_EQ(best[0].data<int32_t>()[0], where);
      EXPECT_EQ(std::isnan(best[1].data<float>()[0]), std::isnan(c.row[where]));
    }
  }
}

TEST(TupleTest, AllowsUnreadOutput) {
  TestProgram program = ArgOfRows(3, 4);
  program.outputs.pop_back();
  EXPECT_NE(Lowered(program, "").find("alloc %best.1: global float32[3]"),
            std::string::npos);
  ExpectSameResults(program, "best.reorder(r, y)\nbest.vectorize(y)");
}

}  // namespace
}  // namespace assay::lower
