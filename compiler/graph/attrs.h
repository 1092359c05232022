// Attributes: the compile-time parameters of an operator, one plain struct per
// group of operators, in a closed variant.
//
// Each struct lists its fields once in Fields(); printing, parsing, equality
// and hashing are derived from that list. A field marked Optional is left out
// of the text where it has the value of a default-constructed struct.
//
// ConstantAttrs and KernelAttrs hold a tensor and a graph instead of fields.
//
// A channel block of 0 means the plain layout. A block b > 0 means that the
// channel axis C (axis 1) is split: [N, C, H, W] is stored as
// [N, C/b, H, W, b]. C is a multiple of b.
#ifndef ASSAY_COMPILER_GRAPH_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_ATTRS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/attr_field.h"
#include "compiler/graph/data_attrs.h"
#include "compiler/graph/elementwise_attrs.h"
#include "compiler/graph/image_attrs.h"
#include "compiler/graph/index_attrs.h"
#include "compiler/graph/irregular_attrs.h"
#include "compiler/graph/nn_attrs.h"
#include "compiler/graph/op.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

class Graph;

struct NoAttrs {
  static constexpr auto Fields() { return std::make_tuple(); }
};

// The value is shared, never written to after the node exists.
struct ConstantAttrs {
  NDArray value;
  // DigestOf(value) (digest.h), computed once because weights are large.
  uint64_t digest = 0;
};

// conv2d. Plain: data [N,C,H,W], weights [O,C/groups,KH,KW]. Blocked (both
// blocks > 0): data [N,C/ib,H,W,ib], weights [O/ob,Cg/wi,KH,KW,wi,ob] with Cg =
// C/groups channels in a group and wi = min(ib,Cg), result [N,O/ob,OH,OW,ob].
// With several groups, ib divides Cg or is a multiple of it, and ob likewise
// O/groups. Blocked with winograd = m: weights are those that winograd_weights
// made, [m+2,m+2,O/wb,C,wb]. Blocked with depth = d, which only integers can
// be: weights [O/ob,C/ib,KH,KW,ib/d,ob,d] with d neighbouring input channels
// innermost.
struct Conv2dAttrs {
  Pair strides = {1, 1};
  Padding padding = {0, 0, 0, 0};
  Pair dilations = {1, 1};
  int64_t groups = 1;
  int64_t in_block = 0;
  int64_t out_block = 0;
  int64_t winograd = 0;  // 0: direct; else the tile of graph/winograd.h
  int64_t depth = 0;

  static constexpr auto Fields() {
    using A = Conv2dAttrs;
    return std::make_tuple(
        Required("strides", &A::strides), Required("padding", &A::padding),
        Required("dilations", &A::dilations), Required("groups", &A::groups),
        Optional("in_block", &A::in_block),
        Optional("out_block", &A::out_block),
        Optional("winograd", &A::winograd), Optional("depth", &A::depth));
  }
};

struct BatchNormAttrs {
  float epsilon = 1e-5f;

  static constexpr auto Fields() {
    return std::make_tuple(Required("epsilon", &BatchNormAttrs::epsilon));
  }
};

struct ReshapeAttrs {
  std::vector<int64_t> shape;

  static constexpr auto Fields() {
    return std::make_tuple(Required("shape", &ReshapeAttrs::shape));
  }
};

struct TransposeAttrs {
  std::vector<int64_t> perm;  // result axis i is operand axis perm[i]

  static constexpr auto Fields() {
    return std::make_tuple(Required("perm", &TransposeAttrs::perm));
  }
};

struct ConcatAttrs {
  int64_t axis = 0;

  static constexpr auto Fields() {
    return std::make_tuple(Required("axis", &ConcatAttrs::axis));
  }
};

struct LayoutTransformAttrs {
  int64_t from_block = 0;
  int64_t to_block = 0;

  static constexpr auto Fields() {
    using A = LayoutTransformAttrs;
    return std::make_tuple(Required("from_block", &A::from_block),
                           Required("to_block", &A::to_block));
  }
};

// winograd_weights: weights [O,C,3,3] to [m+2,m+2,O/block,C,block], each filter
// transformed as graph/winograd.h says.
struct WinogradWeightsAttrs {
  int64_t m = 0;
  int64_t block = 0;

  static constexpr auto Fields() {
    using A = WinogradWeightsAttrs;
    return std::make_tuple(Required("m", &A::m), Required("block", &A::block));
  }
};

// One fused kernel. Input i of `body` is operand i of the node. The body is
// shared by copies of the node and not changed once a node holds it.
struct KernelAttrs {
  std::shared_ptr<Graph> body;
};

using Attrs = std::variant<
    NoAttrs, SliceAttrs, PadAttrs, CastAttrs, QuantizeAttrs,
    Conv2dTransposeAttrs, AlphaAttrs, LinearAttrs, ClipAttrs, ConstantAttrs,
    Conv2dAttrs, BatchNormAttrs, Pool2dAttrs, GlobalPool2dAttrs, ReduceAttrs,
    ArgReduceAttrs, SoftmaxAttrs, PackedDenseAttrs, LayerNormAttrs,
    ReshapeAttrs, TransposeAttrs, ConcatAttrs, GatherAttrs, GatherNdAttrs,
    ScatterElementsAttrs, ScatterNdAttrs, ArgSortAttrs, CumSumAttrs,
    LayoutTransformAttrs, WinogradWeightsAttrs, NonMaxSuppressionAttrs,
    UniqueAttrs, ResampleAttrs, GridSampleAttrs, RoiAlignAttrs, MaxRoiPoolAttrs,
    ReverseSequenceAttrs, KernelAttrs>;

// Whether `attrs` holds the struct that op_list.h names for `kind`.
bool AttrsMatchOp(OpKind kind, const Attrs& attrs);

// Field by field; constants by type and bytes, kernels by identity of the
// body (structural_equal.h compares bodies). HashAttrs agrees with it.
bool AttrsEqual(const Attrs& a, const Attrs& b);
uint64_t HashAttrs(const Attrs& attrs);

// `{strides=[2,2], groups=1}`, or nothing where no field is to be printed.
// CHECK-fails for constants and kernels.
std::string AttrsToString(const Attrs& attrs);

// The inverse of AttrsToString: `fields` holds (name, value text). An unknown,
// repeated or missing field is an error that names it. Not for constants and
// kernels.
using FieldText = std::pair<absl::string_view, absl::string_view>;
absl::StatusOr<Attrs> ParseAttrs(OpKind kind,
                                 absl::Span<const FieldText> fields);

// Shortest decimal text that reads back as `value`; `inf`, `-inf`, `nan`.
std::string FloatToString(float value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ATTRS_H_
