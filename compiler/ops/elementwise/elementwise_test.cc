#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/ops/testing/kernel_check.h"
#include "compiler/ops/testing/operator_cases.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// Checks `op(x)` on values in [-4, 4].
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

// Extents that are and are not multiples of the vector length.
TEST(ElementwiseTest, EveryUnaryOperator){
#define ASSAY_CHECK_UNARY(kind, op, pattern, attrs, rule)                    \
  for (const char* shape : {"[3,32]", "[5,7]"}) {                            \
    EXPECT_EQ(CheckUnary(op, ExampleAttrs(op), ExampleType(op) + shape), "") \
        << op << shape;                                                      \
  }
    ASSAY_FOR_EACH_UNARY_OP(ASSAY_CHECK_UNARY)
#undef ASSAY_CHECK_UNARY
}

TEST(ElementwiseTest, NarrowFloatsAreStorage) {
  for (const char* op : {"relu", "exp", "gelu", "clip", "sigmoid"}) {
    for (const char* type : {"float16[3,32]", "bfloat16[3,32]"}) {
      EXPECT_EQ(CheckUnary(op, ExampleAttrs(op), type), "")
          << op << " " << type;
    }
  }
}

TEST(ElementwiseTest, Float64) {
  for (const char* op : {"exp", "tanh", "sin", "cos", "tan", "asin", "acosh",
                         "sinh", "atan", "sign", "negate"}) {
    CheckOptions options;
    options.low = -3;
    options.high = 3;
    options.absolute = options.relative = 1e-14;
    EXPECT_EQ(CheckText(absl::StrCat("graph g(%x: float64[5,9]) -> (%1) { %1: ",
                                     "float64[5,9] = ", op, "(%x) }"),
                        options),
              "")
        << op;
  }
}

TEST(ElementwiseTest, Integers) {
  for (const char* op : {"relu", "negate", "abs", "sign", "bitwise_not"}) {
    for (const char* type : {"int8[3,16]", "int16[7]", "int32[3,16]",
                             "int64[5]", "uint8[19]", "uint64[4]"}) {
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
#define ASSAY_CHECK_BINARY(kind, op, pattern, attrs, rule)                    \
  {                                                                           \
    CheckOptions options;                                                     \
    options.low = ExampleRange(op).low;                                       \
    options.high = ExampleRange(op).high;                                     \
    const std::string type = ExampleType(op), result = ExampleResultType(op); \
    EXPECT_EQ(CheckBinary(op, type + "[2,3,32]", type + "[3,1]",              \
                          result + "[2,3,32]", options),                      \
              "")                                                             \
        << op;                                                                \
    EXPECT_EQ(CheckBinary(op, type + "[7]", type + "[5,1]", result + "[5,7]", \
                          options),                                           \
              "")                                                             \
        << op;                                                                \
  }
    ASSAY_FOR_EACH_BINARY_OP(ASSAY_CHECK_BINARY)
#undef ASSAY_CHECK_BINARY
}

TEST(ElementwiseTest, BinaryOperatorsOnNarrowFloats) {
  CheckOptions options;
  options.low = 0.1f;
  options.high = 4;
  options.relative = 1e-2;
  for (const char* op : {"add", "divide", "maximum", "power", "prelu",
                         "trunc_mod", "equal", "less"}) {
    for (const char* type : {"bfloat16", "float16"}) {
      const bool compares = op[0] == 'e' || op[0] == 'l';
      EXPECT_EQ(CheckBinary(op, absl::StrCat(type, "[2,16]"),
                            absl::StrCat(type, "[16]"),
                            absl::StrCat(compares ? "bool" : type, "[2,16]"),
                            options),
                "")
          << op << type;
    }
  }
}

// Combines all 8-bit values with a few, including the lowest, -1 and 0; wider
// types are tested at the ends of their ranges.
TEST(ElementwiseTest, BinaryOperatorsOnEveryInteger) {
  CheckOptions options;
  options.low = -128;
  options.high = 255;
  for (const char* op :
       {"add", "subtract", "multiply", "divide", "floor_mod", "trunc_mod",
        "maximum", "minimum", "power", "prelu", "equal", "less", "less_equal",
        "bitwise_and", "bitwise_or", "bitwise_xor"}) {
    for (const char* type : {"int8", "uint8", "int16", "uint16", "int32",
                             "uint32", "int64", "uint64"}) {
      const bool compares = ExampleResultType(op) == "bool";
      EXPECT_EQ(CheckBinary(op, absl::StrCat(type, "[67,1]"),
                            absl::StrCat(type, "[39]"),
                            absl::StrCat(compares ? "bool" : type, "[67,39]"),
                            options),
                "")
          << op << type;
    }
  }
  options.low = -9.3e18f;
  options.high = 9.3e18f;
  for (const char* op : {"divide", "floor_mod", "less", "maximum", "power"}) {
    for (const char* type : {"int64", "uint64"}) {
      const bool compares = ExampleResultType(op) == "bool";
      EXPECT_EQ(CheckText(absl::StrCat("graph g(%a: ", type, "[33], %b: ", type,
                                       "[33]) -> (%3) {\n", "  %1: ", type,
                                       "[33] = multiply(%a, %b)\n",
                                       "  %2: ", type, "[33] = add(%b, %b)\n",
                                       "  %3: ", compares ? "bool" : type,
                                       "[33] = ", op, "(%1, %2)\n}"),
                          options),
                "")
          << op << type;
    }
  }
}

TEST(ElementwiseTest, Logic) {
  for (const char* op : {"bitwise_and", "bitwise_or", "bitwise_xor", "equal"}) {
    EXPECT_EQ(CheckBinary(op, "bool[3,1]", "bool[33]", "bool[3,33]", {}), "")
        << op;
  }
  EXPECT_EQ(CheckUnary("bitwise_not", "", "bool[3,33]"), "");
}

TEST(ElementwiseTest, Shifts) {
  CheckOptions options;
  options.low = 0;
  options.high = 70;
  for (const char* op : {"shift_left", "shift_right"}) {
    for (const char* type : {"uint8", "uint16", "uint32", "uint64"}) {
      EXPECT_EQ(CheckBinary(op, absl::StrCat(type, "[37]"),
                            absl::StrCat(type, "[37]"),
                            absl::StrCat(type, "[37]"), options),
                "")
          << op << type;
    }
  }
}

// Infinite and large quotients, divisors of 0, both signs.
TEST(ElementwiseTest, FloatRemainders) {
  for (const char* constant : {"0.3", "-7", "0", "inf", "1e-05"}) {
    EXPECT_EQ(
        CheckText(absl::StrCat("graph g(%a: float32[64]) -> (%2) {\n"
                               "  %1: float32[] = constant {value=[",
                               constant,
                               "]}\n"
                               "  %2: float32[64] = trunc_mod(%a, %1)\n}")),
        "")
        << constant;
  }
}

TEST(ElementwiseTest, SelectAndBroadcast) {
  for (const char* t : {"float32", "float16", "int8", "uint64", "bool"}) {
    const std::string inputs =
        absl::StrCat("graph g(%c: bool[3,1], %x: ", t, "[5,1,33], %y: ", t,
                     "[]) -> (%2) {\n  %1: ", t);
    EXPECT_EQ(CheckText(absl::StrCat(
                  inputs, "[5,3,33] = select(%c, %x, %y)\n  %2: ", t,
                  "[2,5,3,33] = broadcast_to(%1) {shape=[2,5,3,33]}\n}")),
              "")
        << t;
  }
}

// Only NaN is not equal to itself.
TEST(ElementwiseTest, ComparisonsWithNan) {
  for (const char* t : {"float32", "float16", "float64"}) {
    EXPECT_EQ(CheckText(absl::StrCat(
                  "graph g(%x: ", t, "[33]) -> (%3) {\n  %1: ", t,
                  "[33] = log(%x)\n  %2: bool[33] = equal(%1, %1)\n"
                  "  %3: bool[33] = bitwise_not(%2)\n}")),
              "")
        << t;
    EXPECT_EQ(
        CheckText(absl::StrCat("graph g(%x: ", t, "[33]) -> (%3) {\n  %1: ", t,
                               "[33] = log(%x)\n  %2: bool[33] = "
                               "less(%1, %x)\n  %3: bool[33] = "
                               "bitwise_not(%2)\n}")),
        "")
        << t;
  }
}

TEST(ElementwiseTest, IntegerDivisionTruncates) {
  CheckOptions options;
  options.low = -30;
  options.high = -1;
  // Both operands negative; then a positive dividend, computed as a product.
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

// A chain becomes one kernel; a value with several users is inlined into each.
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
