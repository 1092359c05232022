// Programs with many schedules compute the same as plain C++ loops. Inputs are
// small integers, so every sum is exact in any order and results are compared
// bitwise, for the loops as lowered and after the tir passes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "compiler/lower/lower.h"
#include "compiler/lower/schedule_check.h"
#include "compiler/lower/test_programs.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tir/passes/pipeline.h"
#include "compiler/tir/printer.h"
#include "runtime/base/ndarray.h"
#include "runtime/base/random.h"

namespace assay::lower {
namespace {

using schedule::Axis;
using schedule::Schedule;
using schedule::Stage;
using schedule::Tail;
using Values = absl::Span<const float>;

// Runs the loops of the schedule as lowered and after LowerLoops; expects
// `expected` from both.
void ExpectComputes(const TestProgram& program, const Schedule& schedule,
                    const std::vector<NDArray>& inputs,
                    const NDArray& expected) {
  SCOPED_TRACE(schedule.ToString());
  const auto loops = Lower(schedule, "f", program.inputs, program.outputs);
  ASSERT_TRUE(loops.ok()) << loops.status();
  for (const tir::Function& f : {*loops, tir::LowerLoops(*loops)}) {
    EXPECT_TRUE(BitwiseEqual(RunFunction(f, inputs)[0], expected))
        << tir::ToString(f);
  }
}

NDArray ExpectedMatmul(const std::vector<NDArray>& inputs) {
  const int64_t n = inputs[0].shape()[0], k = inputs[0].shape()[1];
  const int64_t m = inputs[1].shape()[1];
  const Values a = inputs[0].data<float>(), b = inputs[1].data<float>();
  NDArray c(DType::Float32(), {n, m});
  for (int64_t y = 0; y < n; ++y) {
    for (int64_t x = 0; x < m; ++x) {
      for (int64_t r = 0; r < k; ++r) {
        c.data<float>()[y * m + x] += a[y * k + r] * b[r * m + x];
      }
    }
  }
  return c;
}

// The convolution by its definition, without a padded copy.
NDArray ExpectedConvolution(const ConvolutionShape& s,
                            const std::vector<NDArray>& inputs) {
  const int64_t size = s.OutputSize(), b = s.block;
  const Values data = inputs[0].data<float>();
  const Values weight = inputs[1].data<float>();
  const Values bias = inputs[2].data<float>();
  NDArray out(DType::Float32(), {s.batch, s.channels, size, size, b});
  auto value = [&](int64_t n, int64_t oc, int64_t y, int64_t x, int64_t o) {
    float sum = bias[oc * b + o];
    for (int64_t ic = 0; ic < s.channels; ++ic) {
      for (int64_t kh = 0; kh < s.kernel; ++kh) {
        for (int64_t kw = 0; kw < s.kernel; ++kw) {
          const int64_t h = y * s.stride + kh - s.padding;
          const int64_t w = x * s.stride + kw - s.padding;
          if (h < 0 || h >= s.size || w < 0 || w >= s.size) continue;
          for (int64_t i = 0; i < b; ++i) {
            sum +=
                data[(((n * s.channels + ic) * s.size + h) * s.size + w) * b +
                     i] *
                weight[((((oc * s.channels + ic) * s.kernel + kh) * s.kernel +
                         kw) *
                            b +
                        i) *
                           b +
                       o];
          }
        }
      }
    }
    return sum;
  };
  int64_t at = 0;
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t oc = 0; oc < s.channels; ++oc) {
      for (int64_t y = 0; y < size; ++y) {
        for (int64_t x = 0; x < size; ++x) {
          for (int64_t o = 0; o < b; ++o, ++at) {
            float sum = value(n, oc, y, x, o);
            if (s.residual) sum += inputs[3].data<float>()[at];
            out.data<float>()[at] = std::max(sum, 0.0f);
          }
        }
      }
    }
  }
  return out;
}

TEST(LowerDifferentialTest, MatmulWithManySchedules) {
  const char* schedules[] = {
      "",
      "c.split(y, 4)\nc.split(x, 3)\nc.reorder(y.o, x.o, y.i, x.i)",
      "c.split(r, 4)\nc.reorder(y, r.o, x, r.i)\nc.unroll(r.i)",
      "c.fuse(y, x)\nc.parallel(y.x.f)",
      "c.split(x, 8)\nc.reorder(y, x.o, r, x.i)\nc.vectorize(x.i)",
      "c.split(x, 8)\nc.split(x.i, 3)\nc.reorder(r, y, x.o)\nc.unroll(x.i.i)",
      "c.fuse(y, x) -> f\nc.split(f, 4)\nc.reorder(f.o, r, f.i)\n"
      "c.parallel(f.o)\nc.vectorize(f.i)",
      "c.cache_write(local)\nc.split(y, 2, shift_inwards)\nc.split(x, 4, "
      "shift_inwards)\n"
      "c.reorder(y.o, x.o, y.i, x.i)\nc.parallel(y.o)\nc.vectorize(x.i)\n"
      "c.local.compute_at(c, x.o)\nc.local.split(r, 2)\n"
      "c.local.reorder(r.o, r.i, y, x)\nc.local.unroll(y)\n"
      "c.local.vectorize(x)\nc.local.unroll(r.i)",
      "c.cache_write(global)\nc.split(x, 4)\nc.global.compute_at(c, x.o)",
  };
  const int64_t shapes[][3] = {{8, 8, 8}, {7, 5, 9}, {1, 3, 2}, {5, 1, 1}};
  uint64_t seed = 100;
  for (const char* steps : schedules) {
    for (const auto& [n, k, m] : shapes) {
      const TestProgram program = Matmul(n, k, m);
      Schedule s(program.outputs);
      ASSERT_TRUE(s.Replay(*schedule::ParseSteps(steps)).ok()) << steps;
      const std::vector<NDArray> inputs = MakeInputs(program, ++seed);
      ExpectComputes(program, s, inputs, ExpectedMatmul(inputs));
    }
  }
}

TEST(LowerDifferentialTest, StencilWithEveryTileSize) {
  for (int64_t n : {1, 2, 5, 8, 13}) {
    for (int64_t tile = 1; tile <= 9; tile += 2) {
      for (Tail tail : {Tail::kGuardWithIf, Tail::kShiftInwards}) {
        const TestProgram program = Blur(n);
        Schedule s(program.outputs);
        Stage& c = s[program.outputs[0]];
        const auto [outer, inner] = c.Split(c.axis(0), tile, tail);
        c.Parallel(outer).Vectorize(inner);
        s.Find("b")->SetScope(expr::Scope::kLocal).ComputeAt(c, outer);
        const std::vector<NDArray> inputs = MakeInputs(program, n);
        const Values a = inputs[0].data<float>();
        NDArray expected(DType::Float32(), {n});
        for (int64_t i = 0; i < n; ++i) {
          for (int64_t k = i; k < i + 3; ++k) {
            expected.data<float>()[i] += a[k] * a[k];
          }
        }
        ExpectComputes(program, s, inputs, expected);
      }
    }
  }
}

// How the padding of the convolution is computed.
enum class PadAt { kRoot, kRow, kTile, kReduceAxis, kInline };

struct ConvolutionSchedule {
  int64_t tile = 3;
  Tail tail = Tail::kGuardWithIf;
  PadAt pad = PadAt::kRoot;
};

// The schedule of the convolution templates, in its variants.
void ScheduleConvolution(Schedule& s, const TestProgram& program,
                         const ConvolutionSchedule& options) {
  s.Find("biased")->ComputeInline();
  Stage& out = s[program.outputs[0]];
  Stage& conv = *s.Find("conv");
  Stage& pad = *s.Find("pad");
  const Axis rows = out.Fuse({out.axis(0), out.axis(1), out.axis(2)});
  const auto [ow_o, ow_i] = out.Split(out.axis(3), options.tile, options.tail);
  out.Parallel(rows).Unroll(ow_i).Vectorize(out.axis(4));
  conv.SetScope(expr::Scope::kLocal).ComputeAt(out, ow_o);
  conv.Reorder({conv.reduce_axis(0), conv.reduce_axis(1), conv.reduce_axis(2),
                conv.reduce_axis(3), conv.axis(3), conv.axis(4)});
  conv.Unroll(conv.axis(3)).Unroll(conv.reduce_axis(2));
  conv.Vectorize(conv.axis(4));
  switch (options.pad) {
    case PadAt::kRoot:
      pad.Parallel(pad.Fuse({pad.axis(0), pad.axis(1), pad.axis(2)}));
      break;
    case PadAt::kRow:
      pad.ComputeAt(out, rows);
      break;
    case PadAt::kTile:
      pad.SetScope(expr::Scope::kLocal).ComputeAt(out, ow_o);
      break;
    case PadAt::kReduceAxis:
      pad.ComputeAt(conv, conv.reduce_axis(1));
      break;
    case PadAt::kInline:
      pad.ComputeInline();
      return;
  }
  pad.Vectorize(pad.axis(4));
}

TEST(LowerDifferentialTest, ConvolutionWithTemplateSchedules) {
  Rng rng(2024);
  const PadAt kPads[] = {PadAt::kRoot, PadAt::kRow, PadAt::kTile,
                         PadAt::kReduceAxis, PadAt::kInline};
  for (int round = 0; round < 20; ++round) {
    ConvolutionShape shape;
    shape.batch = rng.UniformInt(1, 2);
    shape.channels = rng.UniformInt(1, 2);
    shape.size = rng.UniformInt(3, 7);
    shape.block = rng.UniformInt(2, 4);
    shape.kernel = rng.UniformInt(1, 3);
    shape.stride = rng.UniformInt(1, 2);
    shape.padding = rng.UniformInt(0, 1);
    shape.residual = rng.UniformInt(0, 1) == 1;
    ConvolutionSchedule options;
    options.tile = rng.UniformInt(1, 5);
    options.tail =
        rng.UniformInt(0, 1) == 0 ? Tail::kGuardWithIf : Tail::kShiftInwards;
    options.pad = kPads[round % 5];
    const TestProgram program = Convolution(shape);
    Schedule s(program.outputs);
    ScheduleConvolution(s, program, options);
    ASSERT_TRUE(s.status().ok()) << s.status();
    const std::vector<NDArray> inputs = MakeInputs(program, round);
    ExpectComputes(program, s, inputs, ExpectedConvolution(shape, inputs));
  }
}

TEST(LowerDifferentialTest, ConvolutionWithoutSteps) {
  ConvolutionShape shape;
  shape.residual = true;
  const TestProgram program = Convolution(shape);
  const std::vector<NDArray> inputs = MakeInputs(program, 1);
  ExpectComputes(program, Schedule(program.outputs), inputs,
                 ExpectedConvolution(shape, inputs));
}

}  // namespace
}  // namespace assay::lower
