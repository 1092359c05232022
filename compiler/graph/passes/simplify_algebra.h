// simplify_algebra: replaces operators by fewer or cheaper ones with the same
// result.
//
// Arithmetic (arithmetic_rules.cc):
//
//   x + 0, x - 0, x * 1, x / 1, x ^ 1             x
//   -(-x), abs(abs(x))                            x, abs(x)
//   (x + c) + d, (x * c) * d                      x + (c + d), x * (c * d)
//   x - c, x / c                                  x + (-c), x * (1 / c)
//   max(x, c), min(x, c), relu, clip in a row     one clip or relu
//   a cast to the same type, casts in a row       x, one cast
//
// Movement of data (movement_rules.cc):
//
//   reshape, transpose, slice, pad, concat and layout_transform without
//   effect                                        x
//   two of them in a row                          one
//   transpose that moves only axes of extent 1    reshape
//   layout_transform of one pixel                 reshape
//   slice of a concat, inside one operand         slice of that operand
//   concat of neighbouring slices                 one slice
//
// Transposes (transpose_rules.cc) sink below elementwise operators, concat,
// pad, slice, reductions and softmax, until they reach another transpose or an
// operator that they cannot be moved across:
//
//   relu(transpose(x))                            transpose(relu(x))
//
// `c` and `d` are constants. Rules are applied until none matches. An operator
// that has other users is not duplicated.
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
