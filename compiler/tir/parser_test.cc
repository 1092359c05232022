#include "compiler/tir/parser.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/expr/printer.h"
#include "compiler/tir/printer.h"
#include "compiler/tir/structural_equal.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

constexpr char kEverything[] =
    R"(func everything(in %a: float32[4,8], in %b: int8[], out %c: float32[4,8]) {
  parallel i in [0, 4) {
    alloc %acc: local float32[8]
    vectorized j in [0, 8) {
      %acc[j] = 0f
    }
    {
      alloc %t: global float64[2,8]
      pragma auto_unroll_max_step 16 {
        unrolled j in [2, +i + 2) {
          %t[i % 2, j] = cast(float64, %a[i, j])
        }
      }
    }
    {
      let k = i / 2 % 3
      let k.1 = k + i
      %c[i, k] = 1f
      %c[i, k.1] = 1f
    }
    if i < 3 && !(i == 1) {
      %c[i, ramp(0, 1, 8)] = %acc[ramp(0, 1, 8)] + broadcast(%a[i, 0], 8)
    } else {
      prefetch %a[i, 0]
      for j in [0, 8) {
        %c[i, j] = select(%b[] == 3i8, max(%acc[j], -0.5f), fma(1f, 1e+30f, -inff))
      }
    }
  }
}
)";

TEST(ParserTest, RoundTripsProgram) {
  const auto f = ParseFunction(kEverything);
  ASSERT_TRUE(f.ok()) << f.status();
  EXPECT_EQ(ToString(*f), kEverything);
  const auto again = ParseFunction(ToString(*f));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_TRUE(StructurallyEqual(*f, *again));
}

TEST(ParserTest, IgnoresCommentsAndWhitespace) {
  const auto s = ParseStmt("for i in[0,2){ // twice\n }");
  ASSERT_TRUE(s.ok()) << s.status();
  EXPECT_EQ(ToString(*s), "for i in [0, 2) {\n}\n");
}

TEST(ParserTest, OperatorsMustFollowLeftOperandOnSameLine) {
  const auto f = ParseFunction(
      "func f(in %a: int32[2], out %b: int32[2]) {\n"
      "%b[0] = %a[0]\n"
      "%b[1] = %a[1] % %a[0]\n"
      "}");
  ASSERT_TRUE(f.ok()) << f.status();
  EXPECT_EQ(f->body.As<Block>()->stmts.size(), 2u);
}

TEST(ParserTest, MakesReusedNamesUnique) {
  const Expr outer = expr::Var::Make("i"), inner = expr::Var::Make("i");
  const Buffer b = expr::MakeBuffer("b", DType::Int32(), {4});
  const Stmt store = Store::Make(b, {outer}, inner);
  const Stmt s = For::Make(outer, 0, 2, ForKind::kSerial,
                           For::Make(inner, 0, 2, ForKind::kSerial, store));
  EXPECT_EQ(ToString(s),
            "for i in [0, 2) {\n  for i_1 in [0, 2) {\n    %b[i] = i_1\n"
            "  }\n}\n");
  ParseScope scope;
  scope.buffers["b"] = b;
  const auto parsed = ParseStmt(ToString(s), scope);
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_TRUE(StructurallyEqual(s, *parsed));
}

TEST(ParserTest, RoundTripsExpressions) {
  ParseScope scope;
  scope.vars["i"] = expr::Var::Make("i");
  scope.vars["x"] = expr::Var::Make("x", DType::Float32());
  scope.buffers["a"] = expr::MakeBuffer("a", DType::Float32(), {64});
  scope.buffers["c"] = expr::MakeBuffer("c", DType::Int32(), {256});
  scope.buffers["s"] = expr::MakeBuffer("s", DType::Float32(), {256});
  scope.buffers["b"] = expr::MakeBuffer("b", DType::Int(8), {1024});
  scope.buffers["h"] = expr::MakeBuffer("h", DType::BFloat16(), {512});
  for (const char* text : {
           "i + 1 - i * 3 / 4 % 5",
           "i - (i - 1)",
           "(i < 3) == (i <= 4)",
           "i < 3 || i == 4 && !(i != 5)",
           "-3 - -2147483648",
           "select(i < 3, x, 0.1f)",
           "exp(log(tanh(sigmoid(sqrt(floor(ceil(round(abs(x)))))))))",
           "shift_left(i, 2) + shift_right(i, 1) + bitwise_and(i, 7)",
           "reinterpret(float32, reinterpret(int32, x))",
           "cast(float16, x) + 1.5f16",
           "cast(bfloat16, x) * -2bf16",
           "cast(uint8, i) + 255u8",
           "cast(uint64, i) + 18446744073709551615u64",
           "cast(int64, i) + -9223372036854775808i64",
           "min(max(x, -inff), nanf)",
           "%a[ramp(i * 8, 1, 8)] * broadcast(x, 8)",
           "%a[ramp(i, 2, 4) + broadcast(i, 4)]",
           "true && false",
           "1e-07f + 3.4028235e+38f",
           "0.1f64 + cast(float64, x)",
           "tile_dot2_bf16(%s[ramp(0, 1, 256)], reinterpret(int32x256, "
           "%h[ramp(0, 1, 512)]), %c[ramp(0, 1, 256)])",
           "tile_dot4_u8s8(%c[ramp(0, 1, 256)], reinterpret(int32x256, "
           "%b[ramp(0, 1, 1024)]), %c[ramp(0, 1, 256)])",
           "tile_dot4_s8s8(broadcast(0, 256), broadcast(1, 256), "
           "broadcast(2, 256))",
           "tile_dot4_s8u8(broadcast(0, 256), broadcast(1, 256), "
           "broadcast(2, 256))",
           "tile_dot4_u8u8(broadcast(0, 256), broadcast(1, 256), "
           "broadcast(2, 256))",
       }) {
    const auto e = ParseExpr(text, scope);
    ASSERT_TRUE(e.ok()) << text << ": " << e.status();
    EXPECT_EQ(expr::ToString(*e), text);
  }
}

struct Bad {
  const char* text;
  const char* error;
};

TEST(ParserTest, ErrorsNameLineAndCause) {
  const std::string head = "func f(in %a: float32[4], out %o: float32[4]) {\n";
  const Bad cases[] = {
      {"%o[i] = 0f", "line 2: unknown variable `i`"},
      {"%x[0] = 0f", "line 2: unknown buffer `%x`"},
      {"%o[0] = 0", "line 2: a int32 stored to float32 elements of `%o`"},
      {"%o[0] = 0f + 1", "line 2: operands of types float32 and int32"},
      {"%o[0] = 0f % 1f", "line 2: the operator does not take float32"},
      {"%o[0f] = 0f", "line 2: index 0 of `%o` is float32"},
      {"%o[0] = %a[ramp(0, 1, 4)]",
       "line 2: a float32x4 stored to float32 elements of `%o`"},
      {"%o[0] = frob(1f)", "line 2: unknown function `frob` of 1 arguments"},
      {"%o[0] = exp(1f, 2f)", "line 2: wrong number of arguments"},
      {"%o[0] = tile_dot2_bf16(0f, 1)", "line 2: wrong number of arguments"},
      {"%o[0] = tile_dot4_u8s8(0, 1, 2)",
       "line 2: `tile_dot4_u8s8` of types int32, int32 and int32"},
      {"%o[0] = tile_dot2_bf16(broadcast(0, 256), broadcast(1, 256), "
       "broadcast(1, 256))",
       "line 2: `tile_dot2_bf16` of types int32x256, int32x256 and int32x256"},
      {"%o[0] = tile_dot4_s8s8(broadcast(0f, 256), broadcast(1, 256), "
       "broadcast(1, 256))",
       "line 2: `tile_dot4_s8s8` of types float32x256, int32x256 and "
       "int32x256"},
      {"%o[0] = tile_dot2_bf16(broadcast(0f, 256), broadcast(1f, 256), "
       "broadcast(1, 256))",
       "line 2: `tile_dot2_bf16` of types float32x256, float32x256 and "
       "int32x256"},
      {"%o[0] = tile_dot2_bf16(broadcast(0f, 256), broadcast(1, 256), "
       "broadcast(1, 128))",
       "line 2: `tile_dot2_bf16` of types float32x256, int32x256 and "
       "int32x128"},
      {"%o[0] = select(1, 2f, 3f)",
       "line 2: `select` of types int32, float32 and float32"},
      {"%o[0] = cast(float31, 1)", "line 2: `float31` is not a data type"},
      {"%o[0] = cast(float32x2, 1)",
       "line 2: no conversion of int32 to float32x2"},
      {"%o[0] = 1q", "line 2: `1q` is not a number"},
      {"%o[3000000000] = 1f", "line 2: `3000000000` does not fit int32"},
      {"%o[0] = 1f 2f", "line 2: expected a statement, found `2f`"},
      {"%o[0] = 0f < 1f < 2f", "line 2: comparisons do not chain"},
      {"%o[0] = - %a[0]", "line 2: expected a number, found `%`"},
      {"\n%o[0] = ramp(0, 1, 1)",
       "line 3: the number of lanes is not a constant in [2, 1024]"},
      {"for i in [0, 4) { for i in [0, 4) {} }",
       "line 2: variable `i` is bound twice"},
      {"for i in [1, 4) {}",
       "line 2: write the range of `i` as [min, +extent)"},
      {"for i in [0, 4f) {}", "line 2: the bounds of `i` are not int32"},
      {"alloc %a: local float32[4]", "line 2: buffer `%a` is declared twice"},
      {"alloc %b: float32[4]", "line 2: expected `global`, found `float32`"},
      {"alloc %b: local float32[-4]",
       "line 2: shape [-4] has a negative extent"},
      {"if 1 {}", "line 2: the condition is int32, not bool"},
      {"%o[0] = 1f $", "line 2: unexpected character `$`"},
      {"for i in [0, 4) {", "line 3: expected `}`, found the end"},
      {"}", "line 3: expected the end, found `}`"},
  };
  for (const Bad& bad : cases) {
    const auto f = ParseFunction(absl::StrCat(head, bad.text, "\n}"));
    ASSERT_FALSE(f.ok()) << bad.text;
    EXPECT_EQ(std::string(f.status().message()), bad.error) << bad.text;
  }
}

TEST(ParserTest, RejectsDeepNesting) {
  const std::string open(100000, '(');
  EXPECT_EQ(ParseExpr(open).status().message(), "line 1: nested too deeply");
  std::string loops;
  for (int i = 0; i < 10000; ++i) absl::StrAppend(&loops, "{");
  EXPECT_EQ(ParseStmt(loops).status().message(), "line 1: nested too deeply");
}

TEST(ParserTest, RejectsEveryPrefix) {
  const std::string text = kEverything;
  for (size_t n = 0; n + 2 < text.size(); ++n) {
    EXPECT_FALSE(ParseFunction(text.substr(0, n)).ok()) << n;
  }
}

}  // namespace
}  // namespace assay::tir
