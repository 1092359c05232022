// Interpret: executes a loop program, before or after any pass, and detects
// errors that are visible only at run time. Differential tests of lowering,
// passes and code generation use it as the reference.
//
//   NDArray y = (*Interpret(function, {x, weights}))[0];
//
// Interpret() returns an Internal error if
//   - an access is out of bounds;
//   - an element is loaded that has not been written;
//   - an element is loaded that another iteration of an enclosing parallel or
//     vectorized loop has already written (a data race);
//   - an integer is divided by zero;
//   - an element of an output has not been written when the program ends.
// The error names the function and, except for a division, the buffer and the
// index.
//
// Arithmetic follows expr/numeric.h: every float result is rounded to its type.
// Intrinsics such as exp and tanh are computed in double with the C library,
// and then rounded. `round` rounds ties to even. The interpreter executes about
// 10^7 operations per second, so it is not suitable for production.
#ifndef ASSAY_COMPILER_TIR_INTERPRETER_H_
#define ASSAY_COMPILER_TIR_INTERPRETER_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "compiler/tir/stmt.h"
#include "runtime/base/ndarray.h"

namespace assay::tir {

struct InterpretOptions {
  // If not 0, the iterations of parallel and vectorized loops run in an order
  // that is shuffled with this seed. This exposes dependences between
  // iterations.
  uint64_t seed = 0;
  // If true, loads of unwritten elements, and unwritten elements of outputs,
  // are errors.
  bool check_initialized = true;
};

// Returns one array per output. Errors:
//   - InvalidArgument if the number, types or shapes of the inputs do not match
//     the function;
//   - the error of Verify (verifier.h) if the function is invalid;
//   - Internal in the cases that are listed at the top of this file.
absl::StatusOr<std::vector<NDArray>> Interpret(
    const Function& f, const std::vector<NDArray>& inputs,
    const InterpretOptions& options = {});

}  // namespace assay::tir

#endif  // ASSAY_COMPILER_TIR_INTERPRETER_H_
