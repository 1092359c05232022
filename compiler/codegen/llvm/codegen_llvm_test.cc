// Differential tests of compiled kernels against the interpreter, on the host.
#include "compiler/codegen/llvm/codegen_llvm.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "compiler/codegen/llvm/host_target.h"
#include "compiler/codegen/llvm/testing/differential.h"
#include "compiler/codegen/llvm/testing/programs.h"
#include "compiler/codegen/llvm/testing/run_kernel.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "compiler/tir/printer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/abi/abi.h"
#include "runtime/base/half.h"

namespace assay::codegen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kBaseline[] = "llvm -mtriple=x86_64-linux-gnu";

target::Target Parse(absl::string_view text) {
  const auto target = target::Target::Parse(text);
  EXPECT_TRUE(target.ok()) << target.status();
  return *target;
}

tir::Function ParseKernel(absl::string_view text) {
  const auto f = tir::ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status();
  return *f;
}

target::Target Host() {
  const auto host = HostTarget();
  EXPECT_TRUE(host.ok()) << host.status();
  return *host;
}

// Targets whose kernels run on the host. Baseline x86-64 has no instructions
// for rounding and fused multiply-add, and half the vector width.
std::vector<target::Target> RunnableTargets() {
  std::vector<target::Target> targets = {Host()};
  if (targets[0].arch() == target::Arch::kX86_64) {
    targets.push_back(Parse(kBaseline));
  }
  return targets;
}

std::vector<tir::Function> Programs() {
  const auto programs = LoadPrograms(kProgramsFile);
  EXPECT_TRUE(programs.ok()) << programs.status();
  return *programs;
}

TEST(CodegenTest, MatchesInterpreter) {
  for (const tir::Function& f : Programs()) {
    for (const target::Target& target : RunnableTargets()) {
      EXPECT_TRUE(AgreesWithInterpreter(f, target, 3, /*seed=*/1))
          << tir::ToString(f);
    }
    EXPECT_TRUE(AgreesWithInterpreter(f, Host(), 0, /*seed=*/2))
        << tir::ToString(f);
  }
}

// Compared bitwise, including special values.
TEST(CodegenTest, RoundingAndFmaAreExact) {
  const tir::Function f = ParseKernel(R"(
func f(in %x: float32[64], in %y: float32[64], in %z: float32[64],
       out %floor: float32[64], out %ceil: float32[64],
       out %round: float32[64], out %fma: float32[64]) {
  for i in [0, 8) {
    %floor[ramp(i * 8, 1, 8)] = floor(%x[ramp(i * 8, 1, 8)])
    %ceil[ramp(i * 8, 1, 8)] = ceil(%x[ramp(i * 8, 1, 8)])
    %round[ramp(i * 8, 1, 8)] = round(%x[ramp(i * 8, 1, 8)])
    %fma[ramp(i * 8, 1, 8)] = fma(%x[ramp(i * 8, 1, 8)], %y[ramp(i * 8, 1, 8)], %z[ramp(i * 8, 1, 8)])
  }
})");
  const float inf = std::numeric_limits<float>::infinity();
  std::vector<float> x = {0.f,    -0.f,       0.5f,        -0.5f,
                          1.5f,   -2.5f,      0.49999997f, -0.3f,
                          0.7f,   8388607.5f, -8388609.f,  3e9f,
                          -1e30f, inf,        -inf,        std::nanf("")};
  std::vector<float> y(64), z(64);
  x.resize(64);
  for (int i = 16; i < 64; ++i) x[i] = std::sin(i * 12.9898f) * 100;
  for (int i = 0; i < 64; ++i) {
    y[i] = 1 + std::cos(i * 78.233f) / 3;
    // Either nearly cancels the product, or is absorbed by it.
    z[i] = i % 2 == 0 ? -(x[i] * y[i]) : x[i] * 1e-8f;
  }
  for (const target::Target& target : RunnableTargets()) {
    const auto image = GenerateLlvm({f}, target, {});
    ASSERT_TRUE(image.ok()) << image.status();
    std::vector<NDArray> buffers = {NDArray::FromVector({64}, x),
                                    NDArray::FromVector({64}, y),
                                    NDArray::FromVector({64}, z)};
    for (int i = 0; i < 4; ++i)
      buffers.emplace_back(DType::Float32(), Shape{64});
    RuntimeLog log;
    const auto result = RunKernel(image->code, "f", buffers, log);
    ASSERT_TRUE(result.ok()) << result.status();
    const auto expect = [&](int output, int i, float expected) {
      const float actual = buffers[3 + output].data<float>()[i];
      if (std::isnan(expected) && std::isnan(actual)) return;
      EXPECT_EQ(actual, expected) << target << " " << output << " " << x[i];
      EXPECT_EQ(std::signbit(actual), std::signbit(expected))
          << target << " " << output << " " << x[i];
    };
    for (int i = 0; i < 64; ++i) {
      expect(0, i, std::floor(x[i]));
      expect(1, i, std::ceil(x[i]));
      expect(2, i, std::nearbyint(x[i]));
      expect(3, i, std::fma(x[i], y[i], z[i]));
    }
  }
}

// With and without the instruction of AVX-512, for vectors of which it converts
// all, one half at a time, and none.
TEST(CodegenTest, RoundsToBFloat16) {
  const tir::Function f = ParseKernel(R"(
func f(in %x: float32[64], out %y: float32[64], out %z: float32[64],
       out %s: float32[64]) {
  for i in [0, 4) {
    %y[ramp(i * 16, 1, 16)] = round_bfloat16(%x[ramp(i * 16, 1, 16)])
  }
  for i in [0, 2) {
    %z[ramp(i * 32, 1, 32)] = round_bfloat16(%x[ramp(i * 32, 1, 32)])
  }
  for i in [0, 64) {
    %s[i] = round_bfloat16(%x[i])
  }
})");
  const float inf = std::numeric_limits<float>::infinity();
  // Ties are rounded to even, and 3.4e38 to infinity.
  std::vector<float> x = {
      0.f,      -0.f,    0x1.01p0f,    0x1.03p0f,    -0x1.010002p0f,
      1e-39f,   -1e-39f, 0x1.fep-126f, 0x1p-126f,    3.4e38f,
      -3.4e38f, inf,     -inf,         std::nanf("")};
  std::vector<float> rounded = {
      0.f,          -0.f,      1.f, 0x1.04p0f, -0x1.02p0f, 0.f,  -0.f,
      0x1.fep-126f, 0x1p-126f, inf, -inf,      inf,        -inf, std::nanf("")};
  const size_t special = x.size();
  x.resize(64);
  for (size_t i = special; i < x.size(); ++i) {
    x[i] = std::sin(static_cast<float>(i) * 12.9898f) * 100;
    rounded.push_back(BFloat16ToFloat(FloatToBFloat16(x[i])));
  }
  for (const target::Target& target : RunnableTargets()) {
    const auto image = GenerateLlvm({f}, target, {});
    ASSERT_TRUE(image.ok()) << image.status();
    std::vector<NDArray> buffers = {NDArray::FromVector({64}, x)};
    for (int i = 0; i < 3; ++i) {
      buffers.emplace_back(DType::Float32(), Shape{64});
    }
    RuntimeLog log;
    ASSERT_TRUE(*RunKernel(image->code, "f", buffers, log) == 0) << target;
    for (int output = 1; output < 4; ++output) {
      for (size_t i = 0; i < x.size(); ++i) {
        const float actual = buffers[output].data<float>()[i];
        if (std::isnan(rounded[i]) && std::isnan(actual)) continue;
        EXPECT_EQ(actual, rounded[i]) << target << " " << output << " " << x[i];
        EXPECT_EQ(std::signbit(actual), std::signbit(rounded[i]))
            << target << " " << output << " " << x[i];
      }
    }
  }
  EXPECT_TRUE(AgreesWithInterpreter(f, Host(), 2, /*seed=*/3));
}

TEST(CodegenTest, MinAndMaxPropagateNanOfFirstOperand) {
  const tir::Function f = ParseKernel(R"(
func f(in %x: float32[8], in %y: float32[8], out %min: float32[8], out %max: float32[8]) {
  %min[ramp(0, 1, 8)] = min(%x[ramp(0, 1, 8)], %y[ramp(0, 1, 8)])
  %max[ramp(0, 1, 8)] = max(%x[ramp(0, 1, 8)], %y[ramp(0, 1, 8)])
})");
  const float nan = std::nanf("");
  const std::vector<float> x = {nan, 1, -0.f, 0.f, 3, 5, nan, -1};
  const std::vector<float> y = {2, nan, 0.f, -0.f, 5, 3, nan, 1};
  for (const target::Target& target : RunnableTargets()) {
    const auto image = GenerateLlvm({f}, target, {});
    ASSERT_TRUE(image.ok()) << image.status();
    std::vector<NDArray> buffers = {
        NDArray::FromVector({8}, x), NDArray::FromVector({8}, y),
        NDArray(DType::Float32(), {8}), NDArray(DType::Float32(), {8})};
    RuntimeLog log;
    ASSERT_TRUE(RunKernel(image->code, "f", buffers, log).ok());
    for (int i = 0; i < 8; ++i) {
      const float min = y[i] < x[i] ? y[i] : x[i];
      const float max = x[i] < y[i] ? y[i] : x[i];
      const float actual_min = buffers[2].data<float>()[i];
      const float actual_max = buffers[3].data<float>()[i];
      EXPECT_EQ(std::isnan(actual_min), std::isnan(min)) << target << i;
      EXPECT_EQ(std::isnan(actual_max), std::isnan(max)) << target << i;
      EXPECT_EQ(std::signbit(actual_min), std::signbit(min)) << target << i;
      EXPECT_EQ(std::signbit(actual_max), std::signbit(max)) << target << i;
      if (!std::isnan(min)) EXPECT_EQ(actual_min, min);
      if (!std::isnan(max)) EXPECT_EQ(actual_max, max);
    }
  }
}

constexpr char kWithWorkspace[] = R"(
func f(in %a: float32[8], out %c: float32[8]) {
  alloc %t: global float32[8]
  for i in [0, 8) {
    %t[i] = %a[i]
  }
  parallel p in [0, 4) {
    alloc %u: global float32[2]
    for i in [0, 2) {
      %u[i] = %t[p * 2 + i]
    }
    for i in [0, 2) {
      %c[p * 2 + i] = %u[i]
    }
  }
})";

// Return value and workspace of a kernel when the runtime fails.
TEST(CodegenTest, ReturnsRuntimeErrorsAndFreesWorkspace) {
  const auto image = GenerateLlvm({ParseKernel(kWithWorkspace)}, Host(), {});
  ASSERT_TRUE(image.ok()) << image.status();
  const auto run = [&](RuntimeLog& log) {
    std::vector<NDArray> buffers = {NDArray(DType::Float32(), {8}),
                                    NDArray(DType::Float32(), {8})};
    const auto result = RunKernel(image->code, "f", buffers, log);
    EXPECT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(log.allocations, log.frees);
    return *result;
  };
  RuntimeLog good;
  EXPECT_EQ(run(good), 0);
  EXPECT_EQ(good.allocations, 1 + 4);
  EXPECT_EQ(good.parallel_loops, 1);

  RuntimeLog at_once;
  at_once.fail_allocation = 1;
  EXPECT_EQ(run(at_once), ASSAY_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(at_once.parallel_loops, 0);

  RuntimeLog in_parallel;
  in_parallel.fail_allocation = 3;
  EXPECT_EQ(run(in_parallel), ASSAY_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(in_parallel.allocations, 2);

  RuntimeLog from_parallel_for;
  from_parallel_for.parallel_error = 42;
  EXPECT_EQ(run(from_parallel_for), 42);
  EXPECT_EQ(from_parallel_for.allocations, 1);
}

TEST(CodegenTest, OutputIsDeterministic) {
  const std::vector<tir::Function> first = Programs(), second = Programs();
  Options threaded;
  threaded.threads = 3;
  Options dumping;
  std::vector<std::string> dumps;
  dumping.dump = [&](absl::string_view kernel, absl::string_view kind,
                     absl::string_view text) {
    EXPECT_FALSE(text.empty());
    dumps.push_back(absl::StrCat(kernel, ".", kind));
  };
  const auto a = GenerateLlvm(first, Host(), {});
  const auto b = GenerateLlvm(second, Host(), threaded);
  const auto c = GenerateLlvm(first, Host(), dumping);
  ASSERT_TRUE(a.ok() && b.ok() && c.ok()) << a.status() << b.status();
  EXPECT_TRUE(a->code == b->code);
  EXPECT_EQ(a->digests, b->digests);
  EXPECT_TRUE(a->code == c->code);
  ASSERT_EQ(dumps.size(), 3 * first.size());
  dumps.resize(3);
  EXPECT_THAT(dumps,
              ElementsAre(first[0].name + ".ll", first[0].name + ".opt.ll",
                          first[0].name + ".s"));
}

TEST(CodegenTest, ErrorsNameKernelAndCause) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"func f(in %a: float32[4], out %b: float32[4]) {\n"
       "%b[0] = exp(%a[0])\n}",
       "kernel `f`: `exp` was not expanded"},
      {"func f(in %a: float32[2,2], out %b: float32[4]) {\n"
       "%b[0] = %a[0, 1]\n}",
       "kernel `f`: buffer `a` is accessed with 2 indices"},
      {"func f(in %a: float16[4], out %b: float16[4]) {\n"
       "%b[0] = %a[0] + %a[1]\n}",
       "kernel `f`: arithmetic on `float16`"},
      {"func f(in %a: float64[4], out %b: float64[4]) {\n"
       "%b[0] = fma(%a[0], %a[1], %a[2])\n}",
       "kernel `f`: fma on float64 for `llvm -mtriple=x86_64-linux-gnu"},
      {"func f(in %a: float32[4], out %b: float32[4]) {\n"
       "pragma bind_threadIdx_x 4 {\nfor i in [0, 4) {\n"
       "%b[i] = %a[i]\n}\n}\n}",
       "kernel `f`: it runs on the GPU threads `threadIdx.x`, which `llvm "
       "-mtriple=x86_64-linux-gnu -mcpu=x86-64` does not have"},
      {"func f(in %a: bfloat16[4], out %b: bool[4]) {\n"
       "%b[0] = %a[0] < %a[1]\n}",
       "kernel `f`: arithmetic on `bfloat16`"},
  };
  for (const auto& c : kCases) {
    const auto image =
        GenerateLlvm({ParseKernel(c.text)}, Parse(kBaseline), {});
    EXPECT_THAT(image.status().message(), HasSubstr(c.message));
  }
  EXPECT_THAT(
      GenerateLlvm({ParseKernel("func f(in %a: float64[4], out %b: float64[4]) "
                                "{\n%b[0] = %a[0] + 3f64\n}")},
                   Parse("llvm -mtriple=arm-linux-gnueabihf -mattr=-fp64"), {})
          .status()
          .message(),
      HasSubstr("kernel `f` needs `__aeabi_dadd`, which no runtime "
                "provides"));
  tir::Function f = ParseKernel(kWithWorkspace);
  f.name = "a.b";
  EXPECT_THAT(GenerateLlvm({f}, Host(), {}).status().message(),
              HasSubstr("`a.b` is not a valid kernel name"));
  Options options;
  options.opt_level = 4;
  EXPECT_THAT(GenerateLlvm({}, Host(), options).status().message(),
              HasSubstr("optimisation level 4"));
}

TEST(CodegenTest, TileProductsNeedAMatrixUnit) {
  constexpr char kWithout[] =
      "llvm -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -mattr=-amx-bf16";
  const auto error = [&](const char* sum, const char* product) {
    const std::string type(sum);
    return std::string(
        GenerateLlvm(
            {ParseKernel("func f(in %a: int32[512], out %b: " + type +
                         "[256]) {\n%b[ramp(0, 1, 256)] = " + product + "\n}")},
            Parse(kWithout), {})
            .status()
            .ToString());
  };
  EXPECT_THAT(
      error("float32",
            "tile_dot2_bf16(%b[ramp(0, 1, 256)], %a[ramp(0, 1, 256)], "
            "%a[ramp(256, 1, 256)])"),
      HasSubstr("UNIMPLEMENTED: kernel `f`: `tile_dot2_bf16` needs `amx-bf16`, "
                "a matrix unit that `llvm -mtriple=x86_64-linux-gnu "
                "-mcpu=sapphirerapids -mattr=-amx-bf16` does not have"));
  EXPECT_EQ(error("int32",
                  "tile_dot4_u8s8(%b[ramp(0, 1, 256)], %a[ramp(0, 1, 256)], "
                  "%a[ramp(256, 1, 256)])"),
            "OK");
  EXPECT_THAT(
      error("int32",
            "tile_dot4_u8s8(%b[ramp(0, 1, 256)], %a[ramp(0, 1, 256)], "
            "%a[ramp(0, 2, 256)])"),
      HasSubstr("INTERNAL: kernel `f`: factor 2 of `tile_dot4_u8s8` is not a "
                "load of 16 rows of consecutive elements"));
  EXPECT_THAT(error("int32",
                    "tile_dot4_s8s8(%b[ramp(0, 1, 256)], broadcast(1, 256), "
                    "%a[ramp(0, 1, 256)])"),
              HasSubstr("INTERNAL: kernel `f`: factor 1 of `tile_dot4_s8s8` is "
                        "not a load of 16 rows of consecutive elements"));
}

TEST(CodegenTest, EmitsPrefetchInstruction) {
  std::string assembly;
  Options options;
  options.dump = [&](absl::string_view, absl::string_view kind,
                     absl::string_view text) {
    if (kind == "s") assembly = std::string(text);
  };
  const tir::Function f = ParseKernel(R"(
func f(in %a: float32[64], out %c: float32[64]) {
  for i in [0, 4) {
    prefetch %a[min(i * 16 + 32, 63)]
    %c[ramp(i * 16, 1, 16)] = %a[ramp(i * 16, 1, 16)]
  }
}
)");
  const auto image = GenerateLlvm({f}, Parse(kBaseline), options);
  ASSERT_TRUE(image.ok()) << image.status();
  EXPECT_THAT(assembly, HasSubstr("prefetcht0"));
}

}  // namespace
}  // namespace assay::codegen
