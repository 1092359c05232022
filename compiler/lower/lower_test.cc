// The loops generated for each primitive, as text. Results are tested by
// lower_differential_test.
#include "compiler/lower/lower.h"

#include <gtest/gtest.h>

#include "compiler/lower/test_programs.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/printer.h"

namespace assay::lower {
namespace {

using schedule::ParseSteps;
using schedule::Schedule;

// The body of the function with a schedule, or the error message.
std::string Lowered(const TestProgram& program, const char* steps) {
  Schedule schedule(program.outputs);
  const auto parsed = ParseSteps(steps);
  EXPECT_TRUE(parsed.ok()) << parsed.status();
  const absl::Status status = schedule.Replay(*parsed);
  EXPECT_TRUE(status.ok()) << status;
  const absl::StatusOr<tir::Function> function =
      Lower(schedule, "f", program.inputs, program.outputs);
  if (!function.ok()) return std::string(function.status().message());
  return "\n" + tir::ToString(function->body);
}

TEST(LowerTest, StagesAreAtRootByDefault) {
  EXPECT_EQ(Lowered(Chain(10), ""), R"(
alloc %b: global float32[10]
for i in [0, 10) {
  %b[i] = %a[i] + 1f
}
for i in [0, 10) {
  %c[i] = %b[i] * 2f
}
)");
}

TEST(LowerTest, SplitByDivisor) {
  EXPECT_EQ(Lowered(Chain(12), "b.compute_inline()\nc.split(i, 4)"), R"(
for i.o in [0, 3) {
  for i.i in [0, 4) {
    %c[i.o * 4 + i.i] = (%a[i.o * 4 + i.i] + 1f) * 2f
  }
}
)");
}

TEST(LowerTest, SplitGuardsLastTile) {
  EXPECT_EQ(Lowered(Chain(10), "b.compute_inline()\nc.split(i, 4)"), R"(
for i.o in [0, 3) {
  for i.i in [0, 4) {
    if i.o * 4 + i.i < 10 {
      %c[i.o * 4 + i.i] = (%a[i.o * 4 + i.i] + 1f) * 2f
    }
  }
}
)");
}

TEST(LowerTest, SplitShiftsLastTileInwards) {
  EXPECT_EQ(
      Lowered(Chain(10), "b.compute_inline()\nc.split(i, 4, shift_inwards)"),
      R"(
for i.o in [0, 3) {
  for i.i in [0, 4) {
    %c[i.i + min(i.o * 4, 6)] = (%a[i.i + min(i.o * 4, 6)] + 1f) * 2f
  }
}
)");
}

TEST(LowerTest, SplitByMoreThanExtentGivesOneTile) {
  EXPECT_EQ(Lowered(Chain(3), "b.compute_inline()\nc.split(i, 8)"), R"(
for i.i in [0, 3) {
  %c[i.i] = (%a[i.i] + 1f) * 2f
}
)");
}

TEST(LowerTest, SplitOfSplitGuardsBoth) {
  EXPECT_EQ(Lowered(Chain(10),
                    "b.compute_inline()\n"
                    "c.split(i, 4)\n"
                    "c.split(i.i, 3)"),
            R"(
for i.o in [0, 3) {
  for i.i.o in [0, 2) {
    for i.i.i in [0, 3) {
      if i.i.o * 3 + i.i.i < 4 && i.o * 4 + i.i.o * 3 + i.i.i < 10 {
        %c[i.o * 4 + i.i.o * 3 + i.i.i] = (%a[i.o * 4 + i.i.o * 3 + i.i.i] + 1f) * 2f
      }
    }
  }
}
)");
}

TEST(LowerTest, FuseGivesOneLoop) {
  EXPECT_EQ(Lowered(Matmul(3, 4, 5), "c.fuse(y, x)"), R"(
for y.x.f in [0, 15) {
  %c[y.x.f / 5, y.x.f % 5] = 0f
  for r in [0, 4) {
    %c[y.x.f / 5, y.x.f % 5] = %c[y.x.f / 5, y.x.f % 5] + %a[y.x.f / 5, r] * %b[r, y.x.f % 5]
  }
}
)");
}

TEST(LowerTest, ReductionWithInnerDataLoopsInitializesInPlace) {
  EXPECT_EQ(Lowered(Matmul(3, 4, 5), "c.reorder(y, r, x)"), R"(
for y in [0, 3) {
  for r in [0, 4) {
    if r == 0 {
      for x in [0, 5) {
        %c[y, x] = 0f + %a[y, 0] * %b[0, x]
      }
    } else {
      for x in [0, 5) {
        %c[y, x] = %c[y, x] + %a[y, r] * %b[r, x]
      }
    }
  }
}
)");
  EXPECT_EQ(Lowered(Matmul(3, 4, 5), "c.reorder(r, y, x)"), R"(
for r in [0, 4) {
  if r == 0 {
    for y in [0, 3) {
      for x in [0, 5) {
        %c[y, x] = 0f + %a[y, 0] * %b[0, x]
      }
    }
  } else {
    for y in [0, 3) {
      for x in [0, 5) {
        %c[y, x] = %c[y, x] + %a[y, r] * %b[r, x]
      }
    }
  }
}
)");
}

TEST(LowerTest, ReduceSplitIsGuardedInUpdateOnly) {
  EXPECT_EQ(Lowered(Matmul(3, 4, 5),
                    "c.split(r, 3)\n"
                    "c.split(x, 2)\n"
                    "c.reorder(r.o, x.o, r.i, x.i)"),
            R"(
for y in [0, 3) {
  for r.o in [0, 2) {
    for x.o in [0, 3) {
      if r.o == 0 {
        for x.i in [0, 2) {
          if x.o * 2 + x.i < 5 {
            %c[y, x.o * 2 + x.i] = 0f
          }
        }
      }
      for r.i in [0, 3) {
        if r.o * 3 + r.i < 4 {
          for x.i in [0, 2) {
            if x.o * 2 + x.i < 5 {
              %c[y, x.o * 2 + x.i] = %c[y, x.o * 2 + x.i] + %a[y, r.o * 3 + r.i] * %b[r.o * 3 + r.i, x.o * 2 + x.i]
            }
          }
        }
      }
    }
  }
}
)");
}

TEST(LowerTest, LoopKindsAndPragmas) {
  EXPECT_EQ(Lowered(Matmul(3, 4, 8),
                    "c.reorder(y, r, x)\n"
                    "c.parallel(y)\n"
                    "c.unroll(r)\n"
                    "c.vectorize(x)\n"
                    "c.pragma(r, auto_unroll_max_step, 16)"),
            R"(
parallel y in [0, 3) {
  vectorized x in [0, 8) {
    %c[y, x] = 0f
  }
  pragma auto_unroll_max_step 16 {
    unrolled r in [0, 4) {
      vectorized x in [0, 8) {
        %c[y, x] = %c[y, x] + %a[y, r] * %b[r, x]
      }
    }
  }
}
)");
}

TEST(LowerTest, ComputeAtComputesRequiredRegion) {
  EXPECT_EQ(Lowered(Blur(8), "b.compute_at(c, i)"), R"(
for i in [0, 8) {
  alloc %b: global float32[3]
  for i_1 in [0, 3) {
    %b[i_1] = %a[i_1 + i] * %a[i_1 + i]
  }
  %c[i] = %b[0] + %b[1] + %b[2]
}
)");
}

TEST(LowerTest, ComputeAtTileWithHalo) {
  EXPECT_EQ(Lowered(Blur(8),
                    "c.split(i, 4)\n"
                    "b.set_scope(local)\n"
                    "b.compute_at(c, i.o)"),
            R"(
for i.o in [0, 2) {
  alloc %b: local float32[6]
  for i in [0, 6) {
    %b[i] = %a[i + i.o * 4] * %a[i + i.o * 4]
  }
  for i.i in [0, 4) {
    %c[i.o * 4 + i.i] = %b[i.i] + %b[i.i + 1] + %b[i.i + 2]
  }
}
)");
}

TEST(LowerTest, RegionsBeyondTensorAreShiftedInwards) {
  EXPECT_EQ(Lowered(Blur(7),
                    "c.split(i, 4)\n"
                    "b.set_scope(local)\n"
                    "b.compute_at(c, i.o)"),
            R"(
for i.o in [0, 2) {
  alloc %b: local float32[6]
  for i in [0, 6) {
    %b[i] = %a[i + min(i.o * 4, 3)] * %a[i + min(i.o * 4, 3)]
  }
  for i.i in [0, 4) {
    if i.o * 4 + i.i < 7 {
      %c[i.o * 4 + i.i] = %b[i.o * 4 + i.i - min(i.o * 4, 3)] + %b[i.o * 4 + i.i - min(i.o * 4, 3) + 1] + %b[i.o * 4 + i.i - min(i.o * 4, 3) + 2]
    }
  }
}
)");
}

TEST(LowerTest, ComputeAtWithSplitsOfProducer) {
  EXPECT_EQ(Lowered(Blur(8),
                    "c.split(i, 4)\n"
                    "b.compute_at(c, i.o)\n"
                    "b.split(i, 2)\n"
                    "b.vectorize(i.i)"),
            R"(
for i.o in [0, 2) {
  alloc %b: global float32[6]
  for i.o_1 in [0, 3) {
    vectorized i.i in [0, 2) {
      %b[i.o_1 * 2 + i.i] = %a[i.o * 4 + i.o_1 * 2 + i.i] * %a[i.o * 4 + i.o_1 * 2 + i.i]
    }
  }
  for i.i in [0, 4) {
    %c[i.o * 4 + i.i] = %b[i.i] + %b[i.i + 1] + %b[i.i + 2]
  }
}
)");
}

TEST(LowerTest, CacheWriteToLocalMemory) {
  EXPECT_EQ(Lowered(Matmul(3, 4, 5),
                    "c.cache_write(local)\n"
                    "c.local.compute_at(c, y)\n"
                    "c.local.reorder(r, x)"),
            R"(
for y in [0, 3) {
  alloc %c.local: local float32[1,5]
  for x in [0, 5) {
    %c.local[0, x] = 0f
  }
  for r in [0, 4) {
    for x in [0, 5) {
      %c.local[0, x] = %c.local[0, x] + %a[y, r] * %b[r, x]
    }
  }
  for x in [0, 5) {
    %c[y, x] = %c.local[0, x]
  }
}
)");
}

TEST(LowerTest, ReductionToScalar) {
  EXPECT_EQ(Lowered(MaxOfAll(4, 5), ""), R"(
%c[] = -inff
for y in [0, 4) {
  for x in [0, 5) {
    %c[] = max(%c[], %a[y, x])
  }
}
)");
}

// Accumulators in local memory, epilogue per tile, padding per row.
TEST(LowerTest, BlockedConvolution) {
  ConvolutionShape shape;
  shape.channels = 1;
  shape.size = 6;
  EXPECT_EQ(Lowered(Convolution(shape),
                    "biased.compute_inline()\n"
                    "out.fuse(n, oc.o) -> n.oc.o.f\n"
                    "out.fuse(n.oc.o.f, oh) -> rows\n"
                    "out.split(ow, 3)\n"
                    "out.parallel(rows)\n"
                    "out.unroll(ow.i)\n"
                    "out.vectorize(oc.i)\n"
                    "conv.set_scope(local)\n"
                    "conv.compute_at(out, ow.o)\n"
                    "conv.reorder(ic.o, kh, kw, ic.i, ow, oc.i)\n"
                    "conv.unroll(ow)\n"
                    "conv.vectorize(oc.i)\n"
                    "pad.compute_at(out, rows)\n"
                    "pad.vectorize(ci)"),
            R"(
parallel rows in [0, 6) {
  alloc %pad: global float32[1,1,3,8,4]
  for h in [0, 3) {
    for w in [0, 8) {
      vectorized ci in [0, 4) {
        %pad[0, 0, h, w, ci] = select(1 <= h + rows && h + rows < 7 && 1 <= w && w < 7, %data[0, 0, h + rows - 1, w - 1, ci], 0f)
      }
    }
  }
  for ow.o in [0, 2) {
    alloc %conv: local float32[1,1,1,3,4]
    unrolled ow in [0, 3) {
      vectorized oc.i in [0, 4) {
        %conv[0, 0, 0, ow, oc.i] = 0f
      }
    }
    for kh in [0, 3) {
      for kw in [0, 3) {
        for ic.i in [0, 4) {
          unrolled ow in [0, 3) {
            vectorized oc.i in [0, 4) {
              %conv[0, 0, 0, ow, oc.i] = %conv[0, 0, 0, ow, oc.i] + %pad[0, 0, kh, ow + kw + ow.o * 3, ic.i] * %weight[0, 0, kh, kw, ic.i, oc.i]
            }
          }
        }
      }
    }
    unrolled ow.i in [0, 3) {
      vectorized oc.i in [0, 4) {
        %out[0, 0, rows, ow.o * 3 + ow.i, oc.i] = max(%conv[0, 0, 0, ow.i, oc.i] + %bias[0, oc.i], 0f)
      }
    }
  }
}
)");
}

TEST(LowerTest, FunctionListsParametersInGivenOrder) {
  const TestProgram p = Matmul(3, 4, 5);
  const absl::StatusOr<tir::Function> function =
      Lower(Schedule(p.outputs), "mm", {p.inputs[1], p.inputs[0]}, p.outputs);
  ASSERT_TRUE(function.ok()) << function.status();
  const std::string text = tir::ToString(*function);
  EXPECT_EQ(text.substr(0, text.find('{')),
            "func mm(in %b: float32[4,5], in %a: float32[3,4], "
            "out %c: float32[3,5]) ");
}

TEST(LowerTest, ReturnsFirstErrorOfSchedule) {
  const TestProgram p = Chain(10);
  Schedule s(p.outputs);
  s[p.outputs[0]].Split(s[p.outputs[0]].axis(0), -1);
  EXPECT_EQ(Lower(s, "f", p.inputs, p.outputs).status(), s.status());
  EXPECT_FALSE(s.status().ok());
}

TEST(LowerTest, ReturnsErrorOfValidate) {
  EXPECT_EQ(Lowered(Chain(10), "b.set_scope(local)"),
            "stage `b`: is in local scope, which only a stage with compute_at "
            "can be");
}

TEST(LowerTest, GpuThreadsBecomePragmas) {
  EXPECT_EQ(Lowered(Chain(4), "b.compute_inline()\nc.bind(i, threadIdx.x)"), R"(
pragma bind_threadIdx_x 4 {
  for i in [0, 4) {
    %c[i] = (%a[i] + 1f) * 2f
  }
}
)");
  EXPECT_EQ(Lowered(Chain(4),
                    "b.compute_inline()\nc.env_threads(blockIdx.x)\n"
                    "c.store_predicate(threadIdx.y, 1)"),
            R"(
pragma env_blockIdx_x 0 {
  for i in [0, 4) {
    pragma store_threadIdx_y 1 {
      %c[i] = (%a[i] + 1f) * 2f
    }
  }
}
)");
}

TEST(LowerTest, ParametersMustMatchSchedule) {
  const TestProgram p = Matmul(3, 4, 5);
  const Schedule s(p.outputs);
  const te::Tensor a = p.inputs[0], b = p.inputs[1], c = p.outputs[0];
  auto error = [&](const std::vector<te::Tensor>& inputs,
                   const std::vector<te::Tensor>& outputs) {
    return std::string(Lower(s, "f", inputs, outputs).status().message());
  };
  EXPECT_EQ(error({a}, {c}),
            "function `f`: tensor `b` is read but not among the inputs");
  EXPECT_EQ(error({a, b, c}, {c}),
            "function `f`: tensor `c` is an input but not a placeholder");
  EXPECT_EQ(error({a, b}, {}),
            "function `f`: tensor `c` is missing among the outputs");
  EXPECT_EQ(error({a, b}, {c, a}),
            "function `f`: tensor `a` is not an output of the schedule");
  EXPECT_EQ(error({a, b, a}, {c}),
            "function `f`: tensor `a` is listed twice as a parameter");
}

TEST(LowerTest, RejectsTooManyElementsForIndices) {
  EXPECT_EQ(Lowered(Chain(int64_t{1} << 31), ""),
            "stage `c`: 2147483648 elements are too many for 32-bit indices");
}

}  // namespace
}  // namespace assay::lower
