// Compares pooling, reductions, softmax and layer_norm with the reference.
#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "compiler/graph/op/op.h"
#include "compiler/ops/testing/kernel_check.h"
#include "gtest/gtest.h"

namespace assay::ops {
namespace {

// Checks `%1: type = op(%x) attrs`, followed by a relu if `op` fuses with it.
std::string Check(const std::string& op, const std::string& x,
                  const std::string& type, const std::string& attrs,
                  CheckOptions options = {}) {
  const std::string head = absl::StrCat("graph g(%x: ", x, ") -> (");
  const std::string line =
      absl::StrCat("  %1: ", type, " = ", op, "(%x) ", attrs, "\n");
  std::string difference =
      CheckText(absl::StrCat(head, "%1) {\n", line, "}"), options);
  if (!difference.empty()) return difference;
  return CheckText(
      absl::StrCat(head, "%2) {\n", line, "  %2: ", type, " = negate(%1)\n}"),
      options);
}

TEST(ReductionTest, WindowPools) {
  for (const char* op : {"max_pool2d", "avg_pool2d"}) {
    for (const char* attrs :
         {"{kernel=[3,3], strides=[2,2], padding=[1,1,1,1]}",
          "{kernel=[3,2], strides=[2,1], padding=[0,1,2,0], dilations=[1,2]}",
          "{kernel=[3,3], strides=[2,2], padding=[1,1,1,1], ceil_mode=true}"}) {
      const std::string text = attrs;
      const bool dilated = text.find("dilations") != std::string::npos;
      const bool ceil = text.find("ceil") != std::string::npos;
      const std::string extent = dilated ? "4,9" : ceil ? "4,6" : "4,5";
      EXPECT_EQ(Check(op, "float32[1,5,7,10]",
                      absl::StrCat("float32[1,5,", extent, "]"), text),
                "")
          << op << attrs;
      EXPECT_EQ(
          Check(op, "float32[1,16,7,10]@blocks(8)",
                absl::StrCat("float32[1,16,", extent, "]@blocks(8)"), text),
          "")
          << op << attrs;
    }
  }
}

TEST(ReductionTest, AveragePoolIncludesPadding) {
  EXPECT_EQ(Check("avg_pool2d", "float32[1,3,7,10]", "float32[1,3,4,6]",
                  "{kernel=[3,3], strides=[2,2], padding=[1,1,1,1], "
                  "ceil_mode=true, count_include_pad=true}"),
            "");
}

TEST(ReductionTest, WrittenAndInlinedPadding) {
  for (const int64_t inline_pad : {0, 1}) {
    CheckOptions options;
    options.kernel.config.SetKnob("inline_pad", inline_pad)
        .SetSplit("tile", {-1, 3});
    for (const char* op : {"max_pool2d", "avg_pool2d"}) {
      EXPECT_EQ(
          Check(op, "float32[1,16,7,11]@blocks(8)",
                "float32[1,16,4,6]@blocks(8)",
                "{kernel=[3,3], strides=[2,2], padding=[1,1,1,1]}", options),
          "")
          << op << inline_pad;
    }
  }
}

TEST(ReductionTest, GlobalPools) {
  for (const char* op : {"global_avg_pool2d", "global_max_pool2d"}) {
    EXPECT_EQ(Check(op, "float32[2,5,3,5]", "float32[2,5,1,1]", ""), "") << op;
    EXPECT_EQ(Check(op, "float32[2,3,7,9]", "float32[2,3,1,1]", ""), "") << op;
    EXPECT_EQ(Check(op, "float32[2,16,3,5]@blocks(8)",
                    "float32[2,16,1,1]@blocks(8)", ""),
              "")
        << op;
  }
}

struct ReduceCase {
  const char* shape;
  const char* axes;
  const char* result;
};

// Rows with and without a remainder, columns, all axes, mixed axes.
constexpr ReduceCase kReduceCases[] = {
    {"[3,4,32]", "[2]", "[3,4]"},    {"[3,200]", "[1]", "[3]"},
    {"[2,5,7]", "[1,2]", "[2]"},     {"[5,3,19]", "[1]", "[5,19]"},
    {"[6,24]", "[0]", "[24]"},       {"[4,37]", "[0,1]", "[]"},
    {"[2,3,4,5]", "[0,2]", "[3,5]"}, {"[7]", "[0]", "[]"},
    {"[2,3,4,5]", "[1,3]", "[2,4]"}};

TEST(ReductionTest, EveryReduction){
#define ASSAY_CHECK_REDUCE(kind, op, pattern, attrs, rule)         \
  for (const ReduceCase& c : kReduceCases) {                       \
    CheckOptions options;                                          \
    options.low = 0.7f;                                            \
    options.high = 1.3f;                                           \
    options.relative = 1e-4;                                       \
    EXPECT_EQ(Check(op, absl::StrCat("float32", c.shape),          \
                    absl::StrCat("float32", c.result),             \
                    absl::StrCat("{axes=", c.axes, "}"), options), \
              "")                                                  \
        << op << c.shape << c.axes;                                \
  }
    ASSAY_FOR_EACH_REDUCE_OP(ASSAY_CHECK_REDUCE)
#undef ASSAY_CHECK_REDUCE
}

TEST(ReductionTest, KeptAxesAndIntegers) {
  EXPECT_EQ(Check("reduce_mean", "float32[2,3,20]", "float32[2,1,1]",
                  "{axes=[1,2], keepdims=true}"),
            "");
  EXPECT_EQ(Check("reduce_max", "float32[2,3,20]", "float32[2,1,20]",
                  "{axes=[1], keepdims=true}"),
            "");
  CheckOptions options;
  options.low = -9;
  options.high = 9;
  for (const char* op : {"reduce_sum", "reduce_max", "reduce_min"}) {
    EXPECT_EQ(Check(op, "int32[3,40]", "int32[3]", "{axes=[1]}", options), "");
    EXPECT_EQ(Check(op, "int64[40,3]", "int64[3]", "{axes=[0]}", options), "");
  }
}

TEST(ReductionTest, EveryIntegerType) {
  CheckOptions options;
  options.low = -128;
  options.high = 255;
  for (const char* type : {"int8", "uint8", "int16", "uint16", "int32",
                           "uint32", "int64", "uint64"}) {
    for (const char* op :
         {"reduce_sum", "reduce_prod", "reduce_max", "reduce_min"}) {
      EXPECT_EQ(Check(op, absl::StrCat(type, "[3,37]"),
                      absl::StrCat(type, "[3]"), "{axes=[1]}", options),
                "")
          << op << type;
      EXPECT_EQ(Check(op, absl::StrCat(type, "[9,2,19]"),
                      absl::StrCat(type, "[2,19]"), "{axes=[0]}", options),
                "")
          << op << type;
    }
    EXPECT_EQ(Check("arg_max", absl::StrCat(type, "[3,37]"), "int64[3]",
                    "{axis=1}", options),
              "")
        << type;
  }
}

// Rows with a remainder, short rows, columns, and a single row; a small set of
// integral values gives ties.
TEST(ReductionTest, ArgMaxAndArgMin) {
  const ReduceCase cases[] = {
      {"[3,4,32]", "2", "[3,4]"},   {"[3,203]", "1", "[3]"},
      {"[2,5,7]", "2", "[2,5]"},    {"[5,3,19]", "1", "[5,19]"},
      {"[6,24]", "0", "[24]"},      {"[70]", "0", "[]"},
      {"[2,40,1]", "1", "[2,1]"},   {"[1,1]", "0", "[1]"},
      {"[4,9,3,5]", "1", "[4,3,5]"}};
  CheckOptions options;
  options.low = -9;
  options.high = 9;
  for (const char* op : {"arg_max", "arg_min"}) {
    for (const char* type : {"float32", "int32", "int64"}) {
      for (const ReduceCase& c : cases) {
        for (const char* last : {"false", "true"}) {
          EXPECT_EQ(Check(op, absl::StrCat(type, c.shape),
                          absl::StrCat("int64", c.result),
                          absl::StrCat("{axis=", c.axes, ", last=", last, "}"),
                          options),
                    "")
              << op << type << c.shape << c.axes;
        }
      }
    }
    EXPECT_EQ(
        Check(op, "float32[2,40,3]", "int64[2,1,3]", "{axis=1, keepdims=true}"),
        "");
    EXPECT_EQ(
        Check(op, "float64[2,40]", "int64[2,1]", "{axis=1, keepdims=true}"),
        "");
  }
  EXPECT_EQ(CheckText("graph g(%x: float32[3,40], %y: float32[40]) -> (%2) {\n"
                      "  %1: float32[3,40] = subtract(%x, %y)\n"
                      "  %2: int64[3] = arg_max(%1) {axis=1}\n}"),
            "");
}

TEST(ReductionTest, InlinesProducersOfReduction) {
  EXPECT_EQ(CheckText("graph g(%x: float32[3,40], %y: float32[40]) -> (%3) {\n"
                      "  %1: float32[3,40] = subtract(%x, %y)\n"
                      "  %2: float32[3,40] = multiply(%1, %1)\n"
                      "  %3: float32[3] = reduce_sum(%2) {axes=[1]}\n}"),
            "");
}

TEST(ReductionTest, Softmax) {
  CheckOptions options;
  options.low = -6;
  options.high = 6;
  for (const char* op : {"softmax", "log_softmax"}) {
    for (const char* type : {"float32[3,64]", "float32[2,3,101]",
                             "float32[2,10]", "float32[37]"}) {
      const std::string text = type;
      const auto commas = std::count(text.begin(), text.end(), ',');
      EXPECT_EQ(
          Check(op, type, type, absl::StrCat("{axis=", commas, "}"), options),
          "")
          << op << type;
    }
    for (const char* axis : {"0", "1"}) {
      EXPECT_EQ(Check(op, "float32[3,5,18]", "float32[3,5,18]",
                      absl::StrCat("{axis=", axis, "}"), options),
                "")
          << op << axis;
    }
  }
}

TEST(ReductionTest, SoftmaxFloat64) {
  CheckOptions options;
  options.low = -9;
  options.high = 9;
  options.absolute = options.relative = 1e-14;
  for (const char* op : {"softmax", "log_softmax"}) {
    for (const char* axis : {"{axis=1}", "{axis=2}"}) {
      EXPECT_EQ(Check(op, "float64[2,3,21]", "float64[2,3,21]", axis, options),
                "")
          << op << axis;
    }
  }
}

TEST(ReductionTest, TransposedConvolution) {
  EXPECT_EQ(
      CheckText("graph g(%x: float32[2,3,4,5], %w: float32[3,4,3,3], %b: "
                "float32[4,1,1]) -> (%3) {\n  %1: float32[2,4,8,10] = "
                "conv2d_transpose(%x, %w) {strides=[2,2], padding=[1,1,1,1], "
                "dilations=[1,1], output_padding=[1,1], groups=1}\n"
                "  %2: float32[2,4,8,10] = add(%1, %b)\n"
                "  %3: float32[2,4,8,10] = relu(%2)\n}"),
      "");
  EXPECT_EQ(
      CheckText("graph g(%x: float32[1,4,4,5], %w: float32[4,3,2,3]) -> (%1) "
                "{ %1: float32[1,6,12,9] = conv2d_transpose(%x, %w) "
                "{strides=[3,1], padding=[0,0,1,0], dilations=[3,2], "
                "output_padding=[0,0], groups=2} }"),
      "");
}

TEST(ReductionTest, LayerNorm) {
  for (const char* shape : {"64", "37", "5"}) {
    EXPECT_EQ(
        CheckText(absl::StrCat(
            "graph g(%x: float32[2,3,", shape, "], %s: float32[", shape,
            "], %b: float32[", shape, "]) -> (%2) {\n  %1: float32[2,3,", shape,
            "] = layer_norm(%x, %s, %b) {axis=2, epsilon=1e-05}\n"
            "  %2: float32[2,3,",
            shape, "] = relu(%1)\n}")),
        "")
        << shape;
  }
  EXPECT_EQ(CheckText("graph g(%x: float32[2,3,10], %s: float32[3,10], %b: "
                      "float32[3,10]) -> (%1) {\n  %1: float32[2,3,10] = "
                      "layer_norm(%x, %s, %b) {axis=1, epsilon=0.001}\n}"),
            "");
}

}  // namespace
}  // namespace assay::ops
