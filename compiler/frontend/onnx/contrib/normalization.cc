// EmbedLayerNormalization, SimplifiedLayerNormalization,
// SkipLayerNormalization and SkipSimplifiedLayerNormalization.
//
// A simplified normalization divides by the root of the mean square without
// subtracting the mean. Its sums of 16-bit floats are computed in float32.
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

// The default of `epsilon`, except for SimplifiedLayerNormalization.
constexpr float kEpsilon = 1e-12f;

DType SumType(DType dtype) {
  return dtype.bits() < 32 ? DType::Float32() : dtype;
}

// input + skip, plus the bias in operand `bias` if it is given.
absl::StatusOr<std::string> AddSkip(ContribOp& op, int bias) {
  if (op.Type(0).rank() == 0) {
    return Malformed("input 0 is ", op.Type(0).ToString(),
                     " but rank 1 or more is needed");
  }
  ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(1, op.Type(0).shape));
  NodeBuilder& b = op.builder();
  std::string sum = b.Add(op.In(0), op.In(1));
  if (op.HasInput(bias)) {
    ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(bias, op.Type(0).shape));
    sum = b.Add(sum, op.In(bias));
  }
  return sum;
}

struct Simplified {
  std::string y;
  std::string root;  // of the mean square
};

// x / sqrt(mean(x^2) + epsilon) * scale. `x` has the type of operand 0, and the
// mean is that of the axes from `axis` on. The scale is operand `scale`.
Simplified AddSimplified(ContribOp& op, const std::string& x, int scale,
                         int64_t axis, float epsilon) {
  const DType dtype = op.Type(0).dtype, sum = SumType(dtype);
  std::vector<int64_t> axes;
  for (; axis < op.Type(0).rank(); ++axis) axes.push_back(axis);
  NodeBuilder& b = op.builder();
  const std::string wide = b.Cast(x, dtype, sum);
  const std::string square = b.Mul(wide, wide);
  const std::string mean = b.Node("ReduceMean", {square, b.Int64s(axes)});
  Simplified result;
  result.root = b.Sqrt(b.Add(mean, b.Scalar(sum, epsilon)));
  const std::string ratio = b.Div(wide, result.root);
  const std::string factor = b.Cast(op.In(scale), op.Type(scale).dtype, sum);
  result.y = b.Cast(b.Mul(ratio, factor), sum, dtype);
  return result;
}

absl::Status BuildSimplifiedLayerNormalization(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t given, op.attributes().Int("axis", -1));
  ASSAY_ASSIGN_OR_RETURN(const float epsilon,
                         op.attributes().Float("epsilon", 1e-5f));
  // The type of the sums, which is float32 or wider here.
  ASSAY_RETURN_IF_ERROR(op.attributes().Int("stash_type", 1).status());
  const int64_t rank = op.Type(0).rank();
  const int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank) {
    return Malformed("attribute `axis` ", given, " is out of range for rank ",
                     rank);
  }
  ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(1, op.Type(0).shape));
  const Simplified result = AddSimplified(op, op.In(0), 1, axis, epsilon);
  std::string inverse;
  if (op.WantsResult(1)) {
    inverse = op.builder().Node("Reciprocal", {result.root});
  }
  op.SetResults({result.y, inverse});
  return absl::OkStatus();
}

absl::Status BuildSkipLayerNormalization(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const float epsilon,
                         op.attributes().Float("epsilon", kEpsilon));
  ASSAY_ASSIGN_OR_RETURN(const std::string sum, AddSkip(op, 4));
  const std::string y =
      op.builder()
          .Node("LayerNormalization", {sum, op.In(2), op.In(3)})
          .Int("axis", -1)
          .Float("epsilon", epsilon);
  op.SetResults({y, "", "", sum});
  return absl::OkStatus();
}

absl::Status BuildSkipSimplifiedLayerNormalization(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const float epsilon,
                         op.attributes().Float("epsilon", kEpsilon));
  ASSAY_ASSIGN_OR_RETURN(const std::string sum, AddSkip(op, 3));
  ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(2, op.Type(0).shape));
  const Simplified result =
      AddSimplified(op, sum, 2, op.Type(0).rank() - 1, epsilon);
  op.SetResults({result.y, "", "", sum});
  return absl::OkStatus();
}

// The number of words of each sequence, int32: the ones in the mask in operand
// 7, or 0 without a mask.
std::string AddMaskIndex(ContribOp& op, int64_t batch) {
  NodeBuilder& b = op.builder();
  if (!op.HasInput(7)) return b.Constant(NDArray(DType::Int32(), {batch}));
  const std::string one = b.Scalar(op.Type(7).dtype, 1);
  const std::string words = b.Node("Equal", {op.In(7), one});
  const std::string counts = b.Cast(words, DType::Bool(), DType::Int32());
  return b.Node("ReduceSum", {counts, b.Int64s({1})}).Int("keepdims", 0);
}

// The sum of the embeddings of word, position and segment, and its
// normalization. Operands: input_ids, segment_ids, word_embedding,
// position_embedding, segment_embedding, gamma, beta, mask, position_ids.
absl::Status BuildEmbedLayerNormalization(ContribOp& op) {
  ASSAY_RETURN_IF_ERROR(op.Require({2, 3, 5, 6}));
  ASSAY_ASSIGN_OR_RETURN(const float epsilon,
                         op.attributes().Float("epsilon", kEpsilon));
  // 0: there is no result mask_index.
  ASSAY_ASSIGN_OR_RETURN(const bool has_index,
                         op.attributes().Flag("mask_index_type", true));
  ASSAY_RETURN_IF_ERROR(op.ExpectRank(0, 2));
  ASSAY_RETURN_IF_ERROR(op.ExpectRank(3, 2));
  if (op.HasInput(1) != op.HasInput(4)) {
    return Malformed(
        "inputs 1 (segment_ids) and 4 (segment_embedding) must be given "
        "together");
  }
  const Shape ids = op.Type(0).shape;
  if (op.HasInput(7) && op.Type(7).shape != ids) {
    return Malformed("input 7 (mask) is ", op.Type(7).ToString(), " but ",
                     ShapeToString(ids), " is needed");
  }
  NodeBuilder& b = op.builder();
  const std::string words = b.Node("Gather", {op.In(2), op.In(0)});
  std::string positions;
  if (op.HasInput(8)) {
    ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(8, ids));
    positions = b.Node("Gather", {op.In(3), op.In(8)});
  } else if (op.Type(3).shape[0] < ids[1]) {
    return Malformed("input 3 (position_embedding) is ", op.Type(3).ToString(),
                     " for sequences of ", ids[1]);
  } else {
    positions = b.Node(
        "Slice", {op.In(3), b.Int64s({0}), b.Int64s({ids[1]}), b.Int64s({0})});
  }
  std::string sum = b.Add(words, positions);
  if (op.HasInput(1)) {
    const std::string segments = b.Node("Gather", {op.In(4), op.In(1)});
    sum = b.Add(sum, segments);
  }
  const std::string y = b.Node("LayerNormalization", {sum, op.In(5), op.In(6)})
                            .Int("axis", -1)
                            .Float("epsilon", epsilon);
  std::string mask_index;
  if (has_index && op.WantsResult(1)) mask_index = AddMaskIndex(op, ids[0]);
  op.SetResults({y, mask_index, sum});
  return absl::OkStatus();
}

constexpr ContribRow kRows[] = {
    {kMicrosoft, "EmbedLayerNormalization", 1, 9, BuildEmbedLayerNormalization},
    {kMicrosoft, "SimplifiedLayerNormalization", 2, 2,
     BuildSimplifiedLayerNormalization},
    {kMicrosoft, "SkipLayerNormalization", 3, 5, BuildSkipLayerNormalization},
    {kMicrosoft, "SkipSimplifiedLayerNormalization", 3, 4,
     BuildSkipSimplifiedLayerNormalization},
    {kOnnx, "SimplifiedLayerNormalization", 2, 2,
     BuildSimplifiedLayerNormalization},
};

}  // namespace

absl::Span<const ContribRow> ContribNormalizationRows() { return kRows; }

}  // namespace assay::frontend
