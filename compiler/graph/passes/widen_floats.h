// widen_floats: keeps the 16-bit floats around convolutions in float32.
//
//   %2: float16 = relu(%x)
//   %3: float32 = conv2d(%2, %w)          the weights are float16
//   ->
//   %4: float32 = cast(%x)
//   %5: float32 = relu(%4)
//   %3: float32 = conv2d(%5, %w')         the weights are float32
//
// Blocked convolutions take float32 only, and all kernels compute in float32.
// The pass applies to float16 and bfloat16. Values remain the same: the result
// of each operator is rounded to the 16-bit type by two casts, to this type and
// back, which fusion puts into the kernel of the operator. Operators whose
// results have no more digits than their operands, such as relu and concat,
// need no casts.
//
// A region is a set of 16-bit values that elementwise operators and operators
// that move data connect. The pass widens the regions from which a convolution
// reads its data, and those that hold the rounded result of a convolution.
// Other operators that read a value of a region, such as dense, read it as
// 16 bits. The weights take twice as much memory.
//
// The pass must run before the passes that look for float32 convolutions.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_WIDEN_FLOATS_H_
#define ASSAY_COMPILER_GRAPH_PASSES_WIDEN_FLOATS_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class WidenFloats : public Pass {
 public:
  static constexpr char kName[] = "widen_floats";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_WIDEN_FLOATS_H_
