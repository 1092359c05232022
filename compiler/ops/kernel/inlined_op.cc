#include "compiler/ops/kernel/inlined_op.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "compiler/graph/infer/infer_types.h"
#include "compiler/graph/stored_slice.h"
#include "compiler/ops/data_movement/data_movement.h"
#include "compiler/ops/integers.h"

namespace assay::ops {
namespace {

using expr::Expr;
using graph::OpKind;
using graph::TensorType;

bool IsPlainOrBlocks(const TensorType& type) {
  return IsPlain(type.encoding) || BlockOf(type) > 0;
}

bool AllPlain(const OpInstance& op) {
  return IsPlain(op.output.encoding) &&
         absl::c_all_of(op.inputs, [](const TensorType& type) {
           return IsPlain(type.encoding);
         });
}

// A value per channel, as an array that broadcasts to blocks of channels.
te::Tensor PerBlock(const te::Tensor& x, int64_t block) {
  const size_t rank = x.shape().size();
  const int64_t channels = x.shape()[rank - 3];
  return te::Compute({channels / block, 1, 1, block}, "channels",
                     [&](const std::vector<Expr>& i) {
                       std::vector<Expr> indices(rank, Expr(0));
                       indices[rank - 3] = i[0] * AsInt(block) + i[3];
                       return x(indices);
                     });
}

TensorType PlainArray(const graph::ArrayType& array) {
  return {array.dtype, array.shape};
}

// The same operator on the arrays in memory, and its operands.
struct OnArrays {
  OpInstance op;
  Operands in;
};

// Returns nullopt if an operand is neither stored like the result nor small.
std::optional<OnArrays> InBlocks(const OpInstance& op, const Operands& in) {
  const int64_t block = BlockOf(op.output), channels = op.output.shape[1];
  std::vector<TensorType> inputs;
  Operands operands;
  for (size_t i = 0; i < in.size(); ++i) {
    const TensorType& type = op.inputs[i];
    const bool is_plain = IsPlain(type.encoding);
    if (is_plain && graph::IsPerChannelOrSingle(type, channels)) {
      operands.push_back(type.num_elements() == 1 ? in[i]
                                                  : PerBlock(in[i], block));
    } else if (BlockOf(type) == block && type.rank() == op.output.rank()) {
      operands.push_back(in[i]);
    } else {
      return std::nullopt;
    }
    inputs.push_back({type.dtype, operands.back().shape()});
  }
  graph::Attrs attrs = op.attrs;
  if (op.kind == OpKind::kSlice) {
    attrs = graph::StoredSlice(op.attrs_as<graph::SliceAttrs>(),
                               op.output.encoding);
  }
  return OnArrays{OpInstance(op.kind, std::move(attrs), std::move(inputs),
                             PlainArray(op.stored_output)),
                  std::move(operands)};
}

}  // namespace

absl::StatusOr<te::Tensor> InlineOp(const graph::Node& node,
                                    const KernelRule& rule,
                                    const Operands& in) {
  const OpInstance op = InstanceOf(node);
  if (AllPlain(op)) return rule.inlined(op, in);
  if (op.kind == OpKind::kEncode &&
      (IsPlain(op.inputs[0].encoding) ||
       (BlockOf(op.inputs[0]) > 0 && IsPlainOrBlocks(op.output)))) {
    return rule.inlined(op, in);
  }
  if (op.kind == OpKind::kReshape && op.inputs[0].IsRowMajor() &&
      op.output.IsRowMajor()) {
    return Reshape(in[0], op.stored_output.shape);
  }
  if (BlockOf(op.output) > 0 && graph::KeepsBlocks(op.kind)) {
    const auto on_arrays = InBlocks(op, in);
    if (on_arrays.has_value())
      return rule.inlined(on_arrays->op, on_arrays->in);
  }
  return absl::UnimplementedError(
      absl::StrCat(node.Label(), ": no kernel can be generated for ",
                   absl::StrJoin(op.inputs, ", ",
                                 [](std::string* out, const TensorType& type) {
                                   out->append(type.ToString());
                                 }),
                   " and the result ", op.output.ToString()));
}

}  // namespace assay::ops
