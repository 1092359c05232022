// Intrinsics that replace loops: results, operands and errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "compiler/lower/lower.h"
#include "compiler/lower/test_programs.h"
#include "compiler/schedule/schedule.h"
#include "compiler/te/tensor_intrin.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::lower {
namespace {

using expr::Expr;
using schedule::Schedule;
using te::IntrinOperand;
using te::IntrinStore;
using te::Tensor;
using te::TensorIntrin;
using ::testing::StartsWith;
using Indices = std::vector<Expr>;
using Inputs = std::vector<IntrinOperand>;

// c[i, j] += a[i, k] * b[k, j], 4 by 4 by 4, with a row of c in one vector.
std::shared_ptr<const TensorIntrin> Gemm4x4x4(bool with_init) {
  const Tensor a = te::Placeholder({4, 4}, DType::Float32(), "a");
  const Tensor b = te::Placeholder({4, 4}, DType::Float32(), "b");
  const te::ReduceAxis k = te::MakeReduceAxis(4, "k");
  auto intrin = std::make_shared<TensorIntrin>();
  intrin->name = "gemm";
  intrin->compute =
      te::Compute({4, 4}, "c",
                  [&](const Indices& i) {
                    return te::Sum(a(i[0], k.var) * b(k.var, i[1]), {k});
                  },
                  "", {"i", "j"});
  intrin->strides = {{}, {0, 1}, {0, 1}};
  intrin->update = [](const IntrinOperand& c, const Inputs& in) {
    std::vector<IntrinStore> stores;
    for (int64_t i = 0; i < 4; ++i) {
      Expr sum = c.LoadAt({i, 0}, 4);
      for (int64_t k = 0; k < 4; ++k) {
        sum = sum + expr::Broadcast::Make(in[0].LoadAt({i, k}), 4) *
                        in[1].LoadAt({k, 0}, 4);
      }
      stores.push_back({expr::Ramp::Make(c.At({i, 0}), 1, 4), sum});
    }
    return stores;
  };
  if (with_init) {
    intrin->init = [](const IntrinOperand& c, const Inputs&) {
      std::vector<IntrinStore> stores;
      for (int64_t i = 0; i < 4; ++i) {
        stores.push_back({expr::Ramp::Make(c.At({i, 0}), 1, 4),
                          expr::Const(DType::Float32().WithLanes(4), 0)});
      }
      return stores;
    };
  }
  return intrin;
}

// c[i] = dot product of four signed and four signed bytes, like the int8
// dot-product instructions of processors.
std::shared_ptr<const TensorIntrin> Dot4(int lanes) {
  const Tensor a = te::Placeholder({4}, DType::Int(8), "a");
  const Tensor b = te::Placeholder({lanes, 4}, DType::Int(8), "b");
  const te::ReduceAxis k = te::MakeReduceAxis(4, "k");
  auto wide = [](const Expr& e) { return expr::Cast::Make(DType::Int32(), e); };
  auto intrin = std::make_shared<TensorIntrin>();
  intrin->name = "dot4";
  intrin->compute = te::Compute({lanes}, "c", [&](const Indices& i) {
    return te::Sum(wide(a(k.var)) * wide(b(i[0], k.var)), {k});
  });
  intrin->strides = {{1}, {4, 1}, {1}};
  const auto products = [lanes](Expr sum, const Inputs& in) {
    const DType type = DType::Int32().WithLanes(lanes);
    for (int64_t k = 0; k < 4; ++k) {
      const Expr x = expr::Broadcast::Make(
          expr::Cast::Make(DType::Int32(), in[0].LoadAt({k})), lanes);
      const Expr y = expr::Load::Make(
          in[1].buffer, {expr::Ramp::Make(in[1].At({0, k}), 4, lanes)});
      const Expr product = x * expr::Cast::Make(type, y);
      sum = sum.defined() ? sum + product : product;
    }
    return sum;
  };
  intrin->body = [=](const IntrinOperand& c, const Inputs& in) {
    return std::vector<IntrinStore>{
        {expr::Ramp::Make(c.At({0}), 1, lanes), products(Expr(), in)}};
  };
  intrin->update = [=](const IntrinOperand& c, const Inputs& in) {
    return std::vector<IntrinStore>{{expr::Ramp::Make(c.At({0}), 1, lanes),
                                     products(c.LoadAt({0}, lanes), in)}};
  };
  return intrin;
}

// A product whose second factor is packed in blocks of 8 columns and 4 rows.
TestProgram PackedInt8Matmul(int64_t n, int64_t k, int64_t m) {
  const Tensor a = te::Placeholder({n, k}, DType::Int(8), "a");
  const Tensor b = te::Placeholder({m / 8, k / 4, 8, 4}, DType::Int(8), "b");
  const te::ReduceAxis ro = te::MakeReduceAxis(k / 4, "ro");
  const te::ReduceAxis ri = te::MakeReduceAxis(4, "ri");
  auto wide = [](const Expr& e) { return expr::Cast::Make(DType::Int32(), e); };
  const Tensor c =
      te::Compute({n, m / 8, 8}, "c",
                  [&](const Indices& i) {
                    return te::Sum(wide(a(i[0], ro.var * 4 + ri.var)) *
                                       wide(b(i[1], ro.var, i[2], ri.var)),
                                   {ro, ri});
                  },
                  "", {"y", "xo", "xi"});
  return {{a, b}, {c}};
}

std::vector<NDArray> MakeInputs(const TestProgram& program) {
  Rng rng(5);
  std::vector<NDArray> arrays;
  for (const Tensor& input : program.inputs) {
    arrays.emplace_back(input.dtype(), input.shape());
    if (input.dtype() == DType::Int(8)) {
      for (int8_t& x : arrays.back().data<int8_t>()) {
        x = static_cast<int8_t>(rng.UniformInt(-128, 127));
      }
    } else {
      for (float& x : arrays.back().data<float>()) {
        x = static_cast<float>(rng.UniformInt(-4, 4));
      }
    }
  }
  return arrays;
}

// The loops with the steps, or the error message. Also checks that results are
// the same as without a schedule.
std::string Tensorized(const TestProgram& program,
                       std::shared_ptr<const TensorIntrin> intrin,
                       const char* steps) {
  Schedule s(program.outputs);
  s.AddIntrin(std::move(intrin));
  const auto parsed = schedule::ParseSteps(steps);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  const absl::Status status = s.Replay(*parsed);
  if (!status.ok()) return std::string(status.message());
  const auto loops = Lower(s, "f", program.inputs, program.outputs);
  if (!loops.ok()) return std::string(loops.status().message());
  const auto plain =
      Lower(Schedule(program.outputs), "f", program.inputs, program.outputs);
  const std::vector<NDArray> inputs = MakeInputs(program);
  const auto expected = tir::Interpret(*plain, inputs);
  EXPECT_TRUE(expected.ok()) << expected.status();
  for (const tir::Function& f : {*loops, tir::LowerLoops(*loops)}) {
    const auto results = tir::Interpret(f, inputs);
    EXPECT_TRUE(results.ok()) << results.status() << "\n" << tir::ToString(f);
    if (!results.ok()) continue;
    EXPECT_TRUE(BitwiseEqual((*results)[0], (*expected)[0]))
        << steps << "\n"
        << tir::ToString(f);
  }
  return "\n" + tir::ToString(loops->body);
}

constexpr char kTiled[] =
    "c.split(y, 4) -> yo, yi\n"
    "c.split(x, 4) -> xo, xi\n"
    "c.split(r, 4) -> ro, ri\n";

TEST(TensorizeTest, ReplacesUpdateOfBlockedProduct) {
  // Initialized by loops if there is no init; with reduce loops outside of data
  // loops; and for a tile that is computed at its consumer.
  for (const bool with_init : {false, true}) {
    for (const char* steps :
         {"c.reorder(yo, xo, ro, yi, xi, ri)\nc.tensorize(yi, gemm)",
          "c.reorder(ro, yo, xo, yi, xi, ri)\nc.tensorize(yi, gemm)",
          "c.reorder(xo, ro, yo, ri, yi, xi)\nc.tensorize(ri, gemm)",
          "c.reorder(yo, xo, ro, yi, ri, xi)\nc.unroll(ro)\nc.parallel(yo)\n"
          "c.tensorize(yi, gemm)"}) {
      const std::string loops =
          Tensorized(Matmul(8, 12, 16), Gemm4x4x4(with_init),
                     absl::StrCat(kTiled, steps).c_str());
      EXPECT_EQ(loops[0], '\n') << loops;
    }
  }
  const std::string local =
      Tensorized(Matmul(8, 4, 16), Gemm4x4x4(true),
                 "c.cache_write(local) -> t\nb.cache_read(global, t) -> p\n"
                 "c.split(y, 4)\nc.split(x, 4)\nc.reorder(y.o, x.o, y.i, x.i)\n"
                 "t.compute_at(c, x.o)\nt.split(y, 4)\nt.split(x, 4)\n"
                 "t.reorder(y.o, x.o, y.i, x.i)\nt.tensorize(y.i, gemm)\n"
                 "p.compute_at(c, x.o)\n"
                 "p.double_buffer()\nc.bind(y.o, vthread)");
  EXPECT_EQ(local[0], '\n') << local;
}

TEST(TensorizeTest, ReplacesDotProductsOfBytes) {
  const TestProgram program = PackedInt8Matmul(3, 8, 16);
  EXPECT_EQ(Tensorized(program, Dot4(8),
                       "c.reorder(y, xo, ro, xi, ri)\nc.tensorize(xi, dot4)")
                .substr(0, 123),
            R"(
for y in [0, 3) {
  for xo in [0, 2) {
    for xi in [0, 8) {
      %c[y, xo, xi] = 0
    }
    for ro in [0, 2) {
      %)");
  // No reduce loop remains outside, so the identity is not stored.
  EXPECT_EQ(
      Tensorized(PackedInt8Matmul(2, 4, 8), Dot4(8), "c.tensorize(xi, dot4)"),
      R"(
for y in [0, 2) {
  %c[ramp(y * 8, 1, 8)] = broadcast(cast(int32, %a[y * 4]), 8) * cast(int32x8, %b[ramp(0, 4, 8)]) + broadcast(cast(int32, %a[y * 4 + 1]), 8) * cast(int32x8, %b[ramp(1, 4, 8)]) + broadcast(cast(int32, %a[y * 4 + 2]), 8) * cast(int32x8, %b[ramp(2, 4, 8)]) + broadcast(cast(int32, %a[y * 4 + 3]), 8) * cast(int32x8, %b[ramp(3, 4, 8)])
}
)");
}

// The unrolled loops around an intrinsic belong to its tile, whose accumulators
// are all initialized before the reduction.
TEST(TensorizeTest, InitializesUnrolledTilesBeforeTheReduction) {
  const std::string loops = Tensorized(
      Matmul(8, 8, 4), Gemm4x4x4(true),
      "c.split(y, 4) -> yo, yi\nc.split(r, 4) -> ro, ri\n"
      "c.reorder(ro, yo, yi, x, ri)\nc.unroll(yo)\nc.tensorize(yi, gemm)");
  EXPECT_THAT(loops, StartsWith(R"(
unrolled yo in [0, 2) {
  %c[ramp(yo * 16, 1, 4)] = broadcast(0f, 4)
  %c[ramp(yo * 16 + 4, 1, 4)] = broadcast(0f, 4)
  %c[ramp(yo * 16 + 8, 1, 4)] = broadcast(0f, 4)
  %c[ramp(yo * 16 + 12, 1, 4)] = broadcast(0f, 4)
}
for ro in [0, 2) {
  unrolled yo in [0, 2) {
    %c[ramp(yo * 16, 1, 4)] = %c[ramp(yo * 16, 1, 4)] + )"));
}

// An intrinsic computes whole tiles, although one iteration of the reader needs
// only a row.
TEST(TensorizeTest, ComputesWholeTilesAtAReader) {
  const std::string loops =
      Tensorized(Matmul(4, 4, 4), Gemm4x4x4(true),
                 "c.cache_write(local) -> t\nt.compute_at(c, y)\n"
                 "t.tensorize(y, gemm)");
  EXPECT_THAT(loops, StartsWith(R"(
for y in [0, 4) {
  alloc %t: local float32[4,4]
  %t[ramp(0, 1, 4)] = broadcast(0f, 4)
  %t[ramp(4, 1, 4)] = broadcast(0f, 4)
)"));
}

TEST(TensorizeTest, RejectsLoopsThatDoNotMatch) {
  const struct {
    const char* steps;
    const char* message;
  } kCases[] = {
      {"c.tensorize(y, dot)", "there is no intrinsic `dot`"},
      {"c.tensorize(z, gemm)", "`z` is not an axis of the stage"},
      {"c.tensorize(y, gemm)",
       "the loops from `y` inwards do not compute what `gemm` does: `y` has 8 "
       "iterations, its axis `i` has 4"},
      {"c.split(y, 4)\nc.split(x, 4)\nc.tensorize(y.i, gemm)",
       "`x.o` has 2 iterations, its axis `j` has 4"},
      {"c.split(y, 4)\nc.tensorize(x, gemm)",
       "`x` has 8 iterations, its axis `i` has 4"},
      {"c.split(y, 4)\nc.split(x, 4)\nc.split(r, 4)\n"
       "c.reorder(y.o, x.o, y.i, x.i, r.o, r.i)\nc.tensorize(y.i, gemm)",
       "`r.o` has 3 iterations, its axis `k` has 4"},
      {"c.split(y, 4)\nc.split(x, 4)\nc.split(r, 4)\n"
       "c.reorder(y.o, x.o, r.o, x.i, y.i, r.i)\nc.tensorize(x.i, gemm)",
       "`x.i` does not move the read of `a`, unlike that of its `a`"},
      {"c.split(y, 4)\nc.split(x, 4)\nc.split(r, 4)\n"
       "c.reorder(y.o, x.o, r.o, y.i, x.i, r.i)\nc.unroll(x.i)\n"
       "c.tensorize(y.i, gemm)",
       "`x.i` is unrolled already"},
      {"c.split(y, 4)\nc.split(x, 4)\nc.split(r, 4)\n"
       "c.reorder(y.o, x.o, r.o, y.i, x.i, r.i)\nc.tensorize(y.i, gemm)\n"
       "c.unroll(x.i)",
       "`x.i` is part of what `gemm` computes"},
      {"c.split(y, 4)\nc.split(x, 4)\nc.split(r, 4)\n"
       "c.reorder(y.o, x.o, r.o, y.i, x.i, r.i)\nc.tensorize(y.i, gemm)\n"
       "c.tensorize(x.o, gemm)",
       "the stage has an intrinsic"},
  };
  for (const auto& c : kCases) {
    const std::string error =
        Tensorized(Matmul(8, 12, 8), Gemm4x4x4(true), c.steps);
    EXPECT_NE(error.find(c.message), std::string::npos) << error;
  }
  EXPECT_NE(Tensorized(Matmul(6, 4, 4), Gemm4x4x4(true),
                       "c.split(y, 4)\nc.tensorize(y.i, gemm)")
                .find("`y.o * 4 + y.i < 6` skips iterations"),
            std::string::npos);
  EXPECT_NE(Tensorized(MaxOfAll(4, 4), Gemm4x4x4(true), "c.tensorize(y, gemm)")
                .find("there is no data loop for its axis `i`"),
            std::string::npos);
}

TEST(TensorizeTest, LoweringChecksStrides) {
  EXPECT_EQ(Tensorized(Matmul(4, 4, 4), Gemm4x4x4(true),
                       "b.cache_read(global, c)\n"
                       "b.global.transform_layout(i1, i0)\n"
                       "c.tensorize(y, gemm)"),
            "stage `c`: intrinsic `gemm` does not fit at axis `y`: `%b.global` "
            "has stride 4 along its dimension 1, but the intrinsic requires 1");
  EXPECT_EQ(Tensorized(Matmul(4, 4, 4), Gemm4x4x4(true),
                       "a.cache_read(global, c)\n"
                       "a.global.transform_layout(i1/2, i0, i1%2)\n"
                       "c.tensorize(y, gemm)"),
            "stage `c`: intrinsic `gemm` does not fit at axis `y`: the operand "
            "in `%a.global` does not have a constant stride along `r`");
}

}  // namespace
}  // namespace assay::lower
