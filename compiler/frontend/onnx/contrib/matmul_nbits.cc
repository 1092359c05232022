// MatMulNBits: the product with a constant matrix of 4-bit or 8-bit integers
// that are quantized in blocks. The matrix is dequantized here, to a constant
// of the type of the data.
//
// The matrix B has N columns of K elements. A column is stored in blocks of
// `block_size` elements, each block in a number of bytes of its own; of two
// 4-bit elements in a byte, the first is in the lower bits. Each block has a
// scale and a zero point; zero points are packed like the elements, or are of
// the type of the data.
#include <cstdint>
#include <string>

#include "compiler/frontend/onnx/contrib/contrib_op.h"
#include "compiler/frontend/onnx/contrib/contrib_rows.h"
#include "compiler/frontend/onnx/proto/naming.h"
#include "compiler/frontend/onnx/proto/type_reader.h"
#include "runtime/base/element.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::TensorType;

// Maximum of the attributes N, K and block_size; products of two do not
// overflow.
constexpr int64_t kMaxExtent = int64_t{1} << 30;

struct Packing {
  int64_t rows = 0;     // K
  int64_t columns = 0;  // N
  int64_t block = 0;    // elements of a block
  int64_t bits = 0;     // of an element

  int64_t blocks() const { return (rows + block - 1) / block; }
  // The number of bytes of `count` elements that are packed together.
  int64_t Bytes(int64_t count) const { return (count * bits + 7) / 8; }
};

absl::StatusOr<int64_t> ReadExtent(ContribOp& op, const char* name) {
  ASSAY_ASSIGN_OR_RETURN(const int64_t extent, op.RequiredInt(name));
  if (extent >= 1 && extent <= kMaxExtent) return extent;
  return Malformed("attribute ", Quote(name), " is ", extent,
                   ", which is not between 1 and ", kMaxExtent);
}

absl::StatusOr<Packing> ReadPacking(ContribOp& op) {
  Packing p;
  ASSAY_ASSIGN_OR_RETURN(p.rows, ReadExtent(op, "K"));
  ASSAY_ASSIGN_OR_RETURN(p.columns, ReadExtent(op, "N"));
  ASSAY_ASSIGN_OR_RETURN(p.block, ReadExtent(op, "block_size"));
  ASSAY_ASSIGN_OR_RETURN(p.bits, op.attributes().Int("bits", 4));
  if (p.block < 16 || (p.block & (p.block - 1)) != 0) {
    return Malformed("attribute `block_size` is ", p.block,
                     ", which is no power of 2 from 16 on");
  }
  if (p.bits != 4 && p.bits != 8) {
    return Unsupported("attribute `bits` is ", p.bits,
                       "; only 4 and 8 are supported");
  }
  // The type in which the product may be rounded.
  ASSAY_RETURN_IF_ERROR(op.attributes().Int("accuracy_level", 0).status());
  ASSAY_RETURN_IF_ERROR(op.RefuseAttribute("weight_prepacked"));
  return p;
}

// Returns an error unless operand `i` is a constant with `count` elements of
// type `dtype`. Exporters write some of these operands with fewer axes.
absl::Status ExpectConstant(const ContribOp& op, int i, int64_t count,
                            DType dtype) {
  const TensorType& type = op.Type(i);
  if (type.dtype != dtype || type.num_elements() != count) {
    return Malformed("input ", i, " is ", type.ToString(), " but ", count,
                     " elements of ", dtype.ToString(), " are needed");
  }
  if (op.Known(i) != nullptr) return absl::OkStatus();
  return Unsupported("input ", i,
                     " is computed when the model runs; only constants are "
                     "supported");
}

// Element `i` of those that are packed from byte `begin` on.
int64_t Unpack(const Packing& p, absl::Span<const uint8_t> bytes, int64_t begin,
               int64_t i) {
  if (p.bits == 8) return bytes[static_cast<size_t>(begin + i)];
  const uint8_t byte = bytes[static_cast<size_t>(begin + i / 2)];
  return i % 2 == 0 ? byte & 15 : byte >> 4;
}

// The zero point of a block: operand 3, or the middle of the range.
double ZeroPoint(const ContribOp& op, const Packing& p, int64_t column,
                 int64_t block) {
  const NDArray* zeros = op.Known(3);
  if (zeros == nullptr) return static_cast<double>(int64_t{1} << (p.bits - 1));
  if (zeros->dtype().is_float()) {
    return LoadFloat(*zeros, column * p.blocks() + block);
  }
  return static_cast<double>(
      Unpack(p, zeros->data<uint8_t>(), column * p.Bytes(p.blocks()), block));
}

// The matrix [K, N].
NDArray Dequantized(const ContribOp& op, const Packing& p) {
  const auto bytes = op.Known(1)->data<uint8_t>();
  const NDArray& scales = *op.Known(2);
  NDArray matrix(scales.dtype(), {p.rows, p.columns});
  for (int64_t column = 0; column < p.columns; ++column) {
    for (int64_t block = 0; block < p.blocks(); ++block) {
      const int64_t index = column * p.blocks() + block;
      const double scale = LoadFloat(scales, index);
      const double zero = ZeroPoint(op, p, column, block);
      const int64_t begin = index * p.Bytes(p.block);
      for (int64_t i = 0; i < p.block && block * p.block + i < p.rows; ++i) {
        const auto step = static_cast<double>(Unpack(p, bytes, begin, i));
        StoreFloat(matrix, (block * p.block + i) * p.columns + column,
                   (step - zero) * scale);
      }
    }
  }
  return matrix;
}

// Operands: A, B, scales, zero_points, g_idx, bias.
absl::Status BuildMatMulNBits(ContribOp& op) {
  ASSAY_ASSIGN_OR_RETURN(const Packing p, ReadPacking(op));
  ASSAY_RETURN_IF_ERROR(op.RefuseInput(4, "g_idx"));
  const DType dtype = op.Type(0).dtype;
  if (!dtype.is_float()) {
    return Malformed("input 0 is ", op.Type(0).ToString(),
                     " but a float type is needed");
  }
  const int64_t blocks = p.columns * p.blocks();
  ASSAY_RETURN_IF_ERROR(
      ExpectConstant(op, 1, blocks * p.Bytes(p.block), DType::UInt(8)));
  ASSAY_RETURN_IF_ERROR(ExpectConstant(op, 2, blocks, dtype));
  if (op.HasInput(3)) {
    const bool packed = !op.Type(3).dtype.is_float();
    ASSAY_RETURN_IF_ERROR(
        ExpectConstant(op, 3, packed ? p.columns * p.Bytes(p.blocks()) : blocks,
                       packed ? DType::UInt(8) : dtype));
  }
  ASSAY_RETURN_IF_ERROR(
      CheckSize({dtype, {p.rows, p.columns}}, op.max_bytes()));
  NodeBuilder& b = op.builder();
  std::string y = b.MatMul(op.In(0), b.Constant(Dequantized(op, p)));
  if (op.HasInput(5)) {
    ASSAY_RETURN_IF_ERROR(op.ExpectBroadcast(5, {p.columns}));
    y = b.Add(y, op.In(5));
  }
  return op.SetResult(y);
}

constexpr ContribRow kRows[] = {
    {kMicrosoft, "MatMulNBits", 3, 6, BuildMatMulNBits},
};

}  // namespace

absl::Span<const ContribRow> ContribMatMulNBitsRows() { return kRows; }

}  // namespace assay::frontend
