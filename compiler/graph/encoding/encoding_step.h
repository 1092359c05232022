// EncodingStep: one of the simple steps of which encodings (encoding.h)
// consist.
//
// A step makes an array of another, plain array. The steps of an encoding,
// applied one after the other, make the stored array of the plain one. Whoever
// knows how to apply each kind of step can therefore encode tensors in every
// encoding: this folder does it for arrays, compiler/ops for programs.
#ifndef ASSAY_COMPILER_GRAPH_ENCODING_ENCODING_STEP_H_
#define ASSAY_COMPILER_GRAPH_ENCODING_ENCODING_STEP_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "runtime/base/dtype.h"
#include "runtime/base/shape.h"

namespace assay::graph {

// The element type and the shape of an array in memory.
struct ArrayType {
  DType dtype;
  Shape shape;
};

inline bool operator==(const ArrayType& a, const ArrayType& b) {
  return a.dtype == b.dtype && a.shape == b.shape;
}

// The array gets this shape, which is at least as large along each axis. The
// elements that are added after the others are 0.
struct PadStep {
  Shape shape;
};

// Integers get another integer type that can hold them.
struct CastStep {
  DType dtype;
};

// The array gets another shape with as many elements in the same order.
struct ReshapeStep {
  Shape shape;
};

// Axis i of the result is axis perm[i].
struct TransposeStep {
  std::vector<int64_t> perm;
};

// Each float32 becomes the sum of two bfloat16: the nearest one, and the
// nearest one to the difference. The two parts are a new first axis. The sum of
// the parts differs from the number by at most 2^-17 of it.
struct SplitStep {};

// Each filter g of the float32 weights [O,C,3,3] becomes the tile G g G^T of
// Winograd's algorithm (winograd.h) for m x m output elements. The result has
// the shape [m+2,m+2,O,C].
struct WinogradStep {
  int64_t m = 0;
};

using EncodingStep = std::variant<PadStep, CastStep, ReshapeStep, TransposeStep,
                                  SplitStep, WinogradStep>;

// Returns true if integers of type `plain` can be stored as type `stored`
// (CastStep).
bool HoldsIntegers(DType stored, DType plain);

// Returns the type of the result of a step. CHECK-fails if the step cannot be
// applied to an array of type `type`.
ArrayType TypeAfter(const EncodingStep& step, const ArrayType& type);

}  // namespace assay::graph

#endif  // ASSAY_COMPILER_GRAPH_ENCODING_ENCODING_STEP_H_
