#include "compiler/frontend/onnx/operators/bounded_axes.h"

#include <algorithm>
#include <iterator>

namespace assay::frontend {
namespace {

// Sorted.
constexpr absl::string_view kCombining[] = {
    "ArgMax",
    "ArgMin",
    "Compress",
    "Concat",
    "ConcatFromSequence",
    "CumSum",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "Gemm",
    "LogSoftmax",
    "MatMul",
    "NonMaxSuppression",
    "NonZero",
    "Pad",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
    "Reshape",
    "Scan",
    "Scatter",
    "ScatterElements",
    "ScatterND",
    "Shape",
    "Size",
    "Slice",
    "Softmax",
    "Split",
    "Squeeze",
    "Tile",
    "TopK",
    "Unsqueeze",
};

}  // namespace

bool CombinesBoundedAxes(absl::string_view op_type) {
  return std::binary_search(std::begin(kCombining), std::end(kCombining),
                            op_type);
}

}  // namespace assay::frontend
