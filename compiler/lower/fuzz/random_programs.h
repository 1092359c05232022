// Random tensor programs: small DAGs of rank-2 tensors with elementwise
// operations, padding, transposes, reshapes, windows, products, multiple
// outputs, reductions over tuples (some not commutative) and scans. All values
// are small integers, because every read is clamped, so results are exact in
// any order.
#ifndef ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_
#define ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_

#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/te/tensor.h"
#include "runtime/base/random.h"

namespace assay::lower {

// All tensors have type float32.
struct RandomProgram {
  std::vector<te::Tensor> inputs, outputs;
};

RandomProgram MakeRandomProgram(Rng& rng);

// Limits the range of a value; applied to every read.
expr::Expr Clamp(const expr::Expr& x);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_
