#include "compiler/graph/infer/infer_types.h"

#include <algorithm>

#include "compiler/graph/infer/expect.h"
#include "compiler/graph/infer/rules.h"
#include "runtime/base/check.h"
#include "runtime/base/status_macros.h"

namespace assay::graph {
namespace {

infer::Results AsList(infer::Results types) { return types; }
infer::Results AsList(infer::Result type) {
  if (!type.ok()) return type.status();
  return std::vector<TensorType>{*std::move(type)};
}

infer::Results ApplyRule(OpKind kind, const Attrs& attrs, infer::Types inputs) {
  switch (kind) {
#define ASSAY_APPLY(kind, name, pattern, struct_type, rule) \
  case OpKind::kind:                                        \
    return AsList(                                          \
        infer::rule(OpKind::kind, std::get<struct_type>(attrs), inputs));
    ASSAY_FOR_EACH_SINGLE_RESULT_OP(ASSAY_APPLY)
    ASSAY_FOR_EACH_MULTI_RESULT_OP(ASSAY_APPLY)
#undef ASSAY_APPLY
#define ASSAY_CASE(kind, name, pattern, struct_type, rule) case OpKind::kind:
    ASSAY_FOR_EACH_STRUCTURAL_OP(ASSAY_CASE)
#undef ASSAY_CASE
    break;
  }
  CHECK(false) << kind << " has no inference rule";
  return std::vector<TensorType>();
}

// Returns how a result is stored if nothing else is said.
Encoding EncodingOf(OpKind kind, absl::Span<const TensorType> inputs,
                    const TensorType& result) {
  if (!KeepsBlocks(kind)) return Plain();
  for (const TensorType& input : inputs) {
    if (std::holds_alternative<ChannelBlocks>(input.encoding) &&
        input.rank() == result.rank() &&
        StoredType(input.encoding, {result.dtype, result.shape}).ok()) {
      return input.encoding;
    }
  }
  return Plain();
}

}  // namespace

bool KeepsBlocks(OpKind kind) {
  switch (kind) {
    case OpKind::kMaxPool2d:
    case OpKind::kAvgPool2d:
    case OpKind::kGlobalAvgPool2d:
    case OpKind::kGlobalMaxPool2d:
    case OpKind::kConcat:
    case OpKind::kSlice:
      return true;
    default:
      return kind != OpKind::kBroadcastTo &&
             (OpPattern(kind) == PatternKind::kElemWise ||
              OpPattern(kind) == PatternKind::kBroadcast);
  }
}

bool IsPerChannelOrSingle(const TensorType& operand, int64_t channels) {
  return operand.num_elements() == 1 ||
         operand.shape == Shape{channels, 1, 1} ||
         operand.shape == Shape{1, channels, 1, 1};
}

absl::StatusOr<std::vector<TensorType>> InferTypes(
    OpKind kind, const Attrs& attrs, absl::Span<const TensorType> inputs) {
  std::vector<TensorType> plain;
  for (const TensorType& input : inputs) plain.push_back(input.plain());
  ASSAY_ASSIGN_OR_RETURN(std::vector<TensorType> types,
                         ApplyRule(kind, attrs, plain));
  for (TensorType& type : types) {
    ASSAY_RETURN_IF_ERROR(CheckedNumElements(type.shape).status());
    type.encoding = EncodingOf(kind, inputs, type);
  }
  return types;
}

absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      return infer::Invalid("shapes ", ShapeToString(a), " and ",
                            ShapeToString(b), " do not broadcast");
    }
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

int64_t WindowExtent(int64_t in, int64_t kernel, int64_t stride,
                     int64_t dilation, int64_t pad_before, int64_t pad_after,
                     bool ceil_mode) {
  const int64_t reach = dilation * (kernel - 1) + 1;
  const int64_t room = in + pad_before + pad_after - reach;
  if (room < 0) return 0;
  if (!ceil_mode) return room / stride + 1;
  int64_t extent = (room + stride - 1) / stride + 1;
  // The last window begins within the data or the padding before it.
  if ((extent - 1) * stride >= in + pad_before) --extent;
  return extent;
}

}  // namespace assay::graph
