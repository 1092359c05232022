// Random tensor programs: small DAGs of rank-2 tensors, elementwise, padded,
// transposed, reshaped, windows, products, several outputs at once, reductions
// over tuples, some of which do not commute, and scans. Values are whole
// numbers that stay small, because every read is clamped, so that results are
// exact in any order.
#ifndef ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_
#define ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_

#include <vector>

#include "compiler/expr/expr.h"
#include "compiler/te/tensor.h"
#include "runtime/base/random.h"

namespace assay::lower {

// All of type float32.
struct RandomProgram {
  std::vector<te::Tensor> inputs, outputs;
};

RandomProgram MakeRandomProgram(Rng& rng);

// What every read is wrapped in.
expr::Expr Clamp(const expr::Expr& x);

}  // namespace assay::lower

#endif  // ASSAY_COMPILER_LOWER_FUZZ_RANDOM_PROGRAMS_H_
