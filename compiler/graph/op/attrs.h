// Attributes are the compile-time parameters of an operator. Each group of
// operators has a plain struct (compiler/graph/attrs/FAMILY.h), and Attrs is a
// variant of all these structs.
//
// Each struct lists its fields once in Fields(); printing, parsing, equality
// and hashing are derived from that list. A field that is marked Optional is
// printed only if its value differs from the default value.
//
// There are two exceptions: ConstantAttrs holds a tensor instead of fields, and
// KernelAttrs holds a graph instead of fields.
//
// Attributes say what an operator computes from the plain tensors. How tensors
// are stored is a part of their types (compiler/graph/encoding/encoding.h).
#ifndef ASSAY_COMPILER_GRAPH_OP_ATTRS_H_
#define ASSAY_COMPILER_GRAPH_OP_ATTRS_H_

#include <cstdint>
#include <memory>
#include <string>
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
#include "compiler/graph/attrs/normalization.h"
#include "compiler/graph/attrs/pool.h"
#include "compiler/graph/attrs/quantization.h"
#include "compiler/graph/attrs/recurrent.h"
#include "compiler/graph/attrs/reduction.h"
#include "compiler/graph/attrs/scan.h"
#include "compiler/graph/attrs/sorting.h"
#include "compiler/graph/op/op.h"
#include "runtime/base/ndarray.h"

namespace assay::graph {

class Graph;

struct NoAttrs {
  static constexpr auto Fields() { return FieldList(); }
};

// Nodes share `value`, which must not be modified after it is added to a node.
struct ConstantAttrs {
  NDArray value;
  // DigestOf(value) (digest.h), computed once because weights are large.
  uint64_t digest = 0;
};

// The attributes of a kernel node. Input i of `body` is operand i of the node.
// Copies of the node share the body, which must not be modified after it is
// added to a node.
struct KernelAttrs {
  std::shared_ptr<Graph> body;
};

namespace internal {
// Distinct<std::variant<…>, Ts...>::Type is the variant with the types Ts
// appended. A type that the variant already contains is not appended again.
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

// AttrsEqual compares structs field by field, constants by type and bytes, and
// kernels by the address of the body (structural_equal.h compares the contents
// of bodies). Equal attributes have equal hashes.
bool AttrsEqual(const Attrs& a, const Attrs& b);
uint64_t HashAttrs(const Attrs& attrs);

// Returns a text such as `{strides=[2,2], groups=1}`, or an empty string if all
// fields are optional and have default values. CHECK-fails for constants and
// kernels.
std::string AttrsToString(const Attrs& attrs);

// The name of a field and the text of its value.
using FieldText = std::pair<absl::string_view, absl::string_view>;

// The inverse of AttrsToString. Returns InvalidArgument, with the name of the
// field, if a field is unknown, repeated or missing, or if its value cannot be
// parsed. CHECK-fails for constants and kernels.
absl::StatusOr<Attrs> ParseAttrs(OpKind kind,
                                 absl::Span<const FieldText> fields);

// Returns a decimal text that yields exactly `value` when it is parsed, with as
// few digits as possible. For infinities and NaN, returns the text that
// printf("%g") prints.
std::string FloatToString(float value);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_OP_ATTRS_H_
