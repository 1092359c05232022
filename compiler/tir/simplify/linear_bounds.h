// LinearBounds: constant bounds of a sum of terms times constants, each term
// bounded by itself. Computed beyond the range of int32, where the difference
// of two indices may lie though no index does.
#ifndef ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_BOUNDS_H_
#define ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_BOUNDS_H_

#include "compiler/tir/simplify/bounds.h"
#include "compiler/tir/simplify/linear.h"

namespace assay::tir {

ConstInterval LinearBounds(const Linear& sum, const VarBounds& bounds);

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_SIMPLIFY_LINEAR_BOUNDS_H_
