// LinearBounds: computes constant bounds of a linear combination from the
// bounds of its terms. The bounds are computed with 64 bits, because the
// difference of two int32 indices may overflow int32.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_BOUNDS_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_BOUNDS_H_

#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/simplify/linear.h"

namespace assay::tir {

ConstInterval LinearBounds(const Linear& sum, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_BOUNDS_H_
