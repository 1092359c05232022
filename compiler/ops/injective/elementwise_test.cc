#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// `op(x)` on values in [-4, 4].
std::string CheckUnary(const std::string& op, const std::string& attrs,
                       const std::string& type) {
  CheckOptions options;
  options.low = -4;
  options.high = 4;
  if (type.rfind("float16", 0) == 0) options.relative = 1e-3;
  if (type.rfind("bfloat16", 0) == 0) options.relative = 8e-3;
  return CheckText(absl::StrCat("graph g(%x: ", type, ") -> (%1) { %1: ", type,
                                " = ", op, "(%x) ", attrs, " }"),
                   options);
}

std::string UnaryAttrs(const std::string& op) {
  if (op == "leaky_relu") return "{alpha=0.1}";
  if (op == "elu") return "{alpha=1.5}";
  if (op == "hard_sigmoid") return "{alpha=0.2, beta=0.5}";
  if (op == "clip") return "{min=-1, max=2.5}";
  return "";
}

// A dimension that vectors divide and one that they do not.
TEST(ElementwiseTest, EveryUnaryOperator){
#define ASSAY_CHECK_UNARY(kind, op, pattern, attrs)                           \
  for (const char* type : {"float32[3,32]", "float32[5,7]"}) {                \
    EXPECT_EQ(CheckUnary(op, UnaryAttrs(op), type), "") << op << " " << type; \
  }
    ASSAY_FOR_EACH_UNARY_OP(ASSAY_CHECK_UNARY)
#undef ASSAY_CHECK_UNARY
}

TEST(ElementwiseTest, NarrowFloatsAreStorage) {
  for (const char* op : {"relu", "exp", "gelu", "clip", "sigmoid"}) {
    for (const char* type : {"float16[3,32]", "bfloat16[3,32]"}) {
      EXPECT_EQ(CheckUnary(op, UnaryAttrs(op), type), "") << op << " " << type;
    }
  }
}

TEST(ElementwiseTest, Integers) {
  for (const char* op : {"relu", "negate", "abs", "sign"}) {
    for (const char* type : {"int32[3,16]", "int64[5]"}) {
      EXPECT_EQ(CheckUnary(op, "", type), "") << op << " " << type;
    }
  }
}

std::string CheckBinary(const std::string& op, const std::string& a,
                        const std::string& b, const std::string& result,
                        CheckOptions options) {
  return CheckText(absl::StrCat("graph g(%a: ", a, ", %b: ", b, ") -> (%1) { ",
                                "%1: ", result, " = ", op, "(%a, %b) }"),
                   options);
}

TEST(ElementwiseTest, EveryBinaryOperator){
#define ASSAY_CHECK_BINARY(kind, op, pattern, attrs)                        \
  {                                                                         \
    CheckOptions options;                                                   \
    options.low = op == std::string("power") ? 0.1f : -4;                   \
    options.high = 4;                                                       \
    EXPECT_EQ(CheckBinary(op, "float32[2,3,32]", "float32[3,1]",            \
                          "float32[2,3,32]", options),                      \
              "")                                                           \
        << op;                                                              \
    EXPECT_EQ(CheckBinary(op, "float32[7]", "float32[5,1]", "float32[5,7]", \
                          options),                                         \
              "")                                                           \
        << op;                                                              \
    options.relative = 1e-2;                                                \
    EXPECT_EQ(CheckBinary(op, "bfloat16[2,16]", "bfloat16[16]",             \
                          "bfloat16[2,16]", options),                       \
              "")                                                           \
        << op;                                                              \
  }
    ASSAY_FOR_EACH_BINARY_OP(ASSAY_CHECK_BINARY)
#undef ASSAY_CHECK_BINARY
}

TEST(ElementwiseTest, IntegerDivisionTruncates) {
  CheckOptions options;
  options.low = -30;
  options.high = -1;
  // Both negative; then a positive dividend by way of the product.
  EXPECT_EQ(
      CheckBinary("divide", "int32[64]", "int32[64]", "int32[64]", options),
      "");
  EXPECT_EQ(CheckText("graph g(%a: int64[64], %b: int64[64]) -> (%2) {\n"
                      "  %1: int64[64] = negate(%a)\n"
                      "  %2: int64[64] = divide(%1, %b)\n}",
                      options),
            "");
}

// Negative bases, integral and other exponents, zeros.
TEST(ElementwiseTest, PowerOfAllSigns) {
  CheckOptions options;
  options.low = -3;
  options.high = 3;
  EXPECT_EQ(CheckText("graph g(%a: float32[64], %b: float32[64]) -> (%3) {\n"
                      "  %1: float32[64] = round(%a)\n"
                      "  %2: float32[64] = round(%b)\n"
                      "  %3: float32[64] = power(%1, %2)\n}",
                      options),
            "");
  EXPECT_EQ(CheckBinary("power", "float32[64]", "float32[64]", "float32[64]",
                        options),
            "");
}

// One kernel for a chain; a value that several operators need is inlined into
// each.
TEST(ElementwiseTest, Chains) {
  EXPECT_EQ(CheckText("graph g(%x: float32[2,24], %b: float32[24]) -> (%4) {\n"
                      "  %1: float32[2,24] = add(%x, %b)\n"
                      "  %2: float32[2,24] = sigmoid(%1)\n"
                      "  %3: float32[2,24] = multiply(%1, %2)\n"
                      "  %4: float32[2,24] = gelu(%3)\n}"),
            "");
}

}  // namespace
}  // namespace assay::ops
