// Compiled kernels against the interpreter, on this machine.

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/host_target.h"
#include "compiler/codegen/llvm/testing/conv_kernel.h"
#include "compiler/codegen/llvm/testing/differential.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::codegen {
namespace {

struct Program {
  const char* name;
  const char* text;
};

// gtest names and prints parameters by this.
void PrintTo(const Program& program, std::ostream* os) { *os << program.name; }

target::Target Parse(absl::string_view text) {
  const auto target = target::Target::Parse(text);
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

class ProgramTest : public ::testing::TestWithParam<Program> {};

// The least x86-64 has no instructions for rounding and fused multiplication,
// and half as wide vectors; at level 0 nothing is tidied up.
TEST_P(ProgramTest, ComputesWhatTheInterpreterComputes) {
  const auto f = tir::ParseFunction(GetParam().text);
  ASSERT_TRUE(f.ok()) << f.status();
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  EXPECT_TRUE(AgreesWithInterpreter(*f, *host, 3, /*seed=*/1));
  EXPECT_TRUE(AgreesWithInterpreter(*f, *host, 0, /*seed=*/2));
  if (host->arch() == target::Arch::kX86_64) {
    EXPECT_TRUE(AgreesWithInterpreter(
        *f, Parse("llvm -mtriple=x86_64-linux-gnu"), 3, /*seed=*/3));
  }
}

const Program kPrograms[] = {
    {"Scalar", R"(
func f(in %a: float32[40], in %b: float32[40], out %c: float32[40]) {
  for i in [0, 40) {
    %c[i] = (%a[i] + 2f) * %b[i] - %a[39 - i] / 3f
  }
})"},
    {"Vector", R"(
func f(in %a: float32[48], out %c: float32[48]) {
  for i in [0, 6) {
    %c[ramp(i * 8, 1, 8)] = max(%a[ramp(i * 8, 1, 8)], broadcast(0f, 8)) * broadcast(%a[i], 8)
  }
})"},
    {"OddLanes", R"(
func f(in %a: float32[30], out %c: float32[30]) {
  for i in [0, 10) {
    %c[ramp(i * 3, 1, 3)] = %a[ramp(i * 3, 1, 3)] + broadcast(1f, 3)
  }
})"},
    {"Strides", R"(
func f(in %a: float32[64], out %c: float32[64]) {
  %c[ramp(0, 1, 8)] = %a[ramp(3, 7, 8)]
  %c[ramp(15, -1, 8)] = %a[ramp(20, -1, 8)]
  %c[ramp(16, 2, 8)] = %a[ramp(63, -3, 8)]
  %c[ramp(17, 2, 8)] = %a[broadcast(5, 8)]
  for i in [0, 4) {
    %c[ramp(i * 8 + 32, 1, 8)] = %a[(ramp(i * 8, 1, 8) * broadcast(5, 8) + broadcast(i, 8)) % broadcast(64, 8)]
  }
})"},
    {"Gather", R"(
func f(in %a: float32[16], in %i: int32[32], out %c: float32[32], out %d: float32[4]) {
  for k in [0, 4) {
    %c[ramp(k * 8, 1, 8)] = %a[%i[ramp(k * 8, 1, 8)] % broadcast(16, 8)]
    %d[k] = %a[%i[k] % 16]
  }
})"},
    {"Scatter", R"(
func f(in %a: float32[16], out %c: float32[16]) {
  for k in [0, 2) {
    %c[(ramp(k * 8, 1, 8) * broadcast(5, 8) + broadcast(3, 8)) % broadcast(16, 8)] = %a[ramp(k * 8, 1, 8)]
  }
})"},
    {"Padding", R"(
func pad(in %a: float32[6,5], out %c: float32[80]) {
  for y in [0, 8) {
    for x in [0, 10) {
      %c[y * 10 + x] = select(1 <= y && y < 7 && 1 <= x && x < 6, 0.5f, 0f)
    }
  }
})"},
    {"ScalarSelectGuardsLoads", R"(
func pad(in %a: float32[30], out %c: float32[56]) {
  for y in [0, 8) {
    for x in [0, 7) {
      %c[y * 7 + x] = select(1 <= y && y < 7 && 1 <= x && x < 6, %a[(y - 1) * 5 + x - 1], 0f)
    }
  }
})"},
    {"UniformSelectGuardsVectorLoads", R"(
func pad(in %a: float32[48], out %c: float32[80]) {
  for y in [0, 10) {
    %c[ramp(y * 8, 1, 8)] = select(broadcast(2 <= y, 8) && broadcast(y < 8, 8), %a[ramp((y - 2) * 8, 1, 8)], broadcast(0f, 8))
  }
})"},
    {"ScalarConditionOfAVectorSelect", R"(
func pad(in %a: float32[48], out %c: float32[80]) {
  for y in [0, 10) {
    %c[ramp(y * 8, 1, 8)] = select(2 <= y && y < 8, %a[ramp((y - 2) * 8, 1, 8)], broadcast(0f, 8))
  }
})"},
    {"VectorSelectMasksLoads", R"(
func pad(in %a: float32[50], out %c: float32[64]) {
  for k in [0, 8) {
    %c[ramp(k * 8, 1, 8)] = select(broadcast(7, 8) <= ramp(k * 8, 1, 8) && ramp(k * 8, 1, 8) < broadcast(57, 8), %a[ramp(k * 8 - 7, 1, 8)], broadcast(-1f, 8))
  }
})"},
    {"VectorSelectMasksGathers", R"(
func pad(in %a: float32[20], out %c: float32[64]) {
  for k in [0, 8) {
    %c[ramp(k * 8, 1, 8)] = select(ramp(k * 8, 1, 8) < broadcast(20, 8), %a[ramp(19 - k * 8, -1, 8)], select(ramp(k * 8, 1, 8) < broadcast(27, 8), %a[ramp(k * 24 - 60, 3, 8)], broadcast(%a[0], 8)))
  }
})"},
    {"MaskedScalarLoad", R"(
func pad(in %a: float32[4], out %c: float32[64]) {
  for k in [0, 8) {
    %c[ramp(k * 8, 1, 8)] = select(ramp(k * 8, 1, 8) < broadcast(28, 8), broadcast(%a[k], 8), broadcast(9f, 8))
  }
})"},
    {"MatMul", R"(
func matmul(in %a: float32[91], in %b: float32[208], out %c: float32[112]) {
  parallel i in [0, 7) {
    for jo in [0, 2) {
      alloc %acc: local float32[8]
      %acc[ramp(0, 1, 8)] = broadcast(0f, 8)
      for k in [0, 13) {
        %acc[ramp(0, 1, 8)] = %acc[ramp(0, 1, 8)] + broadcast(%a[i * 13 + k], 8) * %b[ramp(k * 16 + jo * 8, 1, 8)]
      }
      %c[ramp(i * 16 + jo * 8, 1, 8)] = %acc[ramp(0, 1, 8)]
    }
  }
})"},
    {"LoopsLeftByThePasses", R"(
func f(in %a: float32[40], out %c: float32[40]) {
  for i in [0, 5) {
    vectorized j in [0, 4) {
      %c[i * 8 + j] = %a[i * 8 + j] * 2f
    }
    unrolled j in [4, +4) {
      pragma unroll_explicit 1 {
        %c[i * 8 + j] = %a[i * 8 + j] * 3f
      }
    }
  }
})"},
    {"TriangularLoops", R"(
func f(in %a: float32[10], out %c: float32[10]) {
  for i in [0, 10) {
    %c[i] = 0f
    for j in [i - 3, +min(i, 4)) {
      if 0 <= j {
        %c[i] = %c[i] + %a[j]
      }
    }
  }
})"},
    {"ParallelInsideASerialLoop", R"(
func f(in %a: float32[24], out %c: float32[24]) {
  alloc %t: global float32[24]
  for o in [0, 2) {
    for m in [3, +1) {
      parallel i in [o, +12) {
        %t[i - o + o * 12] = %a[o * 12 + i - o] + cast(float32, i * 100 + m)
      }
    }
    parallel i in [0, 12) {
      %c[o * 12 + i] = %t[o * 12 + 11 - i]
    }
  }
})"},
    {"Workspace", R"(
func f(in %a: float32[24], out %c: float32[24]) {
  alloc %t: global float32[24]
  for i in [0, 24) {
    %t[i] = %a[i] * 2f
  }
  parallel p in [0, 6) {
    alloc %u: global float32[4]
    for i in [0, 4) {
      %u[i] = %t[p * 4 + 3 - i]
    }
    for i in [0, 4) {
      %c[p * 4 + i] = %u[i] + %t[i]
    }
  }
})"},
    {"LargeLocalBuffer", R"(
func f(in %a: float32[4], out %c: float32[4]) {
  alloc %t: local float32[100000]
  for i in [0, 100000) {
    %t[i] = %a[i % 4] + cast(float32, i)
  }
  for i in [0, 4) {
    %c[i] = %t[i * 33333]
  }
})"},
    {"Branches", R"(
func f(in %a: float32[32], out %c: float32[32]) {
  for i in [0, 32) {
    if %a[i] < 0f || i == 7 {
      %c[i] = 0f - %a[i]
    } else {
      if i % 2 != 0 {
        %c[i] = %a[i] + 10f
      } else {
        %c[i] = %a[i]
      }
    }
  }
})"},
    {"FloorDivision", R"(
func f(in %a: int32[64], in %b: int32[64], out %c: int32[448], out %d: int32[64]) {
  for i in [0, 64) {
    %c[i * 7] = %a[i] / 4
    %c[i * 7 + 1] = %a[i] % 4
    %c[i * 7 + 2] = %a[i] / 7
    %c[i * 7 + 3] = %a[i] % 7
    %c[i * 7 + 4] = %a[i] / -7
    %c[i * 7 + 5] = %a[i] % -4
    %c[i * 7 + 6] = (i - 30) / 7 * 100 + (i - 30) % 7
    %d[i] = %a[i] / select(%b[i] == 0, 1, %b[i]) * 1000 + %a[i] % select(%b[i] == 0, 1, %b[i])
  }
})"},
    {"VectorFloorDivision", R"(
func f(in %a: int32[32], out %c: int32[64]) {
  for i in [0, 4) {
    %c[ramp(i * 8, 1, 8)] = %a[ramp(i * 8, 1, 8)] / broadcast(6, 8) + %a[ramp(i * 8, 1, 8)] % broadcast(6, 8) * broadcast(100, 8)
    %c[ramp(i * 8 + 32, 1, 8)] = ramp(i * 8 - 13, 1, 8) / broadcast(4, 8) * broadcast(10, 8) + ramp(i * 8 - 13, 1, 8) % broadcast(4, 8)
  }
})"},
    {"Integers", R"(
func f(in %a: int8[32], in %b: uint8[32], in %c: int64[32], out %d: int32[32], out %e: int64[32], out %g: uint8[32]) {
  for i in [0, 32) {
    %d[i] = cast(int32, %a[i]) * cast(int32, %b[i]) + max(cast(int32, %a[i]), -5)
    %e[i] = min(%c[i], 7i64) / 3i64 - cast(int64, %a[i] < 3i8)
    %g[i] = select(%b[i] < 100u8, %b[i] / 3u8, max(%b[i] % 7u8, 2u8))
  }
})"},
    {"Casts", R"(
func f(in %a: float32[32], in %i: int32[32], out %c: int32[32], out %d: float64[32], out %e: float32[32], out %b: bool[32]) {
  for k in [0, 4) {
    %c[ramp(k * 8, 1, 8)] = cast(int32x8, %a[ramp(k * 8, 1, 8)])
    %d[ramp(k * 8, 1, 8)] = cast(float64x8, %a[ramp(k * 8, 1, 8)])
    %e[ramp(k * 8, 1, 8)] = cast(float32x8, %i[ramp(k * 8, 1, 8)])
    %b[ramp(k * 8, 1, 8)] = cast(boolx8, %i[ramp(k * 8, 1, 8)])
  }
})"},
    {"Bool", R"(
func f(in %a: bool[16], in %x: float32[16], out %b: bool[16], out %c: bool[16]) {
  for i in [0, 16) {
    %b[i] = !%a[i] || %x[i] < 0f
  }
  for i in [0, 2) {
    %c[ramp(i * 8, 1, 8)] = %a[ramp(i * 8, 1, 8)] && %x[ramp(i * 8, 1, 8)] <= broadcast(1f, 8)
  }
})"},
    {"Intrinsics", R"(
func f(in %a: float32[32], in %b: float32[32], out %c: float32[256], out %d: int32[32]) {
  for i in [0, 4) {
    %c[ramp(i * 64, 1, 8)] = sqrt(abs(%a[ramp(i * 8, 1, 8)]))
    %c[ramp(i * 64 + 8, 1, 8)] = floor(%a[ramp(i * 8, 1, 8)])
    %c[ramp(i * 64 + 16, 1, 8)] = ceil(%a[ramp(i * 8, 1, 8)])
    %c[ramp(i * 64 + 24, 1, 8)] = round(%a[ramp(i * 8, 1, 8)] * broadcast(0.5f, 8))
    %c[ramp(i * 64 + 32, 1, 8)] = fma(%a[ramp(i * 8, 1, 8)], %b[ramp(i * 8, 1, 8)], broadcast(0.1f, 8))
    %c[ramp(i * 64 + 40, 1, 8)] = reinterpret(float32x8, bitwise_and(reinterpret(int32x8, %a[ramp(i * 8, 1, 8)]), broadcast(-65536, 8)))
    %c[ramp(i * 64 + 48, 1, 8)] = reinterpret(float32x8, shift_left(ramp(100 + i, 1, 8), broadcast(23, 8)))
    %c[ramp(i * 64 + 56, 1, 8)] = min(%a[ramp(i * 8, 1, 8)], %b[ramp(i * 8, 1, 8)])
  }
  for i in [0, 32) {
    %d[i] = shift_right(i - 16, 2) + abs(i - 16)
  }
})"},
};

INSTANTIATE_TEST_SUITE_P(Programs, ProgramTest, ::testing::ValuesIn(kPrograms),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

TEST(CodegenTest, Convolutions) {
  const auto host = HostTarget();
  ASSERT_TRUE(host.ok()) << host.status();
  for (const int64_t kernel : {1, 3}) {
    for (const bool unroll : {false, true}) {
      ConvShape shape;
      shape.in_blocks = 2;
      shape.out_blocks = 2;
      shape.size = 6;
      shape.columns = 3;
      shape.kernel = kernel;
      shape.unroll = unroll;
      EXPECT_TRUE(AgreesWithInterpreter(ConvKernel(shape), *host, 3, 1))
          << kernel;
    }
  }
}

}  // namespace
}  // namespace assay::codegen
