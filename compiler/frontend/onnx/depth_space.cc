// DepthToSpace and SpaceToDepth: blocks of pixels become channels, or the
// reverse. Both are a reshape, a transpose and a reshape.
#include <string>
#include <vector>

#include "compiler/frontend/onnx/naming.h"
#include "compiler/frontend/onnx/operators.h"
#include "runtime/base/status_macros.h"

namespace assay::frontend {
namespace {

using graph::Value;

struct Image {
  int64_t n = 0, c = 0, h = 0, w = 0, block = 0;
};

absl::StatusOr<Image> ReadImage(OpImport& op) {
  const graph::TensorType& x = op.InputType(0);
  ASSAY_ASSIGN_OR_RETURN(const auto block,
                         op.attributes().OptionalInt("blocksize"));
  if (!block.has_value() || *block < 1 || *block > 1 << 16) {
    return Malformed("attribute `blocksize` is missing or not positive");
  }
  if (x.rank() != 4) {
    return Malformed("input 0 is ", x.ToString(), " but rank 4 is needed");
  }
  return Image{x.shape[0], x.shape[1], x.shape[2], x.shape[3], *block};
}

absl::Status Rearrange(OpImport& op, const Shape& apart,
                       std::vector<int64_t> perm, const Shape& result) {
  ASSAY_ASSIGN_OR_RETURN(Value y, op.AddReshape(op.Input(0), apart));
  ASSAY_ASSIGN_OR_RETURN(y, op.AddTranspose(y, std::move(perm)));
  return op.SetResult(op.AddReshape(y, result));
}

}  // namespace

absl::Status ImportDepthToSpace(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Image x, ReadImage(op));
  std::string mode = "DCR";
  if (op.opset() >= 11) {
    ASSAY_ASSIGN_OR_RETURN(mode, op.attributes().String("mode", "DCR"));
  }
  if (mode != "DCR" && mode != "CRD") {
    return Malformed("attribute `mode` is ", Quote(mode),
                     " but DCR or CRD is needed");
  }
  const int64_t b = x.block, depth = x.c / (b * b);
  if (depth * b * b != x.c) {
    return Malformed(x.c, " channels are not a multiple of ", b, " x ", b);
  }
  const Shape result = {x.n, depth, x.h * b, x.w * b};
  if (mode == "DCR") {
    return Rearrange(op, {x.n, b, b, depth, x.h, x.w}, {0, 3, 4, 1, 5, 2},
                     result);
  }
  return Rearrange(op, {x.n, depth, b, b, x.h, x.w}, {0, 1, 4, 2, 5, 3},
                   result);
}

absl::Status ImportSpaceToDepth(OpImport& op) {
  ASSAY_ASSIGN_OR_RETURN(const Image x, ReadImage(op));
  const int64_t b = x.block;
  if (x.h % b != 0 || x.w % b != 0) {
    return Malformed(x.h, " x ", x.w, " pixels are not a multiple of ", b,
                     " x ", b);
  }
  return Rearrange(op, {x.n, x.c, x.h / b, b, x.w / b, b}, {0, 3, 5, 1, 2, 4},
                   {x.n, x.c * b * b, x.h / b, x.w / b});
}

}  // namespace assay::frontend
