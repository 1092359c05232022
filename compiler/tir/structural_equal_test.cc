#include "compiler/tir/structural_equal.h"

#include <string>
#include <vector>

#include "compiler/tir/parser.h"
#include "gtest/gtest.h"

namespace assay::tir {
namespace {

Function Parse(const std::string& text) {
  auto f = ParseFunction(text);
  EXPECT_TRUE(f.ok()) << f.status() << "\n" << text;
  return *std::move(f);
}

TEST(StructuralEqualTest, IgnoresNames) {
  EXPECT_TRUE(
      StructurallyEqual(Parse("func f(in %a: int32[4], out %b: int32[4]) {"
                              "  for i in [0, 4) { alloc %t: local int32[1]"
                              "    %t[0] = %a[i]\n %b[i] = %t[0] } }"),
                        Parse("func f(in %x: int32[4], out %y: int32[4]) {"
                              "  for j in [0, 4) { alloc %z: local int32[1]"
                              "    %z[0] = %x[j]\n %y[j] = %z[0] } }")));
}

TEST(StructuralEqualTest, ComparesEverythingElse) {
  const std::vector<std::string> different = {
      "func f(out %b: int32[4]) { for i in [0, 4) { %b[i] = i } }",
      "func g(out %b: int32[4]) { for i in [0, 4) { %b[i] = i } }",
      "func f(out %b: int32[5]) { for i in [0, 4) { %b[i] = i } }",
      "func f(in %b: int32[4]) { for i in [0, 4) { %b[i] = i } }",
      "func f(out %b: int32[4]) { for i in [0, 3) { %b[i] = i } }",
      "func f(out %b: int32[4]) { for i in [1, +4) { %b[i] = i } }",
      "func f(out %b: int32[4]) { parallel i in [0, 4) { %b[i] = i } }",
      "func f(out %b: int32[4]) { for i in [0, 4) { %b[0] = i } }",
      "func f(out %b: int32[4]) { for i in [0, 4) { %b[i] = 0 } }",
      "func f(out %b: int32[4]) { for i in [0, 4) { %b[i] = i\n%b[i] = i } }",
      "func f(out %b: int32[4]) { pragma k 1 { for i in [0, 4) { %b[i] = i } "
      "} }",
      "func f(out %b: int32[4]) { pragma k 2 { for i in [0, 4) { %b[i] = i } "
      "} }",
      "func f(out %b: int32[4]) { if true { %b[0] = 0 } }",
      "func f(out %b: int32[4]) { if true { %b[0] = 0 } else { %b[0] = 0 } }",
      "func f(out %b: int32[4]) { let i = 1\n%b[i] = i }",
      "func f(out %b: int32[4]) { let i = 2\n%b[i] = i }",
      "func f(out %b: int32[4]) { let i = 1\n%b[i] = 1 }",
      "func f(out %b: int32[4]) { alloc %t: local int32[1] %b[0] = 0 }",
      "func f(out %b: int32[4]) { alloc %t: global int32[1] %b[0] = 0 }",
      "func f(out %b: int32[4]) { alloc %t: local int32[1] %t[0] = 0 }",
  };
  for (size_t i = 0; i < different.size(); ++i) {
    for (size_t j = 0; j < different.size(); ++j) {
      EXPECT_EQ(StructurallyEqual(Parse(different[i]), Parse(different[j])),
                i == j)
          << different[i] << "\n"
          << different[j];
    }
  }
}

TEST(StructuralEqualTest, SwappedLoopVariablesDiffer) {
  EXPECT_FALSE(StructurallyEqual(
      Parse("func f(out %b: int32[4,4]) {"
            "for i in [0, 4) { for j in [0, 4) { %b[i, j] = 0 } } }"),
      Parse("func f(out %b: int32[4,4]) {"
            "for i in [0, 4) { for j in [0, 4) { %b[j, i] = 0 } } }")));
}

}  // namespace
}  // namespace assay::tir
