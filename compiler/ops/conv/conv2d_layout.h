// The layout, and with it the algorithm, of one convolution of a graph: decided
// before fusion, because the layouts of neighbouring operators and the form of
// the weights follow from it.
#ifndef ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_
#define ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_

#include <cstdint>
#include <optional>

#include "compiler/graph/op/attrs.h"
#include "compiler/graph/op/tensor_type.h"
#include "compiler/target/target.h"

namespace assay::ops {

struct Conv2dLayout {
  int64_t in_block = 0;  // channel blocks of data and result
  int64_t out_block = 0;
  int64_t winograd = 0;      // tile of graph/op/winograd.h; 0 for direct
  int64_t weight_block = 0;  // of the transformed weights
  // Of integers: as dot_tile.h has it, and the type that weights get.
  int64_t depth = 0;
  DType weight_type = DType::Float32();
};

// `attrs`, `data` and `weights` are those of a plain convolution (NCHW, OIHW).
// Direct or Winograd with a tile of at most `max_winograd`, whichever the cost
// models call faster; integers direct. Nothing where the convolution is better
// left plain: integers with groups or without a divisor of the channels that is
// a multiple of the depth, floats of 16 bits.
std::optional<Conv2dLayout> ChooseConv2dLayout(const target::Target& target,
                                               const graph::Conv2dAttrs& attrs,
                                               const graph::TensorType& data,
                                               const graph::TensorType& weights,
                                               int64_t max_winograd);

}  // namespace assay::ops

#endif  // ASSAY_COMPILER_OPS_CONV_CONV2D_LAYOUT_H_
