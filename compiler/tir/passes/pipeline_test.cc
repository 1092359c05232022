#include "compiler/tir/passes/pipeline.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/tir/parser.h"
#include "compiler/tir/passes/pass_testing.h"
#include "compiler/tir/printer.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

Function Parse(absl::string_view text) {
  auto f = ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status() << "\n" << text;
  return f.ok() ? *std::move(f) : Function();
}

// A register tile of 2 pixels by 8 channels, the inner loops of a convolution.
TEST(LowerLoopsTest, RegisterTilesBecomeVectorsAtConstantAddresses) {
  const Function f = Parse(R"(
func tile(in %x: float32[4,2,16], in %w: float32[4,16,8], out %y: float32[4,2,8]) {
  parallel n in [0, 4) {
    alloc %acc: local float32[2,8]
    unrolled p in [0, 2) {
      vectorized c in [0, 8) {
        %acc[p, c] = 0f
      }
    }
    for k.o in [0, 8) {
      unrolled k.i in [0, 2) {
        unrolled p in [0, 2) {
          vectorized c in [0, 8) {
            %acc[p, c] = %acc[p, c] + %x[n, p, k.o * 2 + k.i] * %w[n, k.o * 2 + k.i, c]
          }
        }
      }
    }
    unrolled p in [0, 2) {
      vectorized c in [0, 8) {
        %y[n, p, c] = max(%acc[p, c], 0f)
      }
    }
  }
})");
  const Function lowered = LowerLoops(f);
  EXPECT_EQ(
      ToString(lowered),
      R"(func tile(in %x: float32[4,2,16], in %w: float32[4,16,8], out %y: float32[4,2,8]) {
  parallel n in [0, 4) {
    alloc %acc: local float32[2,8]
    %acc[ramp(0, 1, 8)] = broadcast(0f, 8)
    %acc[ramp(8, 1, 8)] = broadcast(0f, 8)
    for k.o in [0, 8) {
      %acc[ramp(0, 1, 8)] = %acc[ramp(0, 1, 8)] + broadcast(%x[n * 32 + k.o * 2], 8) * %w[ramp(n * 128 + k.o * 16, 1, 8)]
      %acc[ramp(8, 1, 8)] = %acc[ramp(8, 1, 8)] + broadcast(%x[n * 32 + k.o * 2 + 16], 8) * %w[ramp(n * 128 + k.o * 16, 1, 8)]
      %acc[ramp(0, 1, 8)] = %acc[ramp(0, 1, 8)] + broadcast(%x[n * 32 + k.o * 2 + 1], 8) * %w[ramp(n * 128 + k.o * 16 + 8, 1, 8)]
      %acc[ramp(8, 1, 8)] = %acc[ramp(8, 1, 8)] + broadcast(%x[n * 32 + k.o * 2 + 17], 8) * %w[ramp(n * 128 + k.o * 16 + 8, 1, 8)]
    }
    %y[ramp(n * 16, 1, 8)] = max(%acc[ramp(0, 1, 8)], broadcast(0f, 8))
    %y[ramp(n * 16 + 8, 1, 8)] = max(%acc[ramp(8, 1, 8)], broadcast(0f, 8))
  }
}
)");
  ExpectSameOutputs(f, lowered, /*seed=*/1);
}

TEST(LowerLoopsTest, ObserverSeesEveryPassInOrder) {
  const Function f = Parse(R"(
func f(in %a: float32[8], out %b: float32[8]) {
  vectorized i in [0, 8) {
    %b[i] = exp(%a[i])
  }
})");
  std::vector<std::string> seen;
  LowerLoops(f, target::TargetKind::kLlvm,
             [&](absl::string_view pass, bool changed, const Function&) {
               seen.push_back(absl::StrCat(pass, changed ? "*" : ""));
             });
  EXPECT_EQ(seen,
            (std::vector<std::string>{
                "simplify", "hoist_conditions", "loop_partition", "flatten",
                "vectorize*", "unroll", "simplify", "storage_rewrite",
                "lower_intrinsics*", "common_subexpressions"}));
}

// y = f(x w) with every combination of loop kinds, with factors that divide the
// extent and that do not, and with the reduction inside or outside of the tile.
std::string Program(int rows, int tile, const char* outer, const char* inner,
                    const char* reduce, bool reduce_inside) {
  const std::string row = absl::StrCat("o * ", tile, " + i");
  const std::string guard = absl::StrCat("if ", row, " < ", rows, " {\n");
  const std::string init =
      absl::StrCat(inner, " i in [0, ", tile, ") {\n%acc[i] = 0.5f\n}\n");
  const std::string k_loop = absl::StrCat(reduce, " k in [0, 5) {\n");
  const std::string i_loop =
      absl::StrCat(inner, " i in [0, ", tile, ") {\n", guard);
  const std::string update =
      absl::StrCat("%acc[i] = %acc[i] + %x[", row, ", k] * %w[k]\n");
  const std::string body =
      reduce_inside ? absl::StrCat(i_loop, k_loop, update, "}\n}\n}\n")
                    : absl::StrCat(k_loop, i_loop, update, "}\n}\n}\n");
  const int blocks = (rows + tile - 1) / tile;
  return absl::StrCat(
      "func f(in %x: float32[", rows,
      ",5], in %w: float32[5], out %y: float32[", rows, "]) {\n", outer,
      " o in [0, ", blocks, ") {\n", "alloc %acc: local float32[", tile, "]\n",
      init, body, i_loop, "%y[", row,
      "] = select(%acc[i] < 0f, 0f, min(%acc[i], 6f))\n", "}\n}\n}\n}\n");
}

TEST(LowerLoopsTest, KeepsResultsForAllLoopKinds) {
  const char* kinds[] = {"for", "unrolled", "vectorized"};
  int count = 0;
  for (int rows : {1, 7, 12}) {
    for (int tile : {1, 3, 4}) {
      for (const char* outer : {"for", "parallel", "unrolled"}) {
        for (const char* inner : kinds) {
          for (const char* reduce : {"for", "unrolled"}) {
            for (bool reduce_inside : {false, true}) {
              const Function f = Parse(
                  Program(rows, tile, outer, inner, reduce, reduce_inside));
              ExpectSameOutputs(f, LowerLoops(f), /*seed=*/++count);
              if (HasFatalFailure()) return;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(count, 324);
}

TEST(LowerLoopsDeathTest, RejectsInvalidProgram) {
  Function f = Parse("func f(out %b: float32[1]) {\n%b[0] = 1f\n}");
  f.outputs.clear();
  EXPECT_DEATH(LowerLoops(f), "`%b` is used outside its allocation");
}

// There is no expansion of erf for float64.
TEST(LowerLoopsDeathTest, FailedCheckNamesThePass) {
  const Function f = Parse(R"(
func f(in %a: float64[8], out %b: float64[8]) {
  for i in [0, 8) {
    %b[i] = erf(%a[i])
  }
})");
  EXPECT_DEATH(LowerLoops(f),
               "erf of float64\n  in loop pass `lower_intrinsics`\n$");
}

}  // namespace
}  // namespace assay::tir
