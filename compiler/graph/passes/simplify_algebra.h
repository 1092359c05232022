// simplify_algebra: replaces operators by fewer or cheaper operators. Every
// result keeps its value, with the rounding, the infinities and the NaNs of the
// original operators (compiler/docs/values.md).
//
// Arithmetic (arithmetic_rules.cc):
//
//   x - 0, x * 1, x / 1, x ^ 1                    x
//   x + 0, of integers or if x is never -0        x
//   -(-x), abs(abs(x))                            x, abs(x)
//   (x + c) + d, (x * c) * d, of integers         x + (c + d), x * (c * d)
//   (x * c) * d, if that is exact                 x * (c * d)
//   x - c                                         x + (-c)
//   x / c, for powers of two                      x * (1 / c)
//   consecutive max(x, c), min(x, c), relu, clip  one clip or relu
//   cast to the same type, consecutive casts      x, one cast
//
// Data movement (movement_rules.cc):
//
//   reshape, transpose, slice, pad, concat or
//   encode that changes nothing                   its operand
//   two consecutive operators of such a kind      one operator of that kind
//   transpose that moves only axes of extent 1    reshape
//   reshape of an encode of images of one pixel   reshape
//   slice of a concat, within one operand         slice of that operand
//   concat of adjacent slices                     one slice
//
// Transposes (transpose_rules.cc) are moved after elementwise operators,
// concat, pad, slice, reductions and softmax, until they reach another
// transpose or an operator after which they cannot be moved:
//
//   relu(transpose(x))                            transpose(relu(x))
//
// `c` and `d` are constants. The rules are applied until none matches. An
// operator with several users is not duplicated.
#ifndef ASSAY_COMPILER_GRAPH_PASSES_SIMPLIFY_ALGEBRA_H_
#define ASSAY_COMPILER_GRAPH_PASSES_SIMPLIFY_ALGEBRA_H_

#include "compiler/graph/passes/pass.h"

namespace assay::graph {

class SimplifyAlgebra : public Pass {
 public:
  static constexpr char kName[] = "simplify_algebra";
  absl::string_view name() const override { return kName; }
  absl::StatusOr<bool> Run(Graph& graph) override;
};

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_PASSES_SIMPLIFY_ALGEBRA_H_
