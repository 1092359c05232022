// Attention, with one matrix of weights that projects the input to queries,
// keys and values, and MultiHeadAttention, whose operands are projected
// already. Both compute, for each head,
//
//   softmax(scale * queries * keys^T + bias) * values
//
// where the bias is the sum of
//   - `attention_bias`, an operand;
//   - the padding mask: `mask_filter_value` for each key that is masked;
//   - with `unidirectional`, a very low number for each key that is behind its
//     query.
// States of earlier steps (past, present) are not supported.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::TensorType;

struct Sizes {
  int64_t batch = 0, queries = 0, keys = 0, heads = 0;
  int64_t width = 0;        // of the queries and keys of all heads
  int64_t value_width = 0;  // of the values of all heads
  DType dtype;
};

// The attributes that both operators have, and the operands of the bias.
struct Options {
  float scale = 0;
  float filter = 0;
  bool unidirectional = false;
  int mask = 0;
  int attention_bias = 0;
};

absl::StatusOr<Options> ReadOptions(ContribOp& op) {
  Options options;
  // 0 stands for the default.
  ASSAY_ASSIGN_OR_RETURN(options.scale, op.attributes().Float("scale", 0));
  ASSAY_ASSIGN_OR_RETURN(options.filter,
                         op.attributes().Float("mask_filter_value", -10000));
  ASSAY_ASSIGN_OR_RETURN(options.unidirectional,
                         op.attributes().Flag("unidirectional", false));
  return options;
}

// Reads `num_heads`, which must divide both widths.
absl::Status ReadHeads(ContribOp& op, Sizes* sizes) {
  ASSAY_ASSIGN_OR_RETURN(sizes->heads, op.RequiredInt("num_heads"));
  if (sizes->heads >= 1 && sizes->width % sizes->heads == 0 &&
      sizes->value_width % sizes->heads == 0) {
    return absl::OkStatus();
  }
  return Malformed("attribute `num_heads` is ", sizes->heads,
                   ", which does not divide queries of ", sizes->width,
                   " and values of ", sizes->value_width, " columns");
}

// [batch, rows, width] with the heads first and the axes of each head permuted:
// [batch, heads, rows, size], or [batch, heads, size, rows].
std::string Heads(NodeBuilder& b, const std::string& x, const Sizes& s,
                  int64_t rows, int64_t width, bool transposed) {
  const std::string split =
      b.Reshape(x, {s.batch, rows, s.heads, width / s.heads});
  if (transposed) return b.Transpose(split, {0, 2, 3, 1});
  return b.Transpose(split, {0, 2, 1, 3});
}

// The numbers 0, 1, …, count - 1 as an int32 array of the given shape.
absl::StatusOr<std::string> Positions(NodeBuilder& b, const ContribOp& op,
                                      const Shape& shape) {
  ASSAY_RETURN_IF_ERROR(CheckSize({DType::Int32(), shape}, op.max_bytes()));
  NDArray numbers(DType::Int32(), shape);
  int32_t next = 0;
  for (int32_t& number : numbers.data<int32_t>()) number = next++;
  return b.Constant(numbers);
}

// The keys that may be read, as bool that broadcasts to [batch, heads, queries,
// keys]. The mask in operand `i` has one of the forms
//   - [batch, keys] or [batch, queries, keys]: not positive if the key is
//     masked;
//   - [batch]: the number of keys, of which the others are padding behind them;
//   - [2 * batch]: the ends, followed by the begins.
absl::StatusOr<std::string> ReadMask(ContribOp& op, int i, const Sizes& s) {
  const TensorType& type = op.Type(i);
  if (type.dtype != DType::Int32()) {
    return Malformed("input ", i, " (the mask) is ", type.ToString(),
                     " but int32 is needed");
  }
  NodeBuilder& b = op.builder();
  const bool per_key = type.shape == Shape{s.batch, s.keys};
  if (per_key || type.shape == Shape{s.batch, s.queries, s.keys}) {
    const int64_t rows = per_key ? 1 : s.queries;
    const std::string mask = b.Reshape(op.In(i), {s.batch, 1, rows, s.keys});
    return std::string(b.Node("Greater", {mask, b.Scalar(type.dtype, 0)}));
  }
  const Shape each = {s.batch, 1, 1, 1};
  if (type.shape == Shape{s.batch}) {
    const std::string ends = b.Reshape(op.In(i), each);
    ASSAY_ASSIGN_OR_RETURN(const std::string positions,
                           Positions(b, op, {1, 1, 1, s.keys}));
    return std::string(b.Node("Less", {positions, ends}));
  }
  if (type.shape == Shape{2 * s.batch}) {
    const NodeBuilder::Added parts =
        b.Node("Split", {op.In(i), b.Int64s({s.batch, s.batch})}, 2)
            .Int("axis", 0);
    const std::string ends = b.Reshape(parts.Result(0), each);
    const std::string begins = b.Reshape(parts.Result(1), each);
    ASSAY_ASSIGN_OR_RETURN(const std::string positions,
                           Positions(b, op, {1, 1, 1, s.keys}));
    const std::string before = b.Node("Less", {positions, ends});
    const std::string behind = b.Node("LessOrEqual", {begins, positions});
    return std::string(b.Node("And", {before, behind}));
  }
  return Unsupported("input ", i, " (the mask) is ", type.ToString(),
                     "; masks of shape ", ShapeToString({s.batch, s.keys}),
                     ", ", ShapeToString({s.batch, s.queries, s.keys}), ", ",
                     ShapeToString({s.batch}), " and ",
                     ShapeToString({2 * s.batch}), " are supported");
}

// Adds the bias to `scores`, [batch, heads, queries, keys].
absl::StatusOr<std::string> AddBias(ContribOp& op, const Options& options,
                                    const Sizes& s, std::string scores) {
  NodeBuilder& b = op.builder();
  std::string bias;
  if (op.HasInput(options.mask)) {
    ASSAY_ASSIGN_OR_RETURN(const std::string reads,
                           ReadMask(op, options.mask, s));
    const std::string zero = b.Scalar(s.dtype, 0);
    bias = b.Where(reads, zero, b.Scalar(s.dtype, options.filter));
  }
  if (options.unidirectional && s.queries > 1) {
    ASSAY_ASSIGN_OR_RETURN(const std::string keys,
                           Positions(b, op, {1, s.keys}));
    ASSAY_ASSIGN_OR_RETURN(const std::string queries,
                           Positions(b, op, {s.queries, 1}));
    const std::string reads = b.Node("LessOrEqual", {keys, queries});
    if (bias.empty()) bias = b.Scalar(s.dtype, 0);
    bias = b.Where(reads, bias,
                   b.Scalar(s.dtype, std::numeric_limits<float>::lowest()));
  }
  if (!bias.empty()) scores = b.Add(scores, bias);
  if (op.HasInput(options.attention_bias)) {
    ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(
        options.attention_bias, {s.batch, s.heads, s.queries, s.keys}));
    scores = b.Add(scores, op.In(options.attention_bias));
  }
  return scores;
}

// The result [batch, queries, value_width] for queries [batch, queries, width],
// keys [batch, keys, width] and values [batch, keys, value_width].
absl::StatusOr<std::string> AddAttention(ContribOp& op, const Options& options,
                                         const Sizes& s,
                                         const std::vector<std::string>& qkv) {
  NodeBuilder& b = op.builder();
  const float scale =
      options.scale != 0.0f
          ? options.scale
          : 1.0f / std::sqrt(static_cast<float>(s.width / s.heads));
  const std::string queries =
      Heads(b, b.Mul(qkv[0], b.Scalar(s.dtype, scale)), s, s.queries, s.width,
            /*transposed=*/false);
  const std::string keys =
      Heads(b, qkv[1], s, s.keys, s.width, /*transposed=*/true);
  const std::string values =
      Heads(b, qkv[2], s, s.keys, s.value_width, /*transposed=*/false);
  std::string scores = b.MatMul(queries, keys);
  ASSAY_ASSIGN_OR_RETURN(scores, AddBias(op, options, s, scores));
  const std::string weights = b.Node("Softmax", {scores}).Int("axis", -1);
  const std::string y = b.MatMul(weights, values);
  return b.Reshape(b.Transpose(y, {0, 2, 1, 3}),
                   {s.batch, s.queries, s.value_width});
}

// The widths of queries, keys and values, which share the `total` columns of
// the weights.
absl::Status ReadWidths(ContribOp& op, int64_t total, Sizes* s) {
  ASSAY_ASSIGN_OR_RETURN(const auto given,
                         op.attributes().OptionalInts("qkv_hidden_sizes"));
  if (!given.has_value()) {
    s->width = s->value_width = total / 3;
    if (total > 0 && total % 3 == 0) return absl::OkStatus();
    return Malformed("input 1 (weights) has ", total,
                     " columns, which are no multiple of 3");
  }
  if (given->size() == 3) {
    s->width = (*given)[0];
    s->value_width = (*given)[2];
    // Both are at most `total`, so that the sum does not overflow.
    if ((*given)[1] == s->width && s->width >= 1 && s->value_width >= 1 &&
        s->width <= total && s->value_width <= total &&
        2 * s->width + s->value_width == total) {
      return absl::OkStatus();
    }
  }
  return Malformed("attribute `qkv_hidden_sizes` is ", ShapeToString(*given),
                   " but weights have ", total, " columns");
}

// Operands: input, weights, bias, mask_index, past, attention_bias,
// past_sequence_length.
absl::Status BuildAttention(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(Options options, ReadOptions(op));
  options.mask = 3;
  options.attention_bias = 5;
  for (const char* attribute :
       {"do_rotary", "past_present_share_buffer", "rotary_embedding_dim"}) {
    ASSAY_RETURN_IF_ERROR(op.RefuseAttribute(attribute));
  }
  ASSAY_RETURN_IF_ERROR(op.RefuseInput(4, "past"));
  ASSAY_RETURN_IF_ERROR(op.RefuseInput(6, "past_sequence_length"));
  ASSAY_RETURN_IF_ERROR(op.ExpectRank(0, 3));
  ASSAY_RETURN_IF_ERROR(op.ExpectRank(1, 2));
  const TensorType& input = op.Type(0);
  const int64_t total = op.Type(1).shape[1];
  Sizes s;
  s.batch = input.shape[0];
  s.queries = s.keys = input.shape[1];
  s.dtype = input.dtype;
  ASSAY_RETURN_IF_ERROR(ReadWidths(op, total, &s));
  ASSAY_RETURN_IF_ERROR(ReadHeads(op, &s));
  NodeBuilder& b = op.builder();
  std::string projected = b.MatMul(op.In(0), op.In(1));
  if (op.HasInput(2)) {
    ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(2, {total}));
    projected = b.Add(projected, op.In(2));
  }
  const NodeBuilder::Added parts =
      b.Node("Split", {projected, b.Int64s({s.width, s.width, s.value_width})},
             3)
          .Int("axis", -1);
  ASSAY_ASSIGN_OR_RETURN(
      const std::string y,
      AddAttention(op, options, s,
                   {parts.Result(0), parts.Result(1), parts.Result(2)}));
  op.SetResults({y, ""});
  return absl::OkStatus();
}

// Operands: query, key, value, bias, key_padding_mask, attention_bias,
// past_key, past_value, past_sequence_length, cache_indirection.
absl::Status BuildMultiHeadAttention(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(Options options, ReadOptions(op));
  options.mask = 4;
  options.attention_bias = 5;
  ASSAY_RETURN_IF_ERROR(op.RefuseInput(6, "past_key"));
  ASSAY_RETURN_IF_ERROR(op.RefuseInput(7, "past_value"));
  ASSAY_RETURN_IF_ERROR(op.RefuseInput(8, "past_sequence_length"));
  ASSAY_RETURN_IF_ERROR(op.RefuseInput(9, "cache_indirection"));
  for (int i = 0; i < 3; ++i) {
    if (op.HasInput(i) && op.Type(i).rank() == 3) continue;
    return Unsupported(
        "queries, keys and values are supported as three operands of rank 3; "
        "packed ones are not");
  }
  const Shape query = op.Type(0).shape, key = op.Type(1).shape,
              value = op.Type(2).shape;
  if (key[0] != query[0] || key[2] != query[2] || value[0] != query[0] ||
      value[1] != key[1]) {
    return Malformed("query, key and value are ", op.Type(0).ToString(), ", ",
                     op.Type(1).ToString(), " and ", op.Type(2).ToString(),
                     ", which do not match");
  }
  Sizes s;
  s.batch = query[0];
  s.queries = query[1];
  s.keys = key[1];
  s.width = query[2];
  s.value_width = value[2];
  s.dtype = op.Type(0).dtype;
  ASSAY_RETURN_IF_ERROR(ReadHeads(op, &s));
  NodeBuilder& b = op.builder();
  std::vector<std::string> qkv = {op.In(0), op.In(1), op.In(2)};
  if (op.HasInput(3)) {
    const NodeBuilder::Added parts =
        b.Node("Split", {op.In(3), b.Int64s({s.width, s.width, s.value_width})},
               3)
            .Int("axis", 0);
    for (int i = 0; i < 3; ++i) {
      const auto part = static_cast<size_t>(i);
      qkv[part] = b.Add(qkv[part], parts.Result(i));
    }
  }
  ASSAY_ASSIGN_OR_RETURN(const std::string y,
                         AddAttention(op, options, s, qkv));
  op.SetResults({y, "", "", ""});
  return absl::OkStatus();
}

constexpr ContribRow kRows[] = {
    {kMicrosoft, "Attention", 2, 7, BuildAttention},
    {kMicrosoft, "MultiHeadAttention", 1, 10, BuildMultiHeadAttention},
};

}  // namespace

absl::Span<const ContribRow> ContribAttentionRows() { return kRows; }

}  // namespace assay::frontend
