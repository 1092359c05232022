// Random tensor programs: small DAGs of rank-2 tensors. They contain
// elementwise operations, padding, transposes, reshapes, windows, matrix
// products, stages with several outputs, and reductions over tuples (some of
// them not commutative). Because every read is clamped, all values are
// small integers, and results are exact in any order of evaluation.
#ifndef ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_
#define ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_

#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/te/tensor.h"
#include "runtime/base/random.h"

namespace assay::lower {

// Inputs and outputs have element type float32.
struct RandomProgram {
  std::vector<te::Tensor> inputs, outputs;
};

RandomProgram MakeRandomProgram(Rng& rng);

// Returns `x` limited to [-4, 4]. Random programs apply this function to every
// read.
expr::Expr Clamp(const expr::Expr& x);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_
