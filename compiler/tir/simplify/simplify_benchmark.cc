// Time of Simplify on its two main inputs in LowerLoops: the loop nest of a
// padded convolution as lowered, and its inner loops after unrolling, which
// contain most of the expressions of a kernel.
#include "benchmark/benchmark.h"
#include "compiler/tir/parser.h"
#include "compiler/tir/passes/flatten.h"
#include "compiler/tir/passes/unroll.h"
#include "compiler/tir/passes/vectorize.h"
#include "compiler/tir/simplify/simplify.h"
#include "runtime/base/check.h"

namespace assay::tir {
namespace {

constexpr char kConv[] = R"(
func conv(in %x: float32[1,8,56,56,8], in %w: float32[16,8,3,3,8,8], out %y: float32[1,16,28,28,8]) {
  alloc %pad: global float32[1,8,57,57,8]
  parallel f in [0, 456) {
    for i3 in [0, 57) {
      vectorized i4 in [0, 8) {
        %pad[0, f / 57, f % 57, i3, i4] = select(1 <= f % 57 && f % 57 < 57 && 1 <= i3 && i3 < 57, %x[0, f / 57, f % 57 - 1, i3 - 1, i4], 0f)
      }
    }
  }
  parallel f in [0, 448) {
    for o in [0, 3) {
      alloc %acc: local float32[1,1,1,14,8]
      unrolled p in [0, 14) {
        vectorized c in [0, 8) {
          %acc[0, 0, 0, min(o * 14, 14) + p - min(o * 14, 14), c] = 0f
        }
      }
      for k in [0, 8) {
        for h in [0, 3) {
          for v in [0, 3) {
            for i in [0, 8) {
              unrolled p in [0, 14) {
                vectorized c in [0, 8) {
                  %acc[0, 0, 0, p, c] = %acc[0, 0, 0, p, c] + %pad[0, k, f % 28 * 2 + h, (min(o * 14, 14) + p) * 2 + v, i] * %w[f / 28, k, h, v, i, c]
                }
              }
            }
          }
        }
      }
      unrolled p in [0, 14) {
        vectorized c in [0, 8) {
          if min(o * 14, 14) + p < 28 && f / 28 < 16 {
            %y[0, f / 28, f % 28, min(o * 14, 14) + p, c] = max(%acc[0, 0, 0, min(o * 14, 14) + p - min(o * 14, 14), c], 0f)
          }
        }
      }
    }
  }
})";

Stmt Conv() {
  const auto f = ParseFunction(kConv);
  CHECK(f.ok()) << f.status();
  return f->body;
}

void BM_SimplifyLowered(benchmark::State& state) {
  const Stmt conv = Conv();
  for (auto _ : state) benchmark::DoNotOptimize(Simplify(conv));
}
BENCHMARK(BM_SimplifyLowered);

void BM_SimplifyUnrolled(benchmark::State& state) {
  const Stmt conv = Unroll(Vectorize(Flatten(Conv())));
  for (auto _ : state) benchmark::DoNotOptimize(Simplify(conv));
}
BENCHMARK(BM_SimplifyUnrolled);

}  // namespace
}  // namespace assay::tir

BENCHMARK_MAIN();
