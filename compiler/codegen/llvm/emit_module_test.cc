// The unoptimized LLVM IR of small kernels.
#include "compiler/codegen/llvm/emit_module.h"

#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/substitute.h"
#include "compiler/codegen/llvm/target_machine.h"
#include "compiler/target/target.h"
#include "compiler/tir/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::codegen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The whole module without comments.
std::string Emit(absl::string_view text, absl::string_view target_text =
                                             "llvm -mtriple=x86_64-linux-gnu "
                                             "-mcpu=x86-64-v3") {
  const auto f = tir::ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status();
  const auto target = target::Target::Parse(target_text);
  EXPECT_TRUE(target.ok()) << target.status();
  const auto machine = CreateTargetMachine(*target, 3);
  EXPECT_TRUE(machine.ok()) << machine.status();
  llvm::LLVMContext context;
  const auto module = EmitModule(*f, *target, **machine, context);
  EXPECT_TRUE(module.ok()) << module.status();
  std::string ir;
  llvm::raw_string_ostream stream(ir);
  (*module)->print(stream, nullptr);
  std::string result;
  for (absl::string_view line : absl::StrSplit(stream.str(), '\n')) {
    line = absl::StripTrailingAsciiWhitespace(line.substr(0, line.find(';')));
    absl::StrAppend(&result, line, "\n");
  }
  return result;
}

// The body of the first function definition.
std::string BodyOf(const std::string& ir) {
  const size_t begin = ir.find("{\n", ir.find("\ndefine ")) + 2;
  return ir.substr(begin, ir.find("}\n", begin) - begin);
}

TEST(EmitModuleTest, EmitsWholeKernel) {
  EXPECT_EQ(BodyOf(Emit(R"(
func f(in %a: float32[8], out %c: float32[8]) {
  for i in [0, 8) {
    %c[i] = %a[i] * 2f
  }
})")),
            R"(entry:
  %0 = getelementptr ptr, ptr %buffers, i32 0
  %a = load ptr, ptr %0, align 8, !invariant.load !1, !nonnull !1, !dereferenceable !2, !align !3, !noundef !1
  %1 = getelementptr ptr, ptr %buffers, i32 1
  %c = load ptr, ptr %1, align 8, !invariant.load !1, !nonnull !1, !dereferenceable !2, !align !3, !noundef !1
  br label %for.i

for.i:
  %i = phi i64 [ 0, %entry ], [ %i.next, %for.i ]
  %2 = getelementptr float, ptr %a, i64 %i
  %3 = load float, ptr %2, align 4, !alias.scope !4, !noalias !7
  %4 = fmul contract float %3, 2.000000e+00
  %5 = getelementptr float, ptr %c, i64 %i
  store float %4, ptr %5, align 4, !alias.scope !7, !noalias !4
  %i.next = add nuw nsw i64 %i, 1
  %6 = icmp ne i64 %i.next, 8
  br i1 %6, label %for.i, label %end.i

end.i:
  ret i32 0
)");
}

// The scopes that an access excludes would otherwise be quadratic in the number
// of buffers.
TEST(EmitModuleTest, ManyLocalBuffersHaveNoAliasScopes) {
  const auto scopes = [](int buffers) {
    std::string text = "func f(in %a: float32[8], out %c: float32[8]) {\n";
    for (int k = 0; k < buffers; ++k) {
      absl::StrAppend(&text, "alloc %b", k, ": local float32[1]\n");
    }
    for (int k = 0; k < buffers; ++k) {
      absl::StrAppend(&text, "%b", k, "[0] = %a[", k % 8, "]\n");
      absl::StrAppend(&text, "%c[", k % 8, "] = %b", k, "[0]\n");
    }
    const std::string ir = Emit(text + "}");
    return std::vector<absl::string_view>(absl::StrSplit(ir, "!noalias"))
               .size() -
           1;
  };
  // Four accesses per local buffer, two of them of the parameters.
  EXPECT_EQ(scopes(20), 80);
  EXPECT_EQ(scopes(400), 800);
}

// Outer variables first, the constant in a separate address computation, and
// the alignment implied by the coefficients.
TEST(EmitModuleTest, AddressesAreSumsInLoopOrder) {
  const std::string body = BodyOf(Emit(R"(
func f(in %a: float32[1000], out %c: float32[64]) {
  for i in [0, 2) {
    for j in [0, 4) {
      %c[ramp(i * 32 + j * 8, 1, 8)] = %a[ramp((j * 2 + 3) * 8 + i * 100, 1, 8)]
    }
  }
})"));
  EXPECT_THAT(body, HasSubstr(R"(
  %2 = mul nsw i64 %i, 100
  %3 = mul nsw i64 %j, 16
  %4 = add nsw i64 %2, %3
  %5 = getelementptr float, ptr %a, i64 %4
  %6 = getelementptr float, ptr %5, i64 24
  %7 = load <8 x float>, ptr %6, align 16,)"));
  EXPECT_THAT(body, HasSubstr("store <8 x float> %7, ptr %11, align 32,"));
}

TEST(EmitModuleTest, IndicesHave32BitsOn32BitTargets) {
  const std::string body = BodyOf(Emit(R"(
func f(in %a: float32[64], out %c: float32[64]) {
  for i in [0, 64) {
    %c[i] = %a[63 - i]
  }
})",
                                       "llvm -mtriple=arm-linux-gnueabihf"));
  EXPECT_THAT(body, HasSubstr("%i = phi i32"));
  EXPECT_THAT(body, Not(HasSubstr("i64")));
}

TEST(EmitModuleTest, DivisionUsesCheapestInstruction) {
  const std::string body = BodyOf(Emit(R"(
func f(in %a: int32[4], out %c: int32[64]) {
  for i in [0, 32) {
    %c[i / 5] = %a[i / 8]
    %c[i] = %a[0] / 4
    %c[i + 1] = %a[1] % 3
  }
})"));
  EXPECT_THAT(body, HasSubstr("udiv i64 %i, 5"));
  EXPECT_THAT(body, HasSubstr("ashr i64 %i, 3"));
  EXPECT_THAT(body, HasSubstr(", 2\n"));  // a[0] / 4 is a shift, too
  EXPECT_THAT(body, HasSubstr("sdiv i32 %"));
}

// Loads that are provably in bounds are executed unconditionally.
TEST(EmitModuleTest, GuardsOnlyLoadsThatMayBeOutOfBounds) {
  const auto with = [&](absl::string_view size, absl::string_view offset) {
    return BodyOf(Emit(absl::Substitute(R"(
func f(in %a: float32[$0], out %c: float32[8]) {
  for i in [0, 8) {
    %c[i] = select(2 <= i, %a[i - $1], 0f)
  }
})",
                                        size, offset)));
  };
  EXPECT_THAT(with("6", "2"), HasSubstr("then:"));
  EXPECT_THAT(with("8", "0"), Not(HasSubstr("then:")));
}

TEST(EmitModuleTest, ParallelLoopsBecomeFunctions) {
  const std::string ir = Emit(R"(
func f(in %a: float32[64], out %c: float32[64]) {
  for o in [0, 2) {
    parallel i in [0, 32) {
      %c[o * 32 + i] = %a[i]
    }
  }
})");
  EXPECT_THAT(ir, HasSubstr("define i32 @f(ptr noalias noundef nonnull "
                            "readonly %buffers, ptr noalias noundef nonnull "
                            "readonly %runtime)"));
  EXPECT_THAT(ir, HasSubstr("define internal i32 @f.parallel0(i32 %0, i32 %1, "
                            "ptr noalias readonly %2)"));
  // The closure: runtime, two buffers and the outer variable.
  EXPECT_THAT(ir, HasSubstr("%closure = alloca { ptr, ptr, ptr, i64 }"));
  EXPECT_THAT(ir, HasSubstr("call i32 %"));
  EXPECT_THAT(ir, HasSubstr("(ptr %7, i32 32, ptr @f.parallel0, "
                            "ptr %closure)"));
}

TEST(EmitModuleTest, AttributesForbidCallsAndNameProcessor) {
  const std::string ir =
      Emit("func f(out %c: float32[1]) {\n%c[0] = 0f\n}",
           "llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v4 -mattr=+avx512vnni");
  EXPECT_THAT(ir, HasSubstr("no-builtins"));
  EXPECT_THAT(ir, HasSubstr("nounwind"));
  EXPECT_THAT(ir, HasSubstr("\"prefer-vector-width\"=\"512\""));
  EXPECT_THAT(ir, HasSubstr("\"target-cpu\"=\"x86-64-v4\""));
  EXPECT_THAT(ir, HasSubstr("\"target-features\"=\"+avx512vnni\""));
}

}  // namespace
}  // namespace assay::codegen
