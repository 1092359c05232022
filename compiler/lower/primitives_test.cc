// Each primitive in schedules as they are meant, on programs small enough to
// interpret: what is computed is what the program computes without a schedule,
// bit for bit, before and after the tir passes; and the printed steps replay.
#include <gtest/gtest.h>

#include "compiler/lower/lower.h"
#include "compiler/lower/test_programs.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/interpreter.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::lower {
namespace {

using schedule::Schedule;

// Small whole numbers: sums are exact in any order.
std::vector<NDArray> MakeInputs(const TestProgram& program) {
  Rng rng(99);
  std::vector<NDArray> arrays;
  for (const te::Tensor& input : program.inputs) {
    arrays.emplace_back(input.dtype(), input.shape());
    for (float& x : arrays.back().data<float>()) {
      x = static_cast<float>(rng.UniformInt(-4, 4));
    }
  }
  return arrays;
}

// The unscheduled program's results, then those of `function` on its own and
// after LowerLoops.
void ExpectSame(const TestProgram& program, const tir::Function& function) {
  const std::vector<NDArray> inputs = MakeInputs(program);
  const auto plain =
      Lower(Schedule(program.outputs), "f", program.inputs, program.outputs);
  ASSERT_TRUE(plain.ok()) << plain.status();
  const auto expected = tir::Interpret(*plain, inputs);
  ASSERT_TRUE(expected.ok()) << expected.status();
  const tir::Function ready = tir::LowerLoops(function);
  for (const tir::Function* f : {&function, &ready}) {
    tir::InterpretOptions options;
    options.seed = 7;
    const auto results = tir::Interpret(*f, inputs, options);
    ASSERT_TRUE(results.ok()) << results.status() << "\n" << tir::ToString(*f);
    for (size_t i = 0; i < expected->size(); ++i) {
      EXPECT_TRUE(BitwiseEqual((*results)[i], (*expected)[i]))
          << tir::ToString(*f);
    }
  }
}

void ExpectKeepsTheMeaning(const TestProgram& program, const char* steps) {
  SCOPED_TRACE(steps);
  Schedule s(program.outputs);
  const auto parsed = schedule::ParseSteps(steps);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const absl::Status status = s.Replay(*parsed);
  ASSERT_TRUE(status.ok()) << status;
  const auto function = Lower(s, "f", program.inputs, program.outputs);
  ASSERT_TRUE(function.ok()) << function.status();
  ExpectSame(program, *function);

  Schedule replayed(program.outputs);
  const auto printed = schedule::ParseSteps(s.ToString());
  ASSERT_TRUE(printed.ok()) << printed.status();
  ASSERT_TRUE(replayed.Replay(*printed).ok());
  EXPECT_EQ(replayed.ToString(), s.ToString());
  const auto again = Lower(replayed, "f", program.inputs, program.outputs);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(tir::ToString(*again), tir::ToString(*function));
}

// Sizes that tiles of 2, 3, 4 and 8 divide, and sizes that none does.
void ExpectMatmulKeepsTheMeaning(const char* steps) {
  const int64_t shapes[][3] = {{8, 12, 16}, {7, 5, 9}, {1, 7, 1}, {5, 1, 3}};
  for (const auto& [n, k, m] : shapes) {
    ExpectKeepsTheMeaning(Matmul(n, k, m), steps);
  }
}

TEST(PrimitivesTest, SplitParts) {
  ExpectMatmulKeepsTheMeaning("c.split_parts(y, 3)\nc.split_parts(r, 2)");
  ExpectMatmulKeepsTheMeaning(
      "c.cache_write(local)\nc.split_parts(x, 4, shift)\nc.vectorize(x.i)\n"
      "c.local.compute_at(c, x.o)\nc.local.split_parts(x, 2)");
}

TEST(PrimitivesTest, ComputeRoot) {
  ExpectKeepsTheMeaning(Blur(9),
                        "b.compute_inline()\nb.compute_root()\n"
                        "b.compute_at(c, i)\nb.compute_root()");
}

TEST(PrimitivesTest, CacheRead) {
  ExpectMatmulKeepsTheMeaning("b.cache_read(global, c)");
  // A panel of b, packed once for each block of the product.
  ExpectMatmulKeepsTheMeaning(
      "b.cache_read(global, c) -> panel\na.cache_read(local, c) -> column\n"
      "c.split(r, 4) -> ro, ri\nc.split(x, 8) -> xo, xi\n"
      "c.reorder(xo, ro, y, ri, xi)\nc.vectorize(xi)\n"
      "panel.compute_at(c, ro)\npanel.vectorize(i1)\n"
      "column.compute_at(c, y)");
  ExpectKeepsTheMeaning(Blur(9),
                        "b.cache_read(local, c)\nb.local.compute_at(c, i)\n"
                        "a.cache_read(global, b)");
}

TEST(PrimitivesTest, RFactor) {
  ExpectMatmulKeepsTheMeaning("c.rfactor(r, 0)");
  ExpectMatmulKeepsTheMeaning("c.split(r, 4)\nc.rfactor(r.o, 0)");
  ExpectMatmulKeepsTheMeaning("c.split(r, 4)\nc.rfactor(r.i, 2)");
  ExpectMatmulKeepsTheMeaning(
      "c.split(r, 4)\nc.split(r.i, 3)\nc.rfactor(r.i.o, 1) -> part\n"
      "part.compute_at(c, x)\npart.set_scope(local)");
  ExpectMatmulKeepsTheMeaning("c.reorder(r, y, x)");
  ExpectMatmulKeepsTheMeaning("c.split(r, 4)\nc.reorder(r.o, y, r.i, x)");
  ExpectMatmulKeepsTheMeaning("c.split(r, 2)\nc.reorder(r.o, y, x, r.i)");
  const ConvolutionShape shape;
  ExpectKeepsTheMeaning(Convolution(shape),
                        "pad.compute_inline()\nbiased.compute_inline()\n"
                        "conv.fuse(ic.o, kh)\nconv.rfactor(ic.o.kh.f, 0)");
}

// The loops of a cache-blocked product: each block of the reduction adds
// register tiles to c in memory, the first one stores them.
TEST(PrimitivesTest, RFactorBlocksAReduction) {
  const char* kBlocked =
      "c.split(r, 4) -> ro, ri\n"
      "c.split(y, 2) -> yo, yi\n"
      "c.split(x, 8) -> xo, xi\n"
      "c.rfactor(ro, 0) -> tile\n"
      "c.reorder(ro, yo, xo, yi, xi)\n"
      "c.vectorize(xi)\n"
      "tile.set_scope(local)\n"
      "tile.compute_at(c, xo)\n"
      "tile.reorder(ro, ri, y, x)\n"
      "tile.unroll(y)\n"
      "tile.vectorize(x)\n";
  ExpectMatmulKeepsTheMeaning(kBlocked);
  const TestProgram program = Matmul(4, 8, 16);
  Schedule s(program.outputs);
  ASSERT_TRUE(s.Replay(*schedule::ParseSteps(kBlocked)).ok());
  const auto function = Lower(s, "f", program.inputs, program.outputs);
  ASSERT_TRUE(function.ok()) << function.status();
  EXPECT_EQ("\n" + tir::ToString(function->body), R"(
for ro in [0, 2) {
  for yo in [0, 2) {
    for xo in [0, 2) {
      alloc %tile: local float32[1,2,8]
      unrolled y in [0, 2) {
        vectorized x in [0, 8) {
          %tile[0, y, x] = 0f
        }
      }
      for ri in [0, 4) {
        unrolled y in [0, 2) {
          vectorized x in [0, 8) {
            %tile[0, y, x] = %tile[0, y, x] + %a[yo * 2 + y, ro * 4 + ri] * %b[ro * 4 + ri, xo * 8 + x]
          }
        }
      }
      if ro == 0 {
        for yi in [0, 2) {
          vectorized xi in [0, 8) {
            %c[yo * 2 + yi, xo * 8 + xi] = 0f + %tile[0, yi, xi]
          }
        }
      } else {
        for yi in [0, 2) {
          vectorized xi in [0, 8) {
            %c[yo * 2 + yi, xo * 8 + xi] = %c[yo * 2 + yi, xo * 8 + xi] + %tile[0, yi, xi]
          }
        }
      }
    }
  }
}
)");
}

}  // namespace
}  // namespace assay::lower
