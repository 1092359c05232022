#include "compiler/ops/data_movement/encode.h"

#include <vector>

#include "compiler/expr/expr_ops.h"
#include "compiler/graph/encoding/encoding.h"
#include "compiler/ops/data_movement/encode_steps.h"
#include "compiler/ops/integers.h"
#include "compiler/ops/kernel_rule.h"
#include "runtime/base/check.h"

namespace assay::ops {
namespace {

using expr::Expr;

// Fuses the axes [begin, end) of x into one.
te::Tensor FuseAxes(const te::Tensor& x, size_t begin, size_t end) {
  const Shape& from = x.shape();
  Shape shape(from.begin(), from.begin() + begin);
  shape.push_back(NumElements(Shape(from.begin() + begin, from.begin() + end)));
  shape.insert(shape.end(), from.begin() + end, from.end());
  return te::Compute(shape, "pixels", [&](const std::vector<Expr>& i) {
    std::vector<Expr> indices(i.begin(), i.begin() + begin);
    int64_t stride = shape[begin];
    for (size_t d = begin; d < end; ++d) {
      Expr index = i[begin];
      if (d > begin) index = index % AsInt(stride);
      stride /= from[d];
      indices.push_back(index / AsInt(stride));
    }
    indices.insert(indices.end(), i.begin() + begin + 1, i.end());
    return x(indices);
  });
}

// Returns the index along the fused axes [begin, end) of `shape`.
Expr FusedIndex(const std::vector<Expr>& i, const Shape& shape, size_t begin,
                size_t end) {
  Expr index = i[begin];
  for (size_t d = begin + 1; d < end; ++d) {
    index = index * AsInt(shape[d]) + i[d];
  }
  return index;
}

te::Tensor Pack(const te::Tensor& x, int64_t block, const Shape& output) {
  const te::Tensor pixels = FuseAxes(x, 2, x.ndim());
  return te::Compute(
      output, "encode",
      [&](const std::vector<Expr>& i) {
        return pixels(i[0], i[1] * AsInt(block) + i.back(),
                      FusedIndex(i, output, 2, i.size() - 1));
      },
      "pack");
}

te::Tensor Unpack(const te::Tensor& x, int64_t block, const Shape& output) {
  const te::Tensor pixels = FuseAxes(x, 2, x.ndim() - 1);
  return te::Compute(
      output, "encode",
      [&](const std::vector<Expr>& i) {
        return pixels(i[0], i[1] / AsInt(block),
                      FusedIndex(i, output, 2, i.size()), i[1] % AsInt(block));
      },
      "unpack");
}

// Converts between any two block sizes, including 0 (plain).
te::Tensor Reblock(const te::Tensor& x, int64_t from_block, int64_t to_block,
                   const Shape& output) {
  return te::Compute(output, "encode", [&](const std::vector<Expr>& i) {
    CHECK_GE(i.size(), 2u);
    std::vector<Expr> indices = i;
    Expr channel = i[1];
    if (to_block != 0) {
      channel = i[1] * AsInt(to_block) + i.back();
      indices.pop_back();
    }
    indices[1] = channel;
    if (from_block != 0) {
      indices[1] = channel / AsInt(from_block);
      indices.push_back(channel % AsInt(from_block));
    }
    return x(indices);
  });
}

}  // namespace

te::Tensor ChangeBlocks(const te::Tensor& x, int64_t from_block,
                        int64_t to_block, const Shape& output) {
  // Batch, channels and, in blocks, the channels of a block.
  const int other_axes = from_block == 0 ? 2 : 3;
  if ((from_block == 0) == (to_block == 0) || x.ndim() <= other_axes) {
    return Reblock(x, from_block, to_block, output);
  }
  return from_block == 0 ? Pack(x, to_block, output)
                         : Unpack(x, from_block, output);
}

KernelRule EncodeKernel(graph::OpKind) {
  return Inlined([](const OpInstance& op, const Operands& in) {
    const graph::Encoding& encoding = op.output.encoding;
    if (!IsPlain(encoding) && BlockOf(op.output) == 0) {
      const auto steps =
          graph::StepsOf(encoding, {op.output.dtype, op.output.shape});
      CHECK(steps.ok()) << steps.status();
      return EncodeTensor(in[0], *steps);
    }
    return ChangeBlocks(in[0], BlockOf(op.inputs[0]), BlockOf(op.output),
                        op.stored_output.shape);
  });
}

}  // namespace assay::ops
