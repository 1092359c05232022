#include "compiler/ops/testing/operator_cases.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "compiler/graph/op/op_list.h"
#include "compiler/ops/testing/recurrent_cases.h"

namespace assay::ops {
namespace {

using Cases = std::vector<OperatorCase>;

// A body whose result %1 of type `type` is `call` on the declared `inputs`.
OperatorCase One(const std::string& name, const std::string& inputs,
                 const std::string& type, const std::string& call) {
  OperatorCase c;
  c.name = name;
  c.graph = absl::StrCat("graph g(", inputs, ") -> (%1) { %1: ", type, " = ",
                         call, " }");
  return c;
}

// The same, followed by a bias and a relu.
OperatorCase Fused(const std::string& name, const std::string& inputs,
                   const std::string& bias, const std::string& type,
                   const std::string& call) {
  OperatorCase c;
  c.name = name;
  c.graph = absl::StrCat(
      "graph g(", inputs, ", %b: ", bias, ") -> (%3) {\n  %1: ", type, " = ",
      call, "\n  %2: ", type, " = add(%1, %b)\n  %3: ", type, " = relu(%2)\n}");
  return c;
}

void AddConvolutions(Cases& cases) {
  cases.push_back(Fused(
      "conv_plain", "%x: float32[2,3,9,7], %w: float32[5,3,3,3]",
      "float32[5,1,1]", "float32[2,5,9,7]",
      "conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], "
      "groups=1}"));
  cases.push_back(Fused(
      "conv_grouped", "%x: float32[1,4,7,5], %w: float32[6,2,3,3]",
      "float32[6,1,1]", "float32[1,6,5,3]",
      "conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], "
      "groups=2}"));
  cases.push_back(Fused(
      "conv_blocked",
      "%x: float32[1,8,9,29]@blocks(4), "
      "%w: float32[24,8,3,3]@filters(in=4,out=8)",
      "float32[24,1,1]", "float32[1,24,5,15]@blocks(8)",
      "conv2d(%x, %w) {strides=[2,2], padding=[1,1,1,1], dilations=[1,1], "
      "groups=1}"));
  cases.push_back(Fused(
      "conv_dilated",
      "%x: float32[1,3,9,11]@blocks(3), "
      "%w: float32[8,3,3,3]@filters(in=3,out=4)",
      "float32[8,1,1]", "float32[1,8,5,11]@blocks(4)",
      "conv2d(%x, %w) {strides=[1,1], padding=[0,1,0,1], dilations=[2,1], "
      "groups=1}"));
  cases.push_back(Fused(
      "conv_pointwise",
      "%x: float32[2,16,5,7]@blocks(8), "
      "%w: float32[24,16,1,1]@filters(in=8,out=8)",
      "float32[24,1,1]", "float32[2,24,5,7]@blocks(8)",
      "conv2d(%x, %w) {strides=[1,1], padding=[0,0,0,0], dilations=[1,1], "
      "groups=1}"));
  cases.push_back(Fused(
      "conv_pointwise_strided",
      "%x: float32[1,8,9,7]@blocks(4), "
      "%w: float32[16,8,1,1]@filters(in=4,out=8)",
      "float32[16,1,1]", "float32[1,16,5,4]@blocks(8)",
      "conv2d(%x, %w) {strides=[2,2], padding=[0,0,0,0], dilations=[1,1], "
      "groups=1}"));
  cases.push_back(Fused(
      "conv_depthwise",
      "%x: float32[1,16,9,13]@blocks(8), "
      "%w: float32[16,1,3,3]@filters(in=8,out=8)",
      "float32[16,1,1]", "float32[1,16,5,7]@blocks(8)",
      "conv2d(%x, %w) {strides=[2,2], padding=[1,1,1,1], dilations=[1,1], "
      "groups=16}"));
  cases.push_back(Fused(
      "conv_depthwise_plain", "%x: float32[1,5,9,7], %w: float32[5,1,3,3]",
      "float32[5,1,1]", "float32[1,5,9,7]",
      "conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], "
      "groups=5}"));
  for (const int m : {2, 4, 6}) {
    cases.push_back(Fused(absl::StrCat("conv_winograd_", m),
                          absl::StrCat("%x: float32[1,8,9,7]@blocks(4), "
                                       "%w: float32[16,8,3,3]@winograd(m=",
                                       m, ",block=8)"),
                          "float32[16,1,1]", "float32[1,16,9,7]@blocks(8)",
                          "conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], "
                          "dilations=[1,1], groups=1}"));
    cases.back().tolerance = 1e-4;
  }
  cases.push_back(
      Fused("conv_transpose", "%x: float32[1,3,4,5], %w: float32[3,4,3,3]",
            "float32[4,1,1]", "float32[1,4,8,10]",
            "conv2d_transpose(%x, %w) {strides=[2,2], padding=[1,1,1,1], "
            "dilations=[1,1], output_padding=[1,1], groups=1}"));
  cases.push_back(Fused(
      "conv_groups_of_blocks",
      "%x: float32[1,16,7,9]@blocks(4), "
      "%w: float32[32,8,3,3]@filters(in=4,out=8)",
      "float32[32,1,1]", "float32[1,32,7,9]@blocks(8)",
      "conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], "
      "groups=2}"));
  cases.push_back(Fused(
      "conv_blocks_of_groups",
      "%x: float32[1,16,7,9]@blocks(8), "
      "%w: float32[16,2,3,3]@filters(in=8,out=8)",
      "float32[16,1,1]", "float32[1,16,7,9]@blocks(8)",
      "conv2d(%x, %w) {strides=[1,1], padding=[1,1,1,1], dilations=[1,1], "
      "groups=8}"));
  cases.push_back(
      Fused("conv_transpose_blocked",
            "%x: float32[1,8,4,5]@blocks(4), %w: "
            "float32[8,16,3,4]@filters(in=4,out=8,transposed_groups=1)",
            "float32[16,1,1]", "float32[1,16,8,10]@blocks(8)",
            "conv2d_transpose(%x, %w) {strides=[2,2], padding=[1,1,1,1], "
            "dilations=[1,1], output_padding=[1,0], groups=1}"));
  cases.push_back(
      One("conv_transpose_grouped",
          "%x: float32[1,4,4,5], %w: float32[4,3,2,3]", "float32[1,6,12,9]",
          "conv2d_transpose(%x, %w) {strides=[3,1], padding=[0,0,1,0], "
          "dilations=[3,2], output_padding=[0,0], groups=2}"));
}

void AddProducts(Cases& cases) {
  cases.push_back(Fused("dense", "%x: float32[3,64], %w: float32[9,64]",
                        "float32[9]", "float32[3,9]", "dense(%x, %w)"));
  cases.push_back(One("dense_rest", "%x: float32[2,37], %w: float32[9,37]",
                      "float32[2,9]", "dense(%x, %w)"));
  cases.push_back(
      Fused("dense_panels",
            "%x: float32[29,37], "
            "%w: float32[41,37]@panels(width=16,depth=40,transposed=true)",
            "float32[41]", "float32[29,41]", "dense(%x, %w)"));
  cases.push_back(
      One("matmul_narrow_panels",
          "%x: float32[5,7], %w: float32[7,8]@panels(width=3,depth=7)",
          "float32[5,8]", "matmul(%x, %w)"));
  cases.push_back(Fused("matmul_blocked",
                        "%x: float32[29,65], %y: float32[65,35]", "float32[35]",
                        "float32[29,35]", "matmul(%x, %y)"));
  cases.push_back(One("matmul_batched",
                      "%x: float32[2,1,3,4], %y: float32[5,4,9]",
                      "float32[2,5,3,9]", "matmul(%x, %y)"));
}

// Integer cases, compared exactly: every operand type of a register tile, with
// epilogues.
void AddNarrowProducts(Cases& cases) {
  for (const char* types : {"uint8 int8", "int8 int8", "uint8 uint8",
                            "int8 uint8", "int16 int16"}) {
    const std::vector<std::string> t = absl::StrSplit(types, ' ');
    const bool is_signed = t[0][0] == 'i' && t[1][0] == 'i';
    cases.push_back(
        One(absl::StrCat("matmul_", t[0], "_", t[1]),
            absl::StrCat("%x: ", t[0], "[13,70], %y: ", t[1], "[70,41]"),
            "int32[13,41]", "matmul(%x, %y)"));
    cases.back().low = is_signed ? -128 : 0;
    cases.back().high = t[0] == "uint8" && t[1] == "uint8" ? 255 : 127;
  }
  OperatorCase requantized;
  requantized.name = "matmul_requantized";
  requantized.graph =
      "graph g(%x: uint8[21,40], %y: int8[40,33], %b: int32[33], "
      "%s: float32[33], %z: uint8[]) -> (%3) {\n"
      "  %1: int32[21,33] = matmul(%x, %y)\n"
      "  %2: int32[21,33] = add(%1, %b)\n"
      "  %3: uint8[21,33] = requantize(%2, %s, %z) {axis=1, dtype=uint8}\n}";
  requantized.low = 0;
  requantized.high = 9;
  cases.push_back(requantized);
  for (const std::string type : {"float16", "bfloat16"}) {
    cases.push_back(
        One("matmul_" + type,
            absl::StrCat("%x: ", type, "[29,65], %y: ", type, "[65,35]"),
            "float32[29,35]", "matmul(%x, %y)"));
  }
}

void AddPools(Cases& cases) {
  for (const char* op : {"max_pool2d", "avg_pool2d"}) {
    cases.push_back(One(op, "%x: float32[1,5,7,10]", "float32[1,5,4,6]",
                        absl::StrCat(op,
                                     "(%x) {kernel=[3,3], strides=[2,2], "
                                     "padding=[1,1,1,1], ceil_mode=true}")));
    cases.push_back(One(absl::StrCat(op, "_blocked"),
                        "%x: float32[1,16,7,9]@blocks(8)",
                        "float32[1,16,4,5]@blocks(8)",
                        absl::StrCat(op,
                                     "(%x) {kernel=[3,3], strides=[2,2], "
                                     "padding=[1,1,1,1]}")));
  }
  for (const char* op : {"global_avg_pool2d", "global_max_pool2d"}) {
    cases.push_back(One(op, "%x: float32[2,5,3,7]", "float32[2,5,1,1]",
                        absl::StrCat(op, "(%x)")));
    cases.push_back(
        One(absl::StrCat(op, "_blocked"), "%x: float32[2,16,3,5]@blocks(8)",
            "float32[2,16,1,1]@blocks(8)", absl::StrCat(op, "(%x)")));
  }
}

void AddReduction(Cases& cases, const std::string& op) {
  const std::string call = absl::StrCat(op, "(%x) ");
  cases.push_back(One(absl::StrCat(op, "_rows"), "%x: float32[3,37]",
                      "float32[3]", call + "{axes=[1]}"));
  cases.push_back(One(absl::StrCat(op, "_columns"), "%x: float32[5,3,19]",
                      "float32[5,1,19]", call + "{axes=[1], keepdims=true}"));
  cases.push_back(One(absl::StrCat(op, "_all"), "%x: float32[4,11]",
                      "float32[]", call + "{axes=[0,1]}"));
}

void AddRows(Cases& cases) {
#define ASSAY_ADD_REDUCTION(kind, op, pattern, attrs, rule) \
  AddReduction(cases, op);
  ASSAY_FOR_EACH_REDUCE_OP(ASSAY_ADD_REDUCTION)
#undef ASSAY_ADD_REDUCTION
  for (const char* op : {"arg_max", "arg_min"}) {
    cases.push_back(One(absl::StrCat(op, "_rows"), "%x: float32[3,37]",
                        "int64[3]", absl::StrCat(op, "(%x) {axis=1}")));
    cases.push_back(One(absl::StrCat(op, "_columns"), "%x: int32[5,3,19]",
                        "int64[5,19]",
                        absl::StrCat(op, "(%x) {axis=1, last=true}")));
    cases.back().low = -9;
    cases.back().high = 9;
  }
  cases.push_back(One("reduce_integers", "%x: int64[3,21]", "int64[3]",
                      "reduce_max(%x) {axes=[1]}"));
  cases.back().low = -99;
  cases.back().high = 99;
  for (const char* op : {"softmax", "log_softmax"}) {
    for (const int axis : {0, 2}) {
      cases.push_back(One(absl::StrCat(op, "_", axis), "%x: float32[3,5,21]",
                          "float32[3,5,21]",
                          absl::StrCat(op, "(%x) {axis=", axis, "}")));
      cases.back().low = -6;
      cases.back().high = 6;
    }
  }
  cases.push_back(
      One("layer_norm", "%x: float32[2,3,37], %s: float32[37], %b: float32[37]",
          "float32[2,3,37]", "layer_norm(%x, %s, %b) {axis=2, epsilon=1e-05}"));
}

void AddUnary(Cases& cases, const std::string& op) {
  const std::string type = ExampleType(op) + "[5,37]";
  cases.push_back(One(op, "%x: " + type, type,
                      absl::StrCat(op, "(%x) ", ExampleAttrs(op))));
  cases.back().low = ExampleRange(op).low;
  cases.back().high = ExampleRange(op).high;
}

void AddBinary(Cases& cases, const std::string& op) {
  const std::string type = ExampleType(op);
  cases.push_back(
      One(op, absl::StrCat("%x: ", type, "[2,3,21], %y: ", type, "[3,1]"),
          ExampleResultType(op) + "[2,3,21]", absl::StrCat(op, "(%x, %y)")));
  cases.back().low = ExampleRange(op).low;
  cases.back().high = ExampleRange(op).high;
}

void AddElementwise(Cases& cases) {
#define ASSAY_ADD_UNARY(kind, op, pattern, attrs, rule) AddUnary(cases, op);
  ASSAY_FOR_EACH_UNARY_OP(ASSAY_ADD_UNARY)
#undef ASSAY_ADD_UNARY
#define ASSAY_ADD_BINARY(kind, op, pattern, attrs, rule) AddBinary(cases, op);
  ASSAY_FOR_EACH_BINARY_OP(ASSAY_ADD_BINARY)
#undef ASSAY_ADD_BINARY
  for (const char* type : {"int8", "uint16", "int64", "uint64", "bool"}) {
    cases.push_back(One(
        absl::StrCat("select_", type),
        absl::StrCat("%c: bool[3,1], %x: ", type, "[3,37], %y: ", type, "[]"),
        absl::StrCat(type, "[3,37]"), "select(%c, %x, %y)"));
    cases.back().high = 90;
    cases.push_back(
        One(absl::StrCat("equal_", type),
            absl::StrCat("%x: ", type, "[3,37], %y: ", type, "[37]"),
            "bool[3,37]", "equal(%x, %y)"));
    cases.back().high = 3;
  }
  cases.push_back(One("broadcast_to", "%x: float32[3,1]", "float32[2,3,17]",
                      "broadcast_to(%x) {shape=[2,3,17]}"));
  // The lowest value divided by -1, and division by 0.
  for (const char* type : {"int8", "uint8", "int32", "uint64"}) {
    for (const char* op : {"divide", "floor_mod", "trunc_mod", "power"}) {
      cases.push_back(
          One(absl::StrCat(op, "_edges_", type),
              absl::StrCat("%x: ", type, "[37,1], %y: ", type, "[21]"),
              absl::StrCat(type, "[37,21]"), absl::StrCat(op, "(%x, %y)")));
      cases.back().low = -128;
      cases.back().high = 127;
    }
  }
  // Neither operand of a division is zero.
  for (const char* type : {"int32[21]", "int64[21]"}) {
    for (const char* op : {"divide", "maximum"}) {
      cases.push_back(
          One(absl::StrCat(op, type[3] == '3' ? "_int32" : "_int64"),
              absl::StrCat("%x: ", type, ", %y: ", type), type,
              absl::StrCat(op, "(%x, %y)")));
      cases.back().low = -99;
      cases.back().high = -1;
    }
  }
}

void AddIndexed(Cases& cases) {
  cases.push_back(One("gather_elements", "%x: float32[5,13], %i: int64[7,13]",
                      "float32[7,13]", "gather_elements(%x, %i) {axis=0}"));
  cases.push_back(One("gather_nd", "%x: int8[4,4,5], %i: int64[3,2]",
                      "int8[3,5]", "gather_nd(%x, %i)"));
  cases.push_back(One(
      "scatter_elements", "%x: float32[4,5], %i: int64[9,5], %u: float32[9,5]",
      "float32[4,5]", "scatter_elements(%x, %i, %u) {axis=0, reduction=add}"));
  cases.push_back(One("scatter_nd",
                      "%x: int32[4,4,5], %i: int64[3,2], %u: int32[3,5]",
                      "int32[4,4,5]", "scatter_nd(%x, %i, %u)"));
  cases.push_back(One("arg_sort", "%x: int16[5,37]", "int64[5,9]",
                      "arg_sort(%x) {axis=1, k=9, descending=true}"));
  cases.push_back(One("cum_sum", "%x: int32[5,37]", "int32[5,37]",
                      "cum_sum(%x) {axis=1, reverse=true}"));
  for (size_t i = cases.size() - 6; i < cases.size(); ++i) {
    cases[i].low = -4;
    cases[i].high = 3;
  }
}

void AddMovement(Cases& cases) {
  cases.push_back(One("reshape", "%x: float32[2,6,5]", "float32[4,15]",
                      "reshape(%x) {shape=[4,15]}"));
  cases.push_back(One("transpose", "%x: float32[2,3,17]", "float32[17,2,3]",
                      "transpose(%x) {perm=[2,0,1]}"));
  cases.push_back(One("concat",
                      "%x: float32[2,3], %y: float32[2,1], %z: float32[2,9]",
                      "float32[2,13]", "concat(%x, %y, %z) {axis=1}"));
  cases.push_back(One("gather", "%x: float32[5,13], %i: int64[3]",
                      "float32[3,13]", "gather(%x, %i) {axis=0}"));
  cases.back().low = 0;
  cases.back().high = 4;
  cases.push_back(One("slice", "%x: float32[5,40]", "float32[2,13]",
                      "slice(%x) {begins=[4,3], steps=[-3,2], sizes=[2,13]}"));
  cases.push_back(One("pad", "%x: float32[2,3,5]", "float32[2,6,16]",
                      "pad(%x) {before=[0,1,4], after=[0,2,7], value=2.5}"));
  cases.push_back(One("to_blocks", "%x: float32[1,6,5,7]",
                      "float32[1,6,5,7]@blocks(3)", "encode(%x)"));
  cases.push_back(One("from_blocks", "%x: float32[1,16,3,3]@blocks(8)",
                      "float32[1,16,3,3]", "encode(%x)"));
}

// A cast to `to`; for a 16-bit float also the cast back.
OperatorCase Cast(const std::string& from, const std::string& to) {
  const std::string inputs = absl::StrCat("%x: ", from, "[3,13]");
  const std::string cast = absl::StrCat("cast(%x) {dtype=", to, "}");
  OperatorCase c =
      One(absl::StrCat("cast_", from, "_", to), inputs, to + "[3,13]", cast);
  if (to == "float16" || to == "bfloat16") {
    c.graph = absl::StrCat(
        "graph g(", inputs, ") -> (%2) {\n  %1: ", to, "[3,13] = ", cast,
        "\n  %2: float32[3,13] = cast(%1) {dtype=float32}\n}");
  }
  c.low = -90;
  c.high = 90;
  return c;
}

void AddImages(Cases& cases) {
  cases.push_back(One("resample",
                      "%x: float32[2,5,19], %i: int32[7,2], %w: float32[7,2]",
                      "float32[2,7,19]", "resample(%x, %i, %w) {axis=1}"));
  cases.back().low = 0;
  cases.back().high = 4;
  cases.push_back(One("grid_sample",
                      "%x: float32[1,3,5,7], %g: float32[1,4,6,2]",
                      "float32[1,3,4,6]", "grid_sample(%x, %g) {taps=2}"));
  cases.push_back(One("roi_align",
                      "%x: float32[1,2,9,7], %r: float32[3,4], %n: int64[3]",
                      "float32[3,2,2,3]",
                      "roi_align(%x, %r, %n) {output=[2,3], sampling=2, "
                      "scale=1}"));
  cases.back().high = 7;
  cases.push_back(One("max_roi_pool", "%x: float32[1,2,9,7], %r: float32[3,5]",
                      "float32[3,2,2,3]",
                      "max_roi_pool(%x, %r) {output=[2,3], scale=1}"));
  cases.back().high = 7;
  cases.push_back(One("reverse_sequence", "%x: float32[5,3,7], %n: int64[3]",
                      "float32[5,3,7]",
                      "reverse_sequence(%x, %n) {batch_axis=1, time_axis=0}"));
  cases.back().low = 0;
  cases.back().high = 5;
}

void AddIrregular(Cases& cases) {
  OperatorCase c;
  c.name = "non_max_suppression";
  c.graph =
      "graph g(%b: float32[2,17,4], %s: float32[2,3,17]) -> (%1, %1.1) {\n"
      "  %1: (int64[24,3], int64[]) = non_max_suppression(%b, %s) {most=4, "
      "iou_threshold=0.25, score_threshold=-0.5}\n}";
  cases.push_back(c);
  c.name = "non_zero";
  c.graph =
      "graph g(%x: int32[3,7]) -> (%1, %1.1) {\n"
      "  %1: (int64[2,21], int64[]) = non_zero(%x)\n}";
  cases.push_back(c);
  c.name = "unique";
  c.graph =
      "graph g(%x: int32[17]) -> (%1, %1.1, %1.2, %1.3) {\n"
      "  %1: (int64[17], int64[17], int64[17], int64[]) = unique(%x) {axis=0, "
      "sorted=false}\n}";
  cases.push_back(c);
}

void AddConversions(Cases& cases) {
  for (const char* from :
       {"float32", "float16", "bfloat16", "int32", "int8", "int64"}) {
    for (const char* to : {"float32", "float16", "bfloat16", "float64", "int8",
                           "int32", "int64", "bool"}) {
      cases.push_back(Cast(from, to));
    }
  }
  cases.push_back(
      One("quantize", "%x: float32[2,3,17], %s: float32[3], %z: int8[3]",
          "int8[2,3,17]", "quantize(%x, %s, %z) {axis=1, dtype=int8}"));
  cases.back().low = 1;
  cases.back().high = 40;
  cases.push_back(
      One("dequantize", "%x: int8[2,19], %s: float32[19], %z: int8[19]",
          "float32[2,19]", "dequantize(%x, %s, %z) {axis=1, dtype=float32}"));
  cases.back().low = 0;
  cases.back().high = 90;
  cases.push_back(
      One("requantize", "%x: int32[2,3,5], %s: float32[3], %z: uint8[]",
          "uint8[2,3,5]", "requantize(%x, %s, %z) {axis=1, dtype=uint8}"));
  cases.back().low = 0;
  cases.back().high = 90;
}

bool StartsWith(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

}  // namespace

std::string ExampleType(const std::string& op) {
  if (StartsWith(op, "bitwise") || op == "floor_mod") return "int32";
  return StartsWith(op, "shift") ? "uint32" : "float32";
}

std::string ExampleResultType(const std::string& op) {
  const bool compares = op == "equal" || op == "less" || op == "less_equal";
  return compares ? "bool" : ExampleType(op);
}

std::string ExampleAttrs(const std::string& op) {
  if (op == "leaky_relu") return "{alpha=0.1}";
  if (op == "elu") return "{alpha=1.5}";
  if (op == "hard_sigmoid") return "{alpha=0.2, beta=0.5}";
  if (op == "clip") return "{min=-1, max=2.5}";
  return "";
}

Range ExampleRange(const std::string& op) {
  if (op == "power") return {0.1f, 4};
  if (op == "asin" || op == "acos" || op == "atanh") return {-1, 1};
  if (op == "acosh") return {1, 9};
  if (StartsWith(op, "bitwise")) return {-1e9f, 1e9f};
  if (StartsWith(op, "shift")) return {0, 40};
  return {-4, 4};
}

std::vector<OperatorCase> OperatorCases() {
  Cases cases;
  AddImages(cases);
  AddIrregular(cases);
  for (OperatorCase& c : RecurrentCases()) cases.push_back(std::move(c));
  AddConvolutions(cases);
  AddProducts(cases);
  AddNarrowProducts(cases);
  AddPools(cases);
  AddRows(cases);
  AddElementwise(cases);
  AddIndexed(cases);
  AddMovement(cases);
  AddConversions(cases);
  return cases;
}

}  // namespace assay::ops
