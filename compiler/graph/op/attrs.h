// Attributes: the compile-time parameters of an operator, one plain struct per
// group of operators (compiler/graph/attrs/FAMILY.h), in a closed variant.
//
// Each struct lists its fields once in Fields(); printing, parsing, equality
// and hashing are derived from that list. A field marked Optional is not
// printed if it has its default value.
//
// ConstantAttrs and KernelAttrs hold a tensor and a graph instead of fields.
//
// A channel block of 0 means the plain layout. A block b > 0 means that the
// channel axis C (axis 1) is split: [N, C, H, W] is stored as
// [N, C/b, H, W, b]. C is a multiple of b.
#ifndef ASSAY_COMPILER_GRAPH_OP_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_OP_ATTRS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "compiler/graph/attrs/attr_field.h"
#include "compiler/graph/attrs/conv.h"
#include "compiler/graph/attrs/data_movement.h"
#include "compiler/graph/attrs/elementwise.h"
#include "compiler/graph/attrs/image.h"
#include "compiler/graph/attrs/indexing.h"
#include "compiler/graph/attrs/matmul.h"
#include "compiler/graph/attrs/normalization.h"
#include "compiler/graph/attrs/pool.h"
#include "compiler/graph/attrs/quantization.h"
#include "compiler/graph/attrs/reduction.h"
#include "compiler/graph/attrs/scan.h"
#include "compiler/graph/attrs/sorting.h"
#include "compiler/graph/op/op.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

class Graph;

struct NoAttrs {
  static constexpr auto Fields() { return std::make_tuple(); }
};

// The value is shared and is not modified once a node holds it.
struct ConstantAttrs {
  NDArray value;
  // DigestOf(value) (digest.h), computed once because weights are large.
  uint64_t digest = 0;
};

// One fused kernel. Input i of `body` is operand i of the node. The body is
// shared by copies of the node and is not modified once a node holds it.
struct KernelAttrs {
  std::shared_ptr<Graph> body;
};

namespace internal {
// std::variant of the distinct types of a list.
template <typename Variant, typename... Ts>
struct Distinct {
  using Type = Variant;
};
template <typename... Seen, typename T, typename... Rest>
struct Distinct<std::variant<Seen...>, T, Rest...>
    : Distinct<
          std::conditional_t<(std::is_same_v<Seen, T> || ...),
                             std::variant<Seen...>, std::variant<Seen..., T>>,
          Rest...> {};
}  // namespace internal

#define ASSAY_GRAPH_OP_ATTRS(kind, name, pattern, attrs, rule) , attrs
using Attrs = internal::Distinct<std::variant<NoAttrs> ASSAY_FOR_EACH_GRAPH_OP(
    ASSAY_GRAPH_OP_ATTRS)>::Type;
#undef ASSAY_GRAPH_OP_ATTRS

// Returns true if `attrs` holds the struct that op_list.h names for `kind`.
bool AttrsMatchOp(OpKind kind, const Attrs& attrs);

// Compares field by field, constants by type and bytes, kernels by identity of
// the body (structural_equal.h compares bodies). Equal attributes have equal
// hashes.
bool AttrsEqual(const Attrs& a, const Attrs& b);
uint64_t HashAttrs(const Attrs& attrs);

// Returns `{strides=[2,2], groups=1}`, or an empty string if no field has to be
// printed. CHECK-fails for constants and kernels.
std::string AttrsToString(const Attrs& attrs);

// The inverse of AttrsToString: `fields` holds pairs of a name and the text of
// its value. An unknown, repeated or missing field is an error that names it.
// CHECK-fails for constants and kernels.
using FieldText = std::pair<absl::string_view, absl::string_view>;
absl::StatusOr<Attrs> ParseAttrs(OpKind kind,
                                 absl::Span<const FieldText> fields);

// Returns the shortest decimal text that parses back to `value`; `inf`, `-inf`,
// `nan`.
std::string FloatToString(float value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_OP_ATTRS_H_
