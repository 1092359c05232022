#include "compiler/codegen/codegen.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/expr/expr.h"
#include "compiler/expr/expr_ops.h"
#include "compiler/tir/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/base/check.h"
#include "runtime/base/dtype.h"

namespace assay::codegen {
namespace {

using ::testing::HasSubstr;

constexpr char kTarget[] = "llvm -mtriple=x86_64-linux-gnu";

tir::Function Kernel(absl::string_view name) {
  const auto f = tir::ParseFunction(absl::StrCat(
      "func ", name,
      "(in %x: float32[64], out %y: float32[64]) {\n  for i in [0, 64) {\n"
      "    %y[i] = %x[i] * 1.5f\n  }\n}\n"));
  CHECK(f.ok()) << f.status();
  return *f;
}

TEST(CodegenTest, ModuleStatesKindAndOneDigestPerKernel) {
  const auto target = ResolveTarget(kTarget);
  ASSERT_TRUE(target.ok()) << target.status();
  const auto module = Generate({Kernel("f"), Kernel("g")}, *target, {});
  ASSERT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(module->kind, "elf");
  EXPECT_FALSE(module->code.empty());
  ASSERT_EQ(module->digests.size(), 2u);
  EXPECT_EQ(module->digests[0], module->digests[1]);
  EXPECT_EQ(module->digests[0].size(), 64u);
}

TEST(CodegenTest, EveryTargetKindHasBackend) {
  for (const target::TargetKindRow& row : target::TargetKinds()) {
    const std::string text = row.has_triple ? kTarget : std::string(row.name);
    const auto target = ResolveTarget(text);
    ASSERT_TRUE(target.ok()) << target.status();
    const auto module = Generate({}, *target, {});
    ASSERT_TRUE(module.ok()) << module.status();
    EXPECT_NE(module->kind, "") << text;
    EXPECT_EQ(module->code, "") << text;
  }
}

TEST(CodegenTest, RejectsKernelsOfTheSameName) {
  EXPECT_EQ(Generate({Kernel("f"), Kernel("f")}, *ResolveTarget(kTarget), {})
                .status(),
            absl::InvalidArgumentError("there are two kernels `f`"));
}

// Returns a kernel that stores `value`.
tir::Function KernelThatStores(const expr::Expr& value) {
  const expr::Expr zero = expr::ConstInt(DType::Int32(), 0);
  tir::Function f;
  f.name = "bad";
  f.outputs = {expr::MakeBuffer("y", value.dtype(), {4})};
  f.body = tir::Store::Make(f.outputs[0], {zero}, value);
  return f;
}

Options OptionsWithHook() {
  Options options;
  options.threads = 2;
  options.on_failed_check = [](absl::string_view kernel,
                               absl::string_view failure) {
    return absl::StrCat(kernel, ": ", failure);
  };
  return options;
}

// No type of LLVM has 8 bits and is a float.
TEST(CodegenDeathTest, FailedCheckNamesKernelAndTarget) {
  const DType float8(DType::Code::kFloat, 8);
  const expr::Buffer x = expr::MakeBuffer("x", float8, {4});
  tir::Function bad = KernelThatStores(
      expr::Load::Make(x, {expr::ConstInt(DType::Int32(), 0)}));
  bad.inputs = {x};
  EXPECT_EXIT((void)Generate({Kernel("good"), bad}, *ResolveTarget(kTarget),
                             OptionsWithHook()),
              ::testing::ExitedWithCode(5),
              "float8\n"
              "  while generating code for kernel `bad`\n"
              "  for target `llvm -mtriple=x86_64-linux-gnu.*`\n"
              "  bad: .*check failed: .*float8\n$");
}

// A reduction is not an expression of the loop IR.
TEST(CodegenDeathTest, FailedCheckNamesKernelOfBytecode) {
  const tir::Function bad = KernelThatStores(
      expr::Reduce::Make(expr::Combiner::kSum, expr::Const(DType::Float32(), 1),
                         {expr::ReduceAxis{expr::Var::Make("k"), 4}}));
  EXPECT_EXIT(
      (void)Generate({bad}, *ResolveTarget("bytecode"), OptionsWithHook()),
      ::testing::ExitedWithCode(5),
      "while generating code for kernel `bad`\n"
      "  for target `bytecode.*`\n"
      "  bad: .*check failed: ");
}

TEST(ResolveTargetTest, NativeIsTheProcessorOfThisMachine) {
  const auto native = ResolveTarget("llvm -mcpu=native");
  ASSERT_TRUE(native.ok()) << native.status();
  EXPECT_NE(native->cpu(), "native");
  const auto cores = ResolveTarget("llvm -num-cores=3 -mcpu=native");
  ASSERT_TRUE(cores.ok()) << cores.status();
  EXPECT_EQ(*cores, native->WithCores(3));
}

TEST(ResolveTargetTest, ParsesTargetsWithoutNative) {
  const auto target =
      ResolveTarget("llvm -mtriple=aarch64-linux-gnu -mcpu=cortex-a53");
  ASSERT_TRUE(target.ok()) << target.status();
  EXPECT_EQ(target->cpu(), "cortex-a53");
}

TEST(ResolveTargetTest, RejectsOtherOptionsBesideNative) {
  EXPECT_THAT(
      ResolveTarget("llvm -mcpu=native -mattr=+avx").status().message(),
      HasSubstr("`-mattr=+avx` cannot be combined with `-mcpu=native`"));
  EXPECT_THAT(ResolveTarget("cobol -mcpu=native").status().message(),
              HasSubstr("`cobol` is not a code generator"));
}

}  // namespace
}  // namespace assay::codegen
