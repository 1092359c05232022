// Each primitive in typical schedules, on programs small enough to interpret:
// results are bitwise the same as without a schedule, before and after the tir
// passes, and the printed steps replay.
#include <gtest/gtest.h>

#include "compiler/lower/schedule_check.h"
#include "compiler/lower/test_programs.h"

namespace assay::lower {
namespace {

// Sizes that are divisible by tiles of 2, 3, 4 and 8, and sizes that are not.
void ExpectSameMatmul(const char* steps) {
  const int64_t shapes[][3] = {{8, 12, 16}, {7, 5, 9}, {1, 7, 1}, {5, 1, 3}};
  for (const auto& [n, k, m] : shapes) {
    ExpectSameResults(Matmul(n, k, m), steps);
  }
}

TEST(PrimitivesTest, SplitParts) {
  ExpectSameMatmul("c.split_parts(y, 3)\nc.split_parts(r, 2)");
  ExpectSameMatmul(
      "c.cache_write(local)\nc.split_parts(x, 4, "
      "shift_inwards)\nc.vectorize(x.i)\n"
      "c.local.compute_at(c, x.o)\nc.local.split_parts(x, 2)");
}

TEST(PrimitivesTest, CacheRead) {
  ExpectSameMatmul("b.cache_read(global, c)");
  // A panel of b, packed once for each block of the product.
  ExpectSameMatmul(
      "b.cache_read(global, c) -> panel\na.cache_read(local, c) -> column\n"
      "c.split(r, 4) -> ro, ri\nc.split(x, 8) -> xo, xi\n"
      "c.reorder(xo, ro, y, ri, xi)\nc.vectorize(xi)\n"
      "panel.compute_at(c, ro)\npanel.vectorize(i1)\n"
      "column.compute_at(c, y)");
  ExpectSameResults(Blur(9),
                    "b.cache_read(local, c)\nb.local.compute_at(c, i)\n"
                    "a.cache_read(global, b)");
}

TEST(PrimitivesTest, StorageAlign) {
  ExpectSameMatmul("c.cache_write(global)\nc.global.storage_align(y, 8, 3)");
  // Padding a single dimension cannot give these strides.
  const ConvolutionShape shape;
  ExpectSameResults(Convolution(shape),
                    "pad.storage_align(c, 16, 5)\n"
                    "pad.storage_align(h, 7, 0)\n"
                    "pad.compute_at(conv, oh)\n"
                    "conv.storage_align(n, 64, 0)");
  EXPECT_EQ(Lowered(Matmul(2, 3, 5),
                    "c.cache_write(global)\n"
                    "c.global.storage_align(y, 8, 3)"),
            R"(
alloc %c.global: global float32[2,11]
for y in [0, 2) {
  for x in [0, 5) {
    %c.global[y, x] = 0f
    for r in [0, 3) {
      %c.global[y, x] = %c.global[y, x] + %a[y, r] * %b[r, x]
    }
  }
}
for y in [0, 2) {
  for x in [0, 5) {
    %c[y, x] = %c.global[y, x]
  }
}
)");
}

TEST(PrimitivesTest, TransformLayout) {
  ExpectSameMatmul(
      "b.cache_read(global, c)\nb.global.transform_layout(i1/8, i0, i1%8)");
  ExpectSameMatmul(
      "c.cache_write(local)\nc.split(x, 4)\nc.local.compute_at(c, x.o)\n"
      "c.local.transform_layout(x%3, y, x/3)");
}

TEST(PrimitivesTest, DoubleBuffer) {
  ExpectSameMatmul(
      "b.cache_read(global, c)\nc.split(x, 4)\nc.reorder(x.o, y, r, x.i)\n"
      "b.global.compute_at(c, x.o)\nb.global.double_buffer()");
  EXPECT_EQ(Lowered(Chain(12),
                    "c.split(i, 4)\nb.compute_at(c, i.o)\n"
                    "b.set_scope(local)\nb.double_buffer()"),
            R"(
alloc %b: local float32[2,4]
for i in [0, 4) {
  %b[0, i] = %a[i] + 1f
}
for i.o in [0, 3) {
  if i.o < 2 {
    for i in [0, 4) {
      %b[(i.o + 1) % 2, i] = %a[i.o * 4 + i + 4] + 1f
    }
  }
  for i.i in [0, 4) {
    %c[i.o * 4 + i.i] = %b[i.o % 2, i.i] * 2f
  }
}
)");
}

TEST(PrimitivesTest, SkipsEmptyTiles) {
  const TestProgram program = Chain(10);
  const char* steps = "c.split(i, 6)\nc.split(i.i, 2)\nb.compute_at(c, i.i.o)";
  ExpectSameResults(program, steps);
  EXPECT_EQ(Lowered(program, steps), R"(
for i.o in [0, 2) {
  for i.i.o in [0, 3) {
    if i.o * 3 + i.i.o < 5 {
      alloc %b: global float32[2]
      for i in [0, 2) {
        %b[i] = %a[i + min(i.o * 6 + i.i.o * 2, 8)] + 1f
      }
      for i.i.i in [0, 2) {
        if i.o * 6 + i.i.o * 2 + i.i.i < 10 {
          %c[i.o * 6 + i.i.o * 2 + i.i.i] = %b[i.o * 6 + i.i.o * 2 + i.i.i - min(i.o * 6 + i.i.o * 2, 8)] * 2f
        }
      }
    }
  }
}
)");
}

// A strip of 7 elements of c in tiles of 3: the region of b for the last tile
// is shifted within the strip, not into the next one.
TEST(PrimitivesTest, ShiftsTilesWithinStrip) {
  const TestProgram chain = Chain(14);
  const te::Tensor c = chain.outputs[0];
  const te::Tensor d = te::Compute(
      {14}, "d", [&](const std::vector<expr::Expr>& i) { return c(i) + c(i); },
      "", {"i"});
  const TestProgram program = {chain.inputs, {d}};
  const char* steps =
      "d.split(i, 7)\nc.compute_at(d, i.o)\nc.split(i, 3)\n"
      "b.compute_at(c, i.o)";
  ExpectSameResults(program, steps);
  EXPECT_NE(Lowered(program, steps).find("%a[i + i.o * 7 + min(i.o_1 * 3, 4)]"),
            std::string::npos)
      << Lowered(program, steps);
}

TEST(PrimitivesTest, Prefetch) {
  ExpectSameMatmul(
      "c.reorder(r, y, x)\nc.prefetch(b, r, 2)\nc.prefetch(a, y, 1)");
  ExpectSameMatmul(
      "b.cache_read(global, c)\nb.global.transform_layout(i1/4, i0, i1%4)\n"
      "c.split(x, 4)\nc.reorder(x.o, y, r, x.i)\n"
      "c.prefetch(b.global, r, 1)");
  ExpectSameResults(Convolution(ConvolutionShape()),
                    "biased.compute_inline()\nconv.compute_at(out, ow)\n"
                    "pad.compute_at(out, oh)\nout.prefetch(data, oh, 1)");
  EXPECT_EQ(Lowered(Matmul(1, 8, 40),
                    "c.reorder(r, y, x)\nc.unroll(x)\n"
                    "c.prefetch(b, r, 2)"),
            R"(
unrolled x in [0, 40) {
  %c[0, x] = 0f
}
for r in [0, 8) {
  unrolled p in [0, 3) {
    prefetch %b[min(r + 2, 7), p * 16]
  }
  unrolled x in [0, 40) {
    %c[0, x] = %c[0, x] + %a[0, r] * %b[r, x]
  }
}
)");
}

// A cache line of 64 bytes contains four rows of four floats.
TEST(PrimitivesTest, PrefetchesEachCacheLineOfShortRowsOnce) {
  const auto prefetches = [](const TestProgram& program, const char* steps) {
    const std::string loops = Lowered(program, steps);
    const size_t end = loops.find("]\n", loops.find("prefetch"));
    return loops.substr(0, end + 2);
  };
  EXPECT_EQ(prefetches(Matmul(2, 8, 4), "c.prefetch(b, y, 1)"), R"(
for y in [0, 2) {
  unrolled p in [0, 2) {
    prefetch %b[p * 4, 0]
)");
  // Parts of rows are not adjacent.
  EXPECT_EQ(prefetches(Matmul(2, 3, 4),
                       "c.split(x, 2)\nc.reorder(x.o, y, x.i, r)\n"
                       "c.prefetch(b, x.o, 1)"),
            R"(
for x.o in [0, 2) {
  unrolled p in [0, 3) {
    prefetch %b[p, 2]
)");
  // Rows whose length does not divide a cache line.
  EXPECT_EQ(prefetches(Matmul(2, 3, 5), "c.prefetch(b, y, 1)"), R"(
for y in [0, 2) {
  unrolled p in [0, 3) {
    prefetch %b[p, 0]
)");
  // Many prefetches are not unrolled.
  EXPECT_EQ(prefetches(Matmul(2, 8, 256), "c.prefetch(b, y, 1)"), R"(
for y in [0, 2) {
  for p in [0, 8) {
    for p_1 in [0, 16) {
      prefetch %b[p, p_1 * 16]
)");
}

TEST(PrimitivesTest, VirtualThreads) {
  ExpectSameMatmul(
      "c.split_parts(x, 2)\nc.reorder(x.o, y, x.i)\nc.bind(x.o, vthread)");
  ExpectSameMatmul(
      "c.cache_write(local)\nc.split(x, 4)\nc.split(y, 2)\n"
      "c.reorder(y.o, x.o, y.i, x.i)\nc.bind(y.o, vthread)\n"
      "c.bind(x.o, vthread)\nc.local.compute_at(c, x.o)\n"
      "c.local.reorder(r, y, x)\nc.vectorize(x.i)\nc.local.vectorize(x)");
  ExpectSameMatmul("c.bind(y, vthread)\nc.parallel(x)");
  ExpectSameResults(Blur(20), "c.bind(i, vthread)\nb.compute_at(c, i)");
  // The copy of b does not depend on the thread, so it is shared.
  EXPECT_EQ(Lowered(Matmul(2, 3, 4),
                    "b.cache_read(local, c)\nc.cache_write(local)\n"
                    "c.bind(y, vthread)\nc.local.compute_at(c, y)\n"
                    "c.local.reorder(r, y, x)\nb.local.compute_at(c.local, r)"),
            R"(
alloc %c.local: local float32[2,1,4]
for x in [0, 4) {
  %c.local[0, 0, x] = 0f
  %c.local[1, 0, x] = 0f
}
for r in [0, 3) {
  alloc %b.local: local float32[1,4]
  for i1 in [0, 4) {
    %b.local[0, i1] = %b[r, i1]
  }
  for x in [0, 4) {
    %c.local[0, 0, x] = %c.local[0, 0, x] + %a[0, r] * %b.local[0, x]
    %c.local[1, 0, x] = %c.local[1, 0, x] + %a[1, r] * %b.local[0, x]
  }
}
for x in [0, 4) {
  %c[0, x] = %c.local[0, 0, x]
  %c[1, x] = %c.local[1, 0, x]
}
)");
}

TEST(PrimitivesTest, RFactor) {
  ExpectSameMatmul("c.rfactor(r, 0)");
  ExpectSameMatmul("c.split(r, 4)\nc.rfactor(r.o, 0)");
  ExpectSameMatmul("c.split(r, 4)\nc.rfactor(r.i, 2)");
  ExpectSameMatmul(
      "c.split(r, 4)\nc.split(r.i, 3)\nc.rfactor(r.i.o, 1) -> part\n"
      "part.compute_at(c, x)\npart.set_scope(local)");
  ExpectSameMatmul("c.reorder(r, y, x)");
  ExpectSameMatmul("c.split(r, 4)\nc.reorder(r.o, y, r.i, x)");
  ExpectSameMatmul("c.split(r, 2)\nc.reorder(r.o, y, x, r.i)");
  const ConvolutionShape shape;
  ExpectSameResults(Convolution(shape),
                    "pad.compute_inline()\nbiased.compute_inline()\n"
                    "conv.fuse(ic.o, kh)\nconv.rfactor(ic.o.kh.f, 0)");
}

// The loops of a cache-blocked product: each block of the reduction adds
// register tiles to c in memory; the first block stores them.
TEST(PrimitivesTest, RFactorBlocksReduction) {
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
  ExpectSameMatmul(kBlocked);
  EXPECT_EQ(Lowered(Matmul(4, 8, 16), kBlocked), R"(
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
